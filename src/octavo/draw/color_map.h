#pragma once

// This has colours, and colour maps along which equal steps look equal: viridis (van der Walt, Smith 2015),
// by ten of its colours, and one from blue over white to red, whose colours at equal distances from the
// middle are equally light (CIE 1976 lightness: 96, 83, 66, 48, 30).

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

// It goes between colours that are equally far from each other, from t = 0 to t = 1.
template <std::size_t Count>
Color color_along(const std::array<std::uint32_t, Count>& colors, float t) {
  const float x = std::clamp(t, 0.0f, 1.0f) * static_cast<float>(Count - 1);
  const auto i = std::min(static_cast<std::size_t>(x), Count - 2);
  return mix(color_of(colors[i]), color_of(colors[i + 1]), x - static_cast<float>(i));
}

// t = 0 is dark violet, t = 1 is light yellow.
inline Color viridis(float t) {
  constexpr std::array<std::uint32_t, 10> colors{0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e,
                                                 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725};
  return color_along(colors, t);
}

// t = -1 is dark blue, t = 0 is nearly white, t = 1 is dark red.
inline Color blue_white_red(float t) {
  constexpr std::array<std::uint32_t, 9> colors{0x004787, 0x0676c2, 0x5fa5e8, 0xb3d2f3, 0xf3f3f3,
                                                0xf1c5b3, 0xdf8b72, 0xbb5041, 0x822525};
  return color_along(colors, (t + 1) / 2);
}

// Smoke and water are in front of this.
inline constexpr Color dark_wall = color_of(0x15181e), water_color = color_of(0x4c94cf);

// The colour is that of white smoke, from opacity 0 to 1.
inline Color white_smoke(float opacity) {
  return mix(dark_wall, color_of(0xf4f3f0), std::clamp(opacity, 0.0f, 1.0f));
}

// It is how light a colour looks beside others, roughly: 0 .. 1.
constexpr float lightness(const Color& c) {
  return 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2];
}

}  // namespace octavo
