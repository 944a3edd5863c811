#pragma once

// This finds how far along a ray the first solid is, from distances to solids alone.
//
// Where there is no solid within a distance, the ray may go on as far. Beside one that would be in ever smaller steps, so
// that steps are as wide as a tile of the picture appears there; a step that the free balls around its ends do not
// cover is looked at more closely. What is missed then is thinner than an eighth of a tile and hides nothing that is seen.

#include <algorithm>
#include <utility>

#include "octavo/camera/ray.h"

namespace octavo {

template <class Distance>
class SolidSight {
 public:
  // distance(point), m, is not more than the distance to the nearest solid, and not positive in one. `tile` is the
  // width of a tile at one metre, m.
  SolidSight(Distance distance, double tile) : distance_(std::move(distance)), tile_(tile) {}

  // The result is the end of the span, which must have one, if there is no solid.
  double operator()(const Ray& ray, const Span& span) const {
    const double near = (span.to - span.from) / 64;  // beside the eye steps would not end
    double at = span.from, free = distance_(ray.at(at));
    while (at < span.to) {
      if (free <= 0) return at;
      const double next = std::min(span.to, at + std::max({free, tile_ * at, tile_ * near}));
      const double then = distance_(ray.at(next));
      if (!is_free(ray, {at, free}, {next, then}, halvings)) return next;
      at = next;
      free = then;
    }
    return span.to;
  }

 private:
  static constexpr int halvings = 3;
  struct Sample {
    double at, free;
  };

  bool is_free(const Ray& ray, const Sample& from, const Sample& to, int more) const {
    if (to.free <= 0) return false;
    if (more == 0 || from.free + to.free >= to.at - from.at) return true;
    const double middle = 0.5 * (from.at + to.at);
    const Sample between{middle, distance_(ray.at(middle))};
    return is_free(ray, from, between, more - 1) && is_free(ray, between, to, more - 1);
  }

  Distance distance_;
  double tile_;
};

}  // namespace octavo
