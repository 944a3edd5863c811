#pragma once

// It tells which value of a field has which colour.
//
//   const ColorScale scale = color_scale(density.view(), ColorMap::viridis);
//   const Color color = scale(0.3);
//   for (const double tick : round_ticks(scale.low, scale.high, 6)) ...

#include <optional>
#include <vector>

#include "octavo/base/buffer.h"
#include "octavo/base/vec.h"
#include "octavo/draw/color_map.h"

namespace octavo {

// viridis goes from the lowest value to the highest; diverging is white at zero, blue below it and red above
// it; smoke is white on black, as opaque as smoke of that density is, 1 - exp(-k density), which is 95 % for
// the highest one; liquid has one colour below the lowest value and is dark above the highest, with an edge between.
enum class ColorMap { viridis, diverging, smoke, liquid };

struct ColorScale {
  ColorMap map = ColorMap::viridis;
  double low = 0, high = 1;
  Color liquid = water_color;

  // Values beyond the ends have the colours of the ends; what is not a number is grey.
  Color operator()(double value) const;
};

// The scale goes from the lowest value to the highest, or over the range that is given; a diverging scale is
// symmetric unless that is, and one of smoke begins at zero. Throws InputError for a range that is empty or
// not finite.
ColorScale color_scale(View<const float> values, ColorMap map, const std::optional<Vec2d>& range);

// They are multiples of 1, 2 or 5 times a power of ten from `low` to `high`, as many as there can be up to
// `most`.
std::vector<double> round_ticks(double low, double high, int most);

}  // namespace octavo
