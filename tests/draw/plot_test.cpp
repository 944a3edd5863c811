#include "octavo/draw/plot.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "octavo/draw/pen.h"

namespace octavo {
namespace {

int count(const std::string& text, const std::string& what) {
  int n = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(Plot, HasACurveAndANameForEach) {
  Plot plot{"Energy & more", "time, s", "energy"};
  plot.curves = {{"one", {{0, 1}, {1, 0.5}, {2, 0.25}}}, {"<two>", {{0, 1}, {2, 0.9}}}};
  const std::string text = svg(plot);
  EXPECT_EQ(count(text, "stroke-width=\"2\""), 2);
  EXPECT_EQ(count(text, ">one<"), 1);
  EXPECT_EQ(count(text, "&lt;two&gt;"), 1);
  EXPECT_EQ(count(text, "Energy &amp; more"), 1);
}

// What cannot be drawn is left out, and there is a frame even around nothing.
TEST(Plot, OfNothing) {
  Plot plot{"", "x", "y"};
  for (const auto& points : std::vector<std::vector<Vec2d>>{
           {}, {{0, NAN}}, {{HUGE_VAL, 1}, {1, -HUGE_VAL}}, {{0, 0}}, {{3, 3}, {3, 3}}}) {
    plot.curves = {{"c", points}};
    const std::string text = svg(plot);
    EXPECT_EQ(count(text, "nan"), 0) << text;
    EXPECT_EQ(count(text, "inf"), 0) << text;
    EXPECT_EQ(count(text, "</svg>"), 1);
  }
  plot.curves.clear();
  EXPECT_EQ(count(svg(plot), "</svg>"), 1);
}

// In pixels of the image: margins of 62 and 16, 34 and 48, each twice.
struct Frame {
  double left = 124, right = 32, top = 68, bottom = 96;

  std::pair<int, int> at(const Image& image, double x, double y) const {
    return {static_cast<int>(left + (image.width - left - right) * x),
            static_cast<int>(image.height - bottom - (image.height - top - bottom) * y)};
  }
};

constexpr std::array<std::uint8_t, 3> blue{0x00, 0x72, 0xb2}, vermilion{0xd5, 0x5e, 0x00};

bool is(const Image& image, std::pair<int, int> at, const std::array<std::uint8_t, 3>& color) {
  return std::equal(color.begin(), color.end(), image.at(at.first, at.second));
}

// Each pixel of the lines is where the axes say, and beside them is none of their colour.
TEST(Plot, PixelsAreWhereTheValuesAre) {
  Plot plot{"A line", "x", "y"};
  plot.curves = {{"", {{0, 0}, {10, 5}}}, {"", {{0, 5}, {4, 1}, {10, 1}}}};
  const Image image = drawn(plot);
  ASSERT_EQ(image.width, 1280);
  ASSERT_EQ(image.height, 800);
  const Frame frame;
  for (int i = 1; i < 100; ++i) {
    const double x = i / 100.0, other = x < 0.4 ? 1 - 2 * x : 0.2;
    if (std::abs(x - other) > 0.02) {  // not where they cross
      EXPECT_TRUE(is(image, frame.at(image, x, x), blue)) << x;
      EXPECT_FALSE(is(image, frame.at(image, x, x + 0.015), blue)) << x;
      EXPECT_FALSE(is(image, frame.at(image, x, x - 0.015), blue)) << x;
    }
    EXPECT_TRUE(is(image, frame.at(image, x, other), vermilion)) << x;
  }
}

// The area of a line is its length times its width, dashed ones have 7 parts of 12.
TEST(Plot, LinesAreAsLongAsTheyAre) {
  for (const double end : {10.0, 5.0, 0.1}) {
    auto red_missing = [&](std::size_t curve) {
      Plot plot{"", "", ""};
      plot.curves.resize(3, {"", {}});
      plot.curves[1].points = {{10, 10}};  // so that axes end there
      const Image without = drawn(plot);
      plot.curves[curve].points = {{1, 2}, {9, end}};
      const Image with = drawn(plot);
      double sum = 0;
      for (std::size_t i = 0; i < with.pixels.size(); i += 3)
        sum += 1.0 * without.pixels[i] - with.pixels[i];
      return sum / 255;  // all of it: blue and green have nearly no red
    };
    const double pixels = std::hypot(0.8 * 1124, (end - 2) / 10 * 636);
    EXPECT_NEAR(red_missing(0) / (4 * pixels), 1, 0.05) << end;
    EXPECT_NEAR(red_missing(2) / (4 * pixels), 7.0 / 12, 0.15) << end;
  }
}

TEST(Plot, PowersOfTenAreEquallyFarApart) {
  Plot plot{"", "", ""};
  plot.curves = {{"", {{0, 1e-4}, {0.5, 1e-1}, {1, 1e2}, {0.7, 0}, {0.8, -3}, {0.9, NAN}}}};
  plot.log_y = true;
  const Image image = drawn(plot);
  for (const double x : {0.1, 0.25, 0.5, 0.9})
    EXPECT_TRUE(is(image, Frame().at(image, x, x), blue)) << x;
  const std::string text = svg(plot);
  for (const char* label : {">0.0001<", ">0.01<", ">10<", ">100<"})
    EXPECT_EQ(count(text, label), 1);
  plot.curves = {{"", {{0, -1}}}};
  EXPECT_EQ(count(svg(plot), "nan"), 0);
}

// The legend is at the lower left unless a curve is there.
TEST(Plot, LegendKeepsOutOfTheWay) {
  Plot plot{"", "", ""};
  plot.curves = {{"name", {{0, 0.5}, {1, 1}}}};
  EXPECT_EQ(count(svg(plot), "<text x=\"98.0\" y=\"342.0\" text-anchor=\"start\">name<"), 1);
  plot.curves = {{"name", {{0, 0.05}, {0.5, 0.05}, {1, 1}}}};
  EXPECT_EQ(count(svg(plot), "<text x=\"98.0\" y=\"342.0\" text-anchor=\"start\">name<"), 0);
  EXPECT_EQ(count(svg(plot), ">name<"), 1);
  plot.curves = {{"", {{0, 1}, {1, 1}}}};
  EXPECT_EQ(count(svg(plot), "text-anchor=\"start\""), 0);
}

TEST(Plot, OfNothingIsAnImage) {
  const Image nothing = drawn(Plot{"", "", ""});
  EXPECT_EQ(nothing.width, 1280);
  Plot plot{"t", "x", "y"};
  plot.curves = {{"c", {{NAN, 1}}}, {"d", {}}};
  EXPECT_EQ(drawn(plot).height, 800);
}

// Numbers as large and as small as there are, also in axes.
TEST(Plot, OfAnyNumbers) {
  const std::vector<double> numbers{0,     5e-324, 1e-300,  1,   1e30,  1e16 + 2, 1e199,
                                    1e201, -1e308, 1.7e308, NAN, -1e30, HUGE_VAL};
  for (const double one : numbers)
    for (const double other : numbers)
      for (const bool log_y : {false, true}) {
        Plot plot{"", "", ""};
        plot.log_y = log_y;
        plot.curves.resize(3, {"", {{1, one}, {one, other}, {2, 3}, {other, one}, {3, 1}}});
        EXPECT_EQ(count(svg(plot), "nan") + count(svg(plot), "inf"), 0) << one << ' ' << other;
        if (one == 1) {
          EXPECT_EQ(drawn(plot).height, 800);
        }
      }
}

// Where a line ends outside of the image does not matter; nor how far it was to there.
TEST(PixelPen, LinesOfAnyLength) {
  auto black_pixels = [](const std::vector<Vec2d>& points, bool dashed) {
    PixelPen pen(100, 50);
    pen.curve(points, "#000", dashed);
    pen.line(points.front(), points.back(), "#fff");
    for (const Vec2d& p : points) pen.text(p, Pen::Anchor::middle, "", Pen::Style::plain);
    const Image image = pen.finished();
    int number = 0;
    for (std::size_t i = 0; i < image.pixels.size(); i += 3)
      number += image.pixels[i] < 128 ? 1 : 0;
    return number;
  };
  for (const double far : {1e3, 1e9, 1e30, 1e150, 1e299}) {
    EXPECT_NEAR(black_pixels({{-far, 20}, {far, 20.0}, {10, 1e9}}, false), 800, 40) << far;
    EXPECT_NEAR(black_pixels({{-far, 20}, {far, 20.0}, {10, 1e9}}, true), 800 * 7 / 12, 150) << far;
  }
  EXPECT_EQ(black_pixels({{NAN, 1}, {2, 3}}, true), 0);
  EXPECT_EQ(black_pixels({{1, HUGE_VAL}, {2, -HUGE_VAL}}, true), 0);
  EXPECT_EQ(black_pixels({{-1e30, 1e30}, {1e30, 1e31}}, true), 0);
}

// Lengths that add up to a dash but for rounding once made a dash without an end.
TEST(PixelPen, DashesOfManyShortLines) {
  for (const double step : {0.1, 0.7, 1.0 / 3, 7.0, 1e-3, 12 - 1e-15}) {
    std::vector<Vec2d> points;
    for (double x = 10; x < 610; x += step) points.push_back({x, 10});
    PixelPen pen(620, 20);
    pen.curve(points, "#000", true);
    int colored = 0;
    for (int x = 0; x < 1240; ++x) colored += pen.finished().at(x, 20)[0] < 128 ? 1 : 0;
    EXPECT_NEAR(colored, 50 * 14 + 100, 110) << step;  // ends are round
  }
}

}  // namespace
}  // namespace octavo
