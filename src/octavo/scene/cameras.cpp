#include "octavo/scene/cameras.h"

#include "octavo/camera/frustum.h"
#include "octavo/scene/build.h"

namespace octavo {
namespace {

template <int Dim>
Box<3> box_of(const Scene<Dim>& scene) {
  const Box<Dim> box = domain_of(scene).box();
  return {in_space(box.lo), in_space(box.hi)};
}

}  // namespace

CameraPath camera_path(const CameraScene& c, const Box<3>& seen, AxisName up) {
  CameraPath path{framing(seen, upright({0, 0, 1}, up), c.field_of_view, c.resolution)};
  Camera& camera = path.camera;
  if (c.target) {
    camera.position += *c.target - camera.target;
    camera.target = *c.target;
  }
  if (c.position) camera.position = *c.position;
  for (const CameraKeyScene& k : c.keyframes)
    path.keys.push_back({k.time, k.position, k.target, k.field_of_view.value_or(c.field_of_view)});
  return path;
}

template <int Dim>
CameraPath camera_path(const Scene<Dim>& scene) {
  return camera_path(scene.camera, box_of(scene), scene.up);
}

template <int Dim>
ViewParameters view_of(const Scene<Dim>& scene) {
  if (!scene.view) return {};
  ViewParameters p = *scene.view;
  p.cameras.push_back(camera_path(scene));
  for (const CameraScene& c : scene.view->camera)
    p.cameras.push_back(camera_path(c, box_of(scene), scene.up));
  p.extinction = extinction_of(scene);
  return p;
}

#define OCTAVO_INSTANTIATE(Dim)                       \
  template CameraPath camera_path(const Scene<Dim>&); \
  template ViewParameters view_of(const Scene<Dim>&);
OCTAVO_INSTANTIATE(2)
OCTAVO_INSTANTIATE(3)
#undef OCTAVO_INSTANTIATE

}  // namespace octavo
