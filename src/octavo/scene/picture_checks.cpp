#include "octavo/scene/picture_checks.h"

#include "octavo/scene/scene_fields.h"

namespace octavo {
namespace {

template <class Key>
void check_times(const std::vector<Key>& keys, const std::string& path, Complaints& say) {
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (!(keys[i].time > keys[i - 1].time))
      say.wrong(item(path, i) + ".time",
                "the times of keyframes must increase; {} s comes after {} s", keys[i].time,
                keys[i - 1].time);
}

void check_camera(const CameraScene& camera, const std::string& path, Complaints& say) {
  constexpr const char* same = "the camera is where it looks at";
  if (camera.position && camera.target && *camera.position == *camera.target)
    say.wrong(path + ".target", "{}", same);
  for (std::size_t i = 0; i < camera.keyframes.size(); ++i) {
    const CameraKeyScene& key = camera.keyframes[i];
    if (key.position == key.target) say.wrong(item(path + ".keyframes", i) + ".target", "{}", same);
  }
  check_times(camera.keyframes, path + ".keyframes", say);
  if (!camera.keyframes.empty() && (camera.position || camera.target))
    say.wrong(path + ".keyframes",
              "a camera has a position and target or keyframes, not both of them");
}

void check_light(const LightScene& light, const std::string& path, Complaints& say) {
  constexpr const char* none = "a light needs a direction";
  auto missing = [](const std::optional<Vec3d>& d) { return d && !(length(*d) > 1e-100); };
  if (missing(light.direction)) say.wrong(path + ".direction", "{}", none);
  for (std::size_t i = 0; i < light.keyframes.size(); ++i)
    if (missing(light.keyframes[i].direction))
      say.wrong(item(path + ".keyframes", i) + ".direction", "{}", none);
  check_times(light.keyframes, path + ".keyframes", say);
}

// Without a target it looks at the middle of the box.
void check_view_of(const Box<3>& box, const CameraScene& camera, Complaints& say) {
  if (camera.position && !camera.target &&
      length(*camera.position - box.center()) <= 1e-9 * length(box.size()))
    say.wrong("camera.position",
              "the camera is in the middle of the box, which is where it looks at without a "
              "'camera.target'");
}

// Slices have a legend and lines, for which there must be room; main pictures can be of any size.
void check_resolution(const Vec<2, int>& resolution, const OutputScene& output, Complaints& say) {
  constexpr int least = 16;
  for (const std::string& what : output.picture)
    if (!is_main_picture(what) && std::max(resolution[0], resolution[1]) < least)
      return say.wrong("camera.resolution",
                       "a picture of '{}' must be {} pixels or more wide or high, not {} x {}",
                       what, least, resolution[0], resolution[1]);
}

template <int Dim>
void check_view(const ViewScene& view, Complaints& say) {
  for (std::size_t i = 0; i < view.camera.size(); ++i)
    check_camera(view.camera[i], item("view.camera", i), say);
  if (Dim == 2 && view.hidden) say.wrong("view.hidden", "nothing is hidden in a 2D scene");
  if (view.coarsest_pixels > 0 && view.coarsest_pixels < 2 * view.finest_pixels)
    say.wrong("view.coarsest_pixels",
              "'view.coarsest_pixels' must be twice 'view.finest_pixels' at least, since sizes of "
              "leaves are apart by factors of two");
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
  check_camera(scene.camera, "camera", say);
  if (scene.view) check_view<Dim>(*scene.view, say);
  for (std::size_t i = 0; i < scene.light.size(); ++i)
    check_light(scene.light[i], item("light", i), say);
  check_resolution(scene.camera.resolution, scene.output, say);
  if (!box) return;
  check_slice(scene.render.slice, *box, say);
  if constexpr (Dim == 3) check_view_of(*box, scene.camera, say);
}

template void check_pictures(const Scene<2>&, const std::optional<Box<2>>&, Complaints&);
template void check_pictures(const Scene<3>&, const std::optional<Box<3>>&, Complaints&);

}  // namespace octavo
