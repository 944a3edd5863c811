#pragma once

// These make the cameras of a scene.

#include "octavo/camera/camera.h"
#include "octavo/scene/scene.h"

namespace octavo {

// This turns a direction that is given as if z were up.
inline Vec3d upright(const Vec3d& v, AxisName up) {
  return up == AxisName::z ? v : Vec3d{v[0], v[2], -v[1]};
}

// What is not said is so that all of a box is in the picture.
CameraPath camera_path(const CameraScene& camera, const Box<3>& seen, AxisName up);

// This is the scene's own camera, with its box. A 2D scene is in the plane z = 0.
template <int Dim>
CameraPath camera_path(const Scene<Dim>& scene);

// This is what the view has to say about the octree; there are no cameras if the scene has no such table.
template <int Dim>
ViewParameters view_of(const Scene<Dim>& scene);

}  // namespace octavo
