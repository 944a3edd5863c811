#pragma once

// Simple shapes are given as signed distances in metres: negative inside, zero on the surface. All are
// exact, so |f(p)| is how far p is from the surface. They are trivially copyable: kernels take them by
// value. Nothing is checked here; the makers of shape.h do.
//
//   const SphereShape<3> ball{{0.5, 0.5, 0.8}, 0.2};
//   const bool inside = ball(p) < 0;

#include <algorithm>
#include <cmath>

#include "octavo/base/vec.h"

namespace octavo {

template <int Dim>
struct SphereShape {
  Vec<Dim> center;
  double radius;

  double operator()(const Vec<Dim>& p) const { return length(p - center) - radius; }
};

// A box lies along the axes; `half_size` goes from its centre to its sides.
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

// A torus is everything within minor_radius of a circle of major_radius around `axis`. In 2D there is
// no axis to choose and the shape is the ring between two circles.
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
    return length(Vec2d{length(q) - major_radius, height}) - minor_radius;
  }
};

// A half space is all that is behind a plane; the normal, of length 1, points out of it.
template <int Dim>
struct HalfSpaceShape {
  Vec<Dim> point, normal;

  double operator()(const Vec<Dim>& p) const { return dot(p - point, normal); }
};

// A capsule is everything within `radius` of the segment from a to b, which may be a point.
template <int Dim>
struct CapsuleShape {
  Vec<Dim> a, b;
  double radius;

  double operator()(const Vec<Dim>& p) const {
    const Vec<Dim> axis = b - a, q = p - a;
    const double squared = dot(axis, axis);
    const double along = squared > 0 ? std::clamp(dot(q, axis) / squared, 0.0, 1.0) : 0.0;
    return length(q - axis * along) - radius;
  }
};

// A cylinder goes from a to b with flat ends; in 2D it is a rectangle that is 2 radius wide. Seen in
// the plane of its axis and the point it is a box.
template <int Dim>
struct CylinderShape {
  Vec<Dim> a, b;
  double radius;

  double operator()(const Vec<Dim>& p) const {
    const double half_length = 0.5 * length(b - a);
    const Vec<Dim> axis = (b - a) / (2 * half_length), q = p - (a + b) * 0.5;
    const double along = dot(q, axis);
    return BoxShape<2>{{}, {half_length, radius}}({along, length(q - axis * along)});
  }
};

// An ellipsoid lies along the axes. The foot x of the perpendicular from y, both relative to the centre
// and in the octant of positive coordinates, satisfies y - x = t x / radii^2 for some t, so
//
//   x = radii^2 v,   v = y / (t + radii^2),   |radii v| = 1,   distance = t |v|.
//
// With r the smallest radius and s = t + r^2 the last but one has one root s > 0, and 1 / |radii v|
// is concave and increasing in s. Newton's method on it, from the left, therefore never overshoots
// and needs three to six steps (More and Sorensen 1983 solve the same equation). If y is so near the
// plane across a shortest axis that there is no root, s is 0 and the foot leaves that plane: the
// missing length of radii v is along the axis.
template <int Dim>
struct EllipsoidShape {
  Vec<Dim> center, radii;

  double operator()(const Vec<Dim>& p) const {
    const double shortest = *std::min_element(radii.v, radii.v + Dim);
    Vec<Dim> y{}, gap{};  // gap: radii^2 - shortest^2
    double s = 0;
    for (int a = 0; a < Dim; ++a) {
      y[a] = std::abs(p[a] - center[a]);
      if (y[a] < 1e-100 * radii[a]) y[a] = 0;  // its square would not be a number
      gap[a] = (radii[a] - shortest) * (radii[a] + shortest);
      s = std::max(s, radii[a] * y[a] - gap[a]);  // left of the root: one term alone is 1 here
    }

    for (int steps = 0; steps < 100; ++steps) {
      double squared = 0, slope = 0;
      for (int a = 0; a < Dim; ++a) {
        if (y[a] == 0) continue;
        const double u = radii[a] * y[a] / (s + gap[a]);
        squared += u * u;
        slope += u * u / (s + gap[a]);
      }
      const double step = squared * (std::sqrt(squared) - 1) / slope;
      if (!(step > 1e-16 * s)) break;
      s += step;
    }

    double v = 0, squared = 0;
    for (int a = 0; a < Dim; ++a) {
      if (y[a] == 0) continue;
      const double quotient = y[a] / (s + gap[a]);
      v += quotient * quotient;
      squared += radii[a] * radii[a] * quotient * quotient;
    }
    if (s == 0) v += std::max(1 - squared, 0.0) / (shortest * shortest);
    return (s - shortest * shortest) * std::sqrt(v);
  }
};

}  // namespace octavo
