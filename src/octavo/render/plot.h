#pragma once

// Curves in a frame, as SVG.
//
//   Plot plot{"Energy", "time, s", "energy"};
//   plot.curves.push_back({"maccormack", {{0, 1}, {1, 0.9}}});
//   write_file("energy.svg", svg(plot));

#include <string>
#include <vector>

#include "octavo/base/vec.h"

namespace octavo {

struct Plot {
  struct Curve {
    std::string name;
    std::vector<Vec2d> points;
  };
  std::string title, x_label, y_label;
  std::vector<Curve> curves{};
  int width = 640, height = 400;  // pixels
};

// Axes go from zero, or from the least value if it is negative, to the largest, at round numbers.
// Points that are not finite are left out. No curves, or none with a point, give an empty frame.
std::string svg(const Plot& plot);

}  // namespace octavo
