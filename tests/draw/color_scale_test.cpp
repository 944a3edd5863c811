#include "octavo/draw/color_scale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "octavo/base/error.h"
#include "octavo/base/random.h"

namespace octavo {
namespace {

ColorScale scale_of(std::vector<float> values, ColorMap map, std::optional<Vec2d> range = {}) {
  return color_scale({values.data(), values.size()}, map, range);
}

// CIE 1976 lightness, 0 .. 100.
double cie_lightness(const Color& c) {
  auto linear = [](double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  const double y = 0.2126 * linear(static_cast<double>(c[0])) +
                   0.7152 * linear(static_cast<double>(c[1])) +
                   0.0722 * linear(static_cast<double>(c[2]));
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

TEST(ColorScale, RangesOfValues) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  const ColorScale plain = scale_of({3, -0.5f, 7, nan, infinity}, ColorMap::viridis);
  EXPECT_EQ(plain.low, -0.5);
  EXPECT_EQ(plain.high, 7);
  EXPECT_EQ(plain(-0.5), viridis(0));
  EXPECT_EQ(plain(7), viridis(1));
  EXPECT_EQ(plain(3.25), viridis(0.5f));
  EXPECT_EQ(plain(100), viridis(1));
  EXPECT_EQ(plain(-100), viridis(0));

  const ColorScale around_zero = scale_of({1, -3, 2}, ColorMap::diverging);
  EXPECT_EQ(around_zero.low, -3);
  EXPECT_EQ(around_zero.high, 3);
  EXPECT_EQ(around_zero(0), blue_white_red(0));
  EXPECT_EQ(around_zero(-3), blue_white_red(-1));
  EXPECT_EQ(around_zero(1.5), blue_white_red(0.5f));
  // White stays at zero whatever the range is.
  EXPECT_EQ(scale_of({}, ColorMap::diverging, Vec2d{-1, 4})(0), blue_white_red(0));

  for (const ColorMap map : {ColorMap::viridis, ColorMap::diverging, ColorMap::smoke})
    for (const std::vector<float>& flat :
         {std::vector<float>{}, {0, 0}, {2, 2}, {-2, -2}, {nan}, {1e-38f}}) {
      const ColorScale s = scale_of(flat, map);
      EXPECT_LT(s.low, s.high);
      for (const double v : {s.low, s.high, 0.0, 5.0})
        for (const float channel : s(v)) EXPECT_TRUE(channel >= 0 && channel <= 1);
    }
  EXPECT_EQ(scale_of({1, 2}, ColorMap::viridis, Vec2d{-4, 4}).low, -4);
  EXPECT_THROW(scale_of({1}, ColorMap::viridis, Vec2d{1, 1}), InputError);
  EXPECT_THROW(scale_of({1}, ColorMap::viridis, Vec2d{0, std::nan("")}), InputError);
  EXPECT_THROW(scale_of({1}, ColorMap::smoke, Vec2d{-2, -1}), InputError);
}

// Two layers of smoke let through what one lets through of what the other does.
TEST(ColorScale, SmokeIsAsOpaqueAsItsDensity) {
  const ColorScale s = scale_of({0, 2}, ColorMap::smoke);
  auto through = [&](double density) {
    const Color none = s(0), white = white_smoke(1), c = s(density);
    return static_cast<double>((white[0] - c[0]) / (white[0] - none[0]));
  };
  EXPECT_NEAR(through(2), std::exp(-3.0), 1e-6);
  EXPECT_NEAR(through(0.3) * through(0.5), through(0.8), 1e-6);
  EXPECT_EQ(s(-1), s(0));
}

TEST(ColorScale, DivergingColoursAreBalanced) {
  for (int i = 0; i < 100; ++i) {
    const float t = static_cast<float>(i) / 100, next = static_cast<float>(i + 1) / 100;
    for (const float sign : {-1.0f, 1.0f})
      EXPECT_GT(cie_lightness(blue_white_red(sign * t)),
                cie_lightness(blue_white_red(sign * next)));
    EXPECT_NEAR(cie_lightness(blue_white_red(t)), cie_lightness(blue_white_red(-t)), 1.0) << t;
  }
  // The steps between its colours look about equal.
  for (int i = 0; i < 4; ++i) {
    const float t = static_cast<float>(i) / 4;
    EXPECT_NEAR(cie_lightness(blue_white_red(t)) - cie_lightness(blue_white_red(t + 0.25f)), 16.5,
                4);
  }
}

TEST(ColorScale, TicksAreRound) {
  EXPECT_EQ(round_ticks(0, 1, 6), (std::vector<double>{0, 0.2, 2 * 0.2, 3 * 0.2, 0.8, 1}));
  EXPECT_EQ(round_ticks(-1.3, 2.1, 5), (std::vector<double>{-1, 0, 1, 2}));
  EXPECT_EQ(round_ticks(290, 310, 5), (std::vector<double>{290, 295, 300, 305, 310}));
  const Random random(1);
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const double low = (random.uniform(i, 0) - 0.5) * std::pow(10, random.below(12, i, 1) - 6);
    const double high =
        low + (0.1 + random.uniform(i, 2)) * std::pow(10, random.below(8, i, 3) - 4);
    const int most = 3 + random.below(10, i, 4);
    const std::vector<double> ticks = round_ticks(low, high, most);
    ASSERT_LE(ticks.size(), static_cast<std::size_t>(most));
    ASSERT_GE(ticks.size() * 3, static_cast<std::size_t>(most)) << low << ' ' << high;
    const double slack = 1e-8 * (high - low);
    ASSERT_GE(ticks.front(), low - slack);
    ASSERT_LE(ticks.back(), high + slack);
    if (ticks.size() < 2) continue;
    const double step = ticks[1] - ticks[0];
    const double digit = step / std::pow(10, std::floor(std::log10(step) + 1e-6));
    ASSERT_TRUE(std::abs(digit - 1) < 1e-3 || std::abs(digit - 2) < 1e-3 ||
                std::abs(digit - 5) < 1e-3)
        << digit;
  }
}

}  // namespace
}  // namespace octavo
