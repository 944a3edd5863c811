#include "octavo/render/shape_ray.h"

#include <gtest/gtest.h>

#include <memory>

#include "octavo/base/random.h"

namespace octavo {
namespace {

constexpr double detail = 1e-5;

// A shape that counts how often it is asked.
Shape<3> counted(const Shape<3>& shape, const std::shared_ptr<int>& count) {
  return Shape<3>(
      [=](const Vec3d& p) {
        ++*count;
        return shape(p);
      },
      shape.bounds());
}

// Along a floor, at any height above it, to a thin wall that stands on it.
TEST(ShapeRay, AlongAFlatFace) {
  const auto count = std::make_shared<int>(0);
  const Shape<3> step = counted(
      unite({box_shape<3>({-9, -1, -1}, {9, 1, 0}), box_shape<3>({2, -1, -0.5}, {2.05, 1, 1})}),
      count);
  for (const double height : {0.0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 0.1}) {
    *count = 0;
    const auto hit = first_crossing(step, {{-2, 0.3, height}, {1, 0, 0}}, {0, 10}, detail);
    ASSERT_TRUE(hit) << height;
    EXPECT_NEAR(*hit, 4, height > 1e-6 * detail ? 1e-9 : 4.0 / 256) << height;
    EXPECT_LT(*count, 4000) << height;
  }
  *count = 0;
  EXPECT_FALSE(first_crossing(step, {{-2, 0.3, 1e-7}, {0.6, 0.8, 0}}, {0, 0.5}, detail));
  EXPECT_LT(*count, 4000);
}

// Rays into a box, as flat as one likes, against its planes.
TEST(ShapeRay, FlatRaysMeetABoxWhereItsPlanesAre) {
  const auto count = std::make_shared<int>(0);
  const Box<3> box{{-1, -1, -1}, {1, 1, 1}};
  const Shape<3> shape = counted(box_shape<3>(box.lo, box.hi), count);
  const Random random(2);
  int most = 0, met = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const double slope = std::pow(10.0, -6 * random.uniform(i, 0));
    const Vec3d through{2 * random.uniform(i, 1) - 1, 2 * random.uniform(i, 2) - 1, 1};
    const Vec3d direction =
        normalized(Vec3d{random.uniform(i, 3) - 0.5, random.uniform(i, 4) - 0.5, -slope});
    const Ray ray{through - direction * 1.5, direction};
    const Span known = clipped(ray, box, {});
    if (known.empty() || known.to - known.from < 0.01) continue;
    *count = 0;
    const auto hit = first_crossing(shape, ray, {0, 10}, detail);
    ASSERT_TRUE(hit) << i;
    EXPECT_NEAR(*hit, known.from, 1e-5 * detail / slope + 1e-9) << i;
    most = std::max(most, *count);
    ++met;
  }
  EXPECT_GT(met, 1000);
  EXPECT_LT(most, 4000);
}

}  // namespace
}  // namespace octavo
