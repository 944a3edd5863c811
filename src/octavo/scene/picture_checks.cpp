#include "octavo/scene/picture_checks.h"

namespace octavo {
namespace {

void check_camera(const CameraScene& camera, Complaints& say) {
  constexpr const char* same = "the camera is where it looks at";
  if (camera.position && camera.target && *camera.position == *camera.target)
    say.wrong("camera.target", "{}", same);
  for (std::size_t i = 0; i < camera.keyframes.size(); ++i) {
    const CameraKeyScene& key = camera.keyframes[i];
    const std::string path = item("camera.keyframes", i);
    if (key.position == key.target) say.wrong(path + ".target", "{}", same);
    if (i > 0 && !(key.time > camera.keyframes[i - 1].time))
      say.wrong(path + ".time", "the times of keyframes must increase; {} s comes after {} s",
                key.time, camera.keyframes[i - 1].time);
  }
  if (!camera.keyframes.empty() && (camera.position || camera.target))
    say.wrong("camera.keyframes",
              "a camera has a position and target or keyframes, not both of them");
}

template <int Dim>
void check_slice(const SliceScene& slice, const Box<Dim>& box, Complaints& say) {
  const int a = static_cast<int>(slice.axis);
  if (Dim == 3 && slice.at && !(*slice.at >= box.lo[a] && *slice.at <= box.hi[a]))
    say.wrong("render.slice.at", "the slice is outside of the box, which goes from {} to {} m",
              box.lo[a], box.hi[a]);
}

}  // namespace

template <int Dim>
void check_pictures(const Scene<Dim>& scene, const std::optional<Box<Dim>>& box, Complaints& say) {
  check_camera(scene.camera, say);
  for (std::size_t i = 0; i < scene.light.size(); ++i)
    if (scene.light[i].direction == Vec3d{})
      say.wrong(item("light", i) + ".direction", "a light needs a direction");
  if (box) check_slice(scene.render.slice, *box, say);
}

template void check_pictures(const Scene<2>&, const std::optional<Box<2>>&, Complaints&);
template void check_pictures(const Scene<3>&, const std::optional<Box<3>>&, Complaints&);

}  // namespace octavo
