#include "octavo/draw/color_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "octavo/base/error.h"
#include "octavo/base/parallel.h"

namespace octavo {
namespace {

constexpr Color no_number = color_of(0x808080);
constexpr double opacity_of_highest = 3;  // times its thickness: 1 - exp(-3) is 95 %

// It is the extent of the values that are finite; lo > hi if none are.
Vec2d extent_of(View<const float> values) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return parallel_reduce(
      "range of values", values.size(), Vec2d{infinity, -infinity},
      [=](std::size_t i) {
        const auto v = static_cast<double>(values[i]);
        return std::isfinite(v) ? Vec2d{v, v} : Vec2d{infinity, -infinity};
      },
      [](const Vec2d& p, const Vec2d& q) {
        return Vec2d{std::min(p[0], q[0]), std::max(p[1], q[1])};
      });
}

}  // namespace

Color ColorScale::operator()(double value) const {
  if (std::isnan(value)) return no_number;
  if (map == ColorMap::diverging)
    return blue_white_red(static_cast<float>(value / std::max(std::abs(low), std::abs(high))));
  if (map == ColorMap::smoke)
    return white_smoke(static_cast<float>(
        1 - std::exp(-opacity_of_highest * std::max(value, 0.0) / std::max(high, 0.0))));
  const auto part = static_cast<float>((value - low) / (high - low));
  return map == ColorMap::liquid ? mix(liquid, dark_wall, std::clamp(part, 0.0f, 1.0f))
                                 : viridis(part);
}

ColorScale color_scale(View<const float> values, ColorMap map, const std::optional<Vec2d>& range) {
  if (range) {
    const auto [low, high] = range->v;
    if (!std::isfinite(low) || !std::isfinite(high) || !(low < high) || !std::isfinite(high - low))
      throw InputError("colours cannot go from {} to {}", low, high);
    if (map == ColorMap::smoke && !(high > 0))
      throw InputError("the densest smoke must have a positive density, not {}", high);
    return {.map = map, .low = low, .high = high};
  }
  auto [low, high] = extent_of(values).v;
  if (low > high) low = high = 0;
  if (map == ColorMap::diverging) low = -(high = std::max(std::abs(low), std::abs(high)));
  if (map == ColorMap::smoke) low = 0;
  if (!(high > low)) high = low + (low == 0 ? 1.0 : std::abs(low));
  if (map == ColorMap::diverging) low = -high;
  return {.map = map, .low = low, .high = high};
}

std::vector<double> round_ticks(double low, double high, int most) {
  double step = std::pow(10, std::floor(std::log10((high - low) / most)));
  constexpr double factors[] = {2, 2.5, 2};  // 1, 2, 5, 10
  auto count = [&] { return std::floor(high / step + 1e-9) - std::ceil(low / step - 1e-9) + 1; };
  for (std::size_t i = 0; count() > most; ++i) step *= factors[i % 3];
  std::vector<double> ticks;
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; i < static_cast<int>(count()); ++i) ticks.push_back((first + i) * step);
  return ticks;
}

}  // namespace octavo
