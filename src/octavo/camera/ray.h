#pragma once

// Rays are straight lines through space.

#include <limits>

#include "octavo/base/vec.h"

namespace octavo {

// The direction has length 1, so that distances along it are metres.
struct Ray {
  Vec3d origin, direction;

  Vec3d at(double distance) const { return origin + direction * distance; }
};

// A Span is the part of a ray between two distances; it is empty if `to` is not above `from`.
struct Span {
  double from = 0, to = std::numeric_limits<double>::infinity();

  bool empty() const { return !(to > from); }
};

inline Vec3d normalized(const Vec3d& v) { return v / length(v); }

// This is the part of a span that is inside of a box.
inline Span clipped(const Ray& ray, const Box<3>& box, Span span) {
  for (int a = 0; a < 3; ++a) {
    if (ray.direction[a] == 0) {
      if (!(ray.origin[a] >= box.lo[a] && ray.origin[a] <= box.hi[a])) return {0, 0};
      continue;
    }
    const double low = (box.lo[a] - ray.origin[a]) / ray.direction[a];
    const double high = (box.hi[a] - ray.origin[a]) / ray.direction[a];
    span.from = std::max(span.from, std::min(low, high));
    span.to = std::min(span.to, std::max(low, high));
  }
  return span;
}

// A Basis is two directions that are at right angles to a third of length 1 and to each other (Duff et
// al. 2017, "Building an orthonormal basis, revisited").
struct Basis {
  Vec3d right, up, forward;

  explicit Basis(const Vec3d& n) : forward(n) {
    const double sign = std::copysign(1.0, n[2]), a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
    right = {1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]};
    up = {b, sign + n[1] * n[1] * a, -n[1]};
  }
  Vec3d operator()(const Vec3d& v) const { return right * v[0] + up * v[1] + forward * v[2]; }
};

}  // namespace octavo
