#include "octavo/render/plot.h"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace octavo
