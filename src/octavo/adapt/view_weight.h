#pragma once

// This says how much the view raises the thresholds of criteria: Bunlutangtum, Kanongchaiyos 2011, equations 2 to 6.
//
//   alpha = D / 2R = tan(theta / 2)          theta: field of view along the picture's diagonal      (3)
//   Psi   = alpha (r - R) / R                r: distance from the camera, R: to the front plane     (2)
//   T*    = T (tau Psi + 1) phi              phi: resolution of the grid over that of the image     (4)
//
// A leaf is split if what a criterion measures is above T* of its threshold for splitting, and may be merged if
// it is below T* of that for merging (5, 6).
//
//   const ViewWeight weight({.tau = 5, .front = 0.4}, camera);
//   const double threshold = 3.0 * weight(leaf.center);
//
// Two things of the paper are taken as follows. In front of the front plane Psi would be negative, and with a
// large tau the threshold as well: it is 0 there. T = alpha T(90 degrees) contradicts the limit of a narrow
// field of view, in which T is said to remain: so it is a choice, `at_90_degrees`.

#include <cmath>

#include "octavo/camera/camera.h"

namespace octavo {

struct ViewWeighting {
  double tau = 0;              // how much distance counts; 0: not at all
  double front = 1;            // R, m
  double grid_per_image = 1;   // phi
  bool at_90_degrees = false;  // thresholds are meant for that field of view
};

// This is tan(theta / 2), with theta along the diagonal.
inline double perspective_ratio(const Camera& camera) {
  const double height = static_cast<double>(camera.resolution[1]) / camera.resolution[0];
  return CameraRays(camera).pixel_size(1) * camera.resolution[0] / 2 * std::hypot(1.0, height);
}

// Leaves of a size are counted against the pixels of the picture where the front plane is.
inline double resolution_ratio(const Camera& camera, double front, double leaf_size) {
  return CameraRays(camera).pixel_size(front) / leaf_size;
}

class ViewWeight {
 public:
  ViewWeight(const ViewWeighting& w, const Camera& camera)
      : position_(camera.position), alpha_(perspective_ratio(camera)), weighting_(w) {}

  double psi(double r) const {
    return std::max(0.0, alpha_ * (r - weighting_.front) / weighting_.front);
  }

  // This is the factor by which a threshold is multiplied.
  double at_distance(double r) const {
    const double wide = weighting_.at_90_degrees ? alpha_ : 1;
    return wide * (weighting_.tau * psi(r) + 1) * weighting_.grid_per_image;
  }
  double operator()(const Vec3d& point) const { return at_distance(length(point - position_)); }

 private:
  Vec3d position_;
  double alpha_;
  ViewWeighting weighting_;
};

}  // namespace octavo
