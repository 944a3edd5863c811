#pragma once

// The part of a face outside of solids follows from signed distances at its corners, which are negative inside.
// These are linear along edges; on a square, the part is the area of what marching squares leaves, with opposite
// corners of one sign taken as connected outside the solid only if their mean is outside.

#include <algorithm>
#include <cmath>

#include "octavo/base/vec.h"

namespace octavo {

// The segment has distances p and q at its ends.
constexpr double open_part(double p, double q) {
  if (p >= 0 && q >= 0) return 1;
  if (p < 0 && q < 0) return 0;
  return p >= 0 ? p / (p - q) : q / (q - p);
}

// The triangle has a distance at each corner.
constexpr double open_part(double p, double q, double r) {
  const int outside = (p >= 0 ? 1 : 0) + (q >= 0 ? 1 : 0) + (r >= 0 ? 1 : 0);
  if (outside == 3) return 1;
  if (outside == 0) return 0;

  // The corner that is alone on its side cuts off a triangle of that part of the whole.
  const bool alone_is_outside = outside == 1;
  auto alone = [=](double x) { return (x >= 0) == alone_is_outside; };
  const double a = alone(p) ? p : alone(q) ? q : r;
  const double b = alone(p) ? q : alone(q) ? r : p;
  const double c = alone(p) ? r : alone(q) ? p : q;
  const double cut = a / (a - b) * (a / (a - c));
  return alone_is_outside ? cut : 1 - cut;
}

// The corners of the square are in the order (0,0), (1,0), (0,1), (1,1). It is cut into four triangles around
// the centre, so that the result is the same from all sides.
constexpr double open_part(double d00, double d10, double d01, double d11) {
  if (d00 >= 0 && d10 >= 0 && d01 >= 0 && d11 >= 0) return 1;
  if (d00 < 0 && d10 < 0 && d01 < 0 && d11 < 0) return 0;
  const double center = 0.25 * (d00 + d10 + d01 + d11);
  const double low = open_part(d00, d10, center), high = open_part(d01, d11, center);
  const double left = open_part(d00, d01, center), right = open_part(d10, d11, center);
  return 0.25 * ((low + high) + (left + right));
}

}  // namespace octavo
