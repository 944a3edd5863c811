#pragma once

// A Frustum tells what a camera has in its picture, and how large it appears there: it answers
// questions about boxes in space.
//
//   const Frustum frustum(camera, 0.1);            // with a tenth of the picture around it
//   if (frustum.touches({center, half})) pixels = half / frustum.pixel_size(frustum.distance({center, half}));
//
// The answers err on one side only: nothing that is in the picture is said to be outside of it, and nothing is
// said to be farther away than its nearest point.

#include <array>
#include <optional>

#include "octavo/camera/camera.h"

namespace octavo {

// Points of a plane get z = 0.
template <int Dim>
Vec3d in_space(const Vec<Dim>& p) {
  if constexpr (Dim == 2)
    return {p[0], p[1], 0};
  else
    return p;
}

// A Region is a cube; half is half its edge.
struct Region {
  Vec3d center;
  double half;
};

class Frustum {
 public:
  // The margin is on each side of the picture, as a part of its width.
  Frustum(const Camera& camera, double margin);

  // This tells whether any part of a region may be in the picture or the margin.
  bool touches(const Region& region) const;

  // This is the distance from the camera to the nearest point, m: it is zero if the camera is inside.
  double nearest(const Region& region) const;

  // This is how far away something appears, m: along the camera's direction if it is in the picture; what is
  // beside or behind the camera counts like what is in the picture's corner at the same distance.
  double distance(const Region& region) const;

  // This is the depth of a point, along the camera's direction, m: it is negative behind the camera.
  double depth(const Vec3d& point) const { return dot(forward_, point - position_); }

  // This is where a region is in the picture, pixels, with not much around it; there is no place unless all of
  // it is in front of the camera.
  std::optional<Box<2>> place(const Region& region) const;

  // This is how wide a pixel is at such a distance, m.
  double pixel_size(double distance) const { return rays_.pixel_size(distance); }

 private:
  CameraRays rays_;
  Vec3d position_, forward_, right_, down_;
  std::array<Vec3d, 4> inward_;  // normals of the sides, which all pass through the camera
  double corner_;                // cosine of the angle between forward and the picture's corner
};

}  // namespace octavo
