#include "octavo/render/shape_ray.h"

#include <cmath>

namespace octavo {
namespace {

struct Sample {
  double distance, value;
};

// It is false position with the Illinois rule (Dowell, Jarratt 1971) between two samples of different signs. Where the
// value has a kink, as at the foot of a wall, that alone takes too long: every third sample is in the middle.
double crossing(const Shape<3>& shape, const Ray& ray, Sample a, Sample b, double enough) {
  for (int i = 0; i < 150 && std::abs(b.distance - a.distance) > enough; ++i) {
    const double t = i % 3 == 2
                         ? 0.5 * (a.distance + b.distance)
                         : (a.distance * b.value - b.distance * a.value) / (b.value - a.value);
    const Sample middle{t, shape(ray.at(t))};
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
  constexpr double growth = 1 + 1.0 / 256;
  constexpr double flat =
      0.9;  // what is left of the value after a step to a surface that is seen this flat
  if (span.empty()) return std::nullopt;
  Sample now{span.from, shape(ray.at(span.from))};
  double least = detail;
  while (now.distance < span.to) {
    const double safe = std::abs(now.value);
    const double t = std::min(now.distance + std::max(safe, least), span.to);
    const Sample next{t, shape(ray.at(t))};
    if ((next.value < 0) != (now.value < 0)) return crossing(shape, ray, now, next, 1e-6 * detail);
    least = std::abs(next.value) >= flat * safe ? least * growth : detail;
    now = next;
  }
  return std::nullopt;
}

}  // namespace octavo
