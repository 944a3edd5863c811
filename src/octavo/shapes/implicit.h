#pragma once

// Simple shapes as signed distances in metres: negative inside, zero on the surface. All are exact,
// so |f(p)| is how far p is from the surface. Trivially copyable: kernels take them by value.
//
//   const SphereShape<3> ball{{0.5, 0.5, 0.8}, 0.2};
//   const bool inside = ball(p) < 0;

#include <cmath>

#include "octavo/base/vec.h"

namespace octavo {

template <int Dim>
struct SphereShape {
  Vec<Dim> center;
  double radius;

  double operator()(const Vec<Dim>& p) const { return length(p - center) - radius; }
};

// A box along the axes; `half_size` goes from its centre to its sides.
template <int Dim>
struct BoxShape {
  Vec<Dim> center, half_size;

  double operator()(const Vec<Dim>& p) const {
    Vec<Dim> outside{};
    double nearest_side = -HUGE_VAL;
    for (int a = 0; a < Dim; ++a) {
      const double d = std::abs(p[a] - center[a]) - half_size[a];
      outside[a] = std::max(d, 0.0);
      nearest_side = std::max(nearest_side, d);
    }
    return length(outside) + std::min(nearest_side, 0.0);
  }
};

// Everything within minor_radius of a circle of major_radius around `axis`. In 2D there is no axis
// to choose and the shape is the ring between two circles.
template <int Dim>
struct TorusShape {
  Vec<Dim> center;
  double major_radius, minor_radius;
  int axis = 2;

  double operator()(const Vec<Dim>& p) const {
    Vec<Dim> q = p - center;
    double height = 0;
    if constexpr (Dim == 3) {
      height = q[axis];
      q[axis] = 0;
    }
    return std::hypot(length(q) - major_radius, height) - minor_radius;
  }
};

}  // namespace octavo
