#pragma once

// A plot is curves in a frame, as SVG or as an image.
//
//   Plot plot{"Energy", "time, s", "energy"};
//   plot.curves.push_back({"maccormack", {{0, 1}, {1, 0.9}}});
//   write_file("energy.svg", svg(plot));
//   write_png("energy.png", drawn(plot));

#include <string>
#include <vector>

#include "octavo/base/vec.h"
#include "octavo/image/image.h"

namespace octavo {

struct Plot {
  struct Curve {
    std::string name;  // without one it is not in the legend
    std::vector<Vec2d> points;
  };
  std::string title, x_label, y_label;
  std::vector<Curve> curves{};
  int width = 640, height = 400;  // pixels
  bool log_y = false;             // powers of ten; values below 10^-200 are left out
};

// Axes go from zero, or from the least value if it is negative, to the largest, at round numbers.
// Points that are not finite, or beyond 10^200, are left out. No curves, or none with a point, give an empty frame.
// The legend is in the lower left corner, or in another one if curves pass there.
std::string svg(const Plot& plot);

// This is the same, twice as many pixels wide and high.
Image drawn(const Plot& plot);

}  // namespace octavo
