#include "octavo/render/samples.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace octavo {
namespace {

std::vector<Vec2d> points(std::uint64_t pixel, int use, std::uint32_t count) {
  std::vector<Vec2d> all;
  for (std::uint32_t i = 0; i < count; ++i) {
    Samples samples(pixel, i);
    Vec2d p{};
    for (int u = 0; u <= use; ++u) p = samples.pair();
    all.push_back(p);
  }
  return all;
}

// Of 2^n points, for every pixel and use, each of the 2^n boxes of any shape 2^-k by 2^(k-n) has one.
TEST(Samples, AreOneInEachBox) {
  for (const std::uint64_t pixel : {1ull, 77ull, 123456789012345ull})
    for (const int use : {0, 1, 7})
      for (const int wide : {1, 2, 4, 8, 16, 32}) {
        const int high = 32 / wide;
        std::set<int> boxes;
        for (const Vec2d& p : points(pixel, use, 32)) {
          ASSERT_TRUE(p[0] >= 0 && p[0] < 1 && p[1] >= 0 && p[1] < 1);
          boxes.insert(static_cast<int>(p[0] * wide) * high + static_cast<int>(p[1] * high));
        }
        EXPECT_EQ(boxes.size(), 32u) << wide << " x " << high;
      }
}

// Else a path's second bounce would repeat its first.
TEST(Samples, OfDifferentUsesAndPixelsAreIndependent) {
  auto correlation = [](const std::vector<Vec2d>& a, const std::vector<Vec2d>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i][0] - 0.5) * (b[i][0] - 0.5);
    return sum * 12 / static_cast<double>(a.size());
  };
  const auto a = points(5, 0, 4096);
  EXPECT_NEAR(correlation(a, a), 1, 0.01);
  EXPECT_NEAR(correlation(a, points(5, 1, 4096)), 0, 0.06);
  EXPECT_NEAR(correlation(a, points(6, 0, 4096)), 0, 0.06);
}

}  // namespace
}  // namespace octavo
