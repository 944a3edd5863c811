#pragma once

// Pixels and colours to compare.

#include <array>

#include "octavo/draw/canvas.h"
#include "octavo/image/image.h"

namespace octavo::test {

using Rgb = std::array<int, 3>;

inline Rgb pixel(const Image& image, int x, int y) {
  const std::uint8_t* p = image.at(x, y);
  return {p[0], p[1], p[2]};
}

// As it is drawn.
inline Rgb rgb(const Color& color) {
  Image image(1, 1);
  set_pixel(image, 0, 0, color);
  return pixel(image, 0, 0);
}

// The largest difference of a channel.
inline int difference(const Rgb& p, const Rgb& q) {
  int most = 0;
  for (std::size_t i = 0; i < 3; ++i) most = std::max(most, std::abs(p[i] - q[i]));
  return most;
}

// Whether draw() gives the same picture with any number of threads.
template <class Draw>
bool same_with_any_threads(Draw&& draw) {
  set_threads(1);
  const auto one = draw();
  bool same = true;
  for (const int count : {2, 5}) {
    set_threads(count);
    same = same && draw() == one;
  }
  set_threads(0);
  return same;
}

}  // namespace octavo::test
