#include "octavo/render/shape_ray.h"

#include <cmath>

namespace octavo {
namespace {

struct Place {
  double distance, value;
};

// False position with the Illinois rule (Dowell, Jarratt 1971) between two places of different signs.
double crossing(const Shape<3>& shape, const Ray& ray, Place a, Place b, double enough) {
  for (int i = 0; i < 60 && std::abs(b.distance - a.distance) > enough; ++i) {
    const double t = (a.distance * b.value - b.distance * a.value) / (b.value - a.value);
    const Place middle{t, shape(ray.at(t))};
    if (std::abs(middle.value) <= enough) return t;
    if ((middle.value < 0) != (b.value < 0))
      a = b;
    else
      a.value /= 2;
    b = middle;
  }
  return b.distance;
}

}  // namespace

std::optional<double> first_crossing(const Shape<3>& shape, const Ray& ray, const Span& span,
                                     double detail) {
  constexpr int enough_steps = 20000;
  if (span.empty()) return std::nullopt;
  Place now{span.from, shape(ray.at(span.from))};
  for (int i = 0; i < enough_steps && now.distance < span.to; ++i) {
    const double step = std::max(std::abs(now.value), detail);
    const double t = std::min(now.distance + step, span.to);
    const Place next{t, shape(ray.at(t))};
    if ((next.value < 0) != (now.value < 0)) return crossing(shape, ray, now, next, 1e-6 * detail);
    now = next;
  }
  return std::nullopt;
}

}  // namespace octavo
