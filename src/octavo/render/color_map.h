#pragma once

// Colours, and a colour map along which equal steps look equal: viridis (van der Walt, Smith 2015),
// by ten of its colours.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace octavo {

using Color = std::array<float, 3>;  // sRGB, each 0..1

constexpr Color color_of(std::uint32_t rgb) {
  return {static_cast<float>(rgb >> 16 & 255) / 255, static_cast<float>(rgb >> 8 & 255) / 255,
          static_cast<float>(rgb & 255) / 255};
}

constexpr Color mix(const Color& from, const Color& to, float part) {
  Color c{};
  for (std::size_t i = 0; i < 3; ++i) c[i] = from[i] + (to[i] - from[i]) * part;
  return c;
}

// t = 0: dark violet, t = 1: light yellow.
inline Color viridis(float t) {
  constexpr std::uint32_t colors[] = {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e,
                                      0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725};
  const float x = std::clamp(t, 0.0f, 1.0f) * 9;
  const int i = std::min(static_cast<int>(x), 8);
  return mix(color_of(colors[i]), color_of(colors[i + 1]), x - static_cast<float>(i));
}

}  // namespace octavo
