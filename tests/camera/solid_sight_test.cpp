// Rays that end at solids, from distances alone, beside what is known of plates and balls.

#include "octavo/camera/solid_sight.h"

#include <gtest/gtest.h>

#include "octavo/camera/sight_map.h"

namespace octavo {
namespace {

double distance_to_plate(const Vec3d& p, double at, double thickness) {
  return std::max(at - p[0], p[0] - at - thickness);
}

// Whatever the angle, plates that are as thick as an eighth of a tile are found, and no nearer than they are.
TEST(SolidSight, FindsThinPlates) {
  for (const double tile : {1.0 / 400, 1.0 / 55})
    for (int i = 0; i < 200; ++i) {
      const double angle = 1.4 * i / 200, at = 0.3 + 0.013 * i;
      const Ray ray{{0, 0, 0}, {std::cos(angle), std::sin(angle), 0}};
      const double first = at / std::cos(angle), step = tile * std::max(first, 20.0 / 64),
                   thickness = step / 8;
      const SolidSight sight([&](const Vec3d& p) { return distance_to_plate(p, at, thickness); },
                             tile);
      const double seen = sight(ray, {0, 20});
      EXPECT_GE(seen, first * (1 - 1e-12)) << angle;
      EXPECT_LE(seen, first + 1.01 * step) << angle;
    }
}

// A ray that passes a ball closely goes on; one that does not ends at it.
TEST(SolidSight, PassesBalls) {
  const Vec3d center{4, 0, 0};
  const SolidSight sight([&](const Vec3d& p) { return length(p - center) - 0.5; }, 1.0 / 55);
  int asked = 0;
  const SolidSight counting(
      [&](const Vec3d& p) {
        ++asked;
        return length(p - center) - 0.5;
      },
      1.0 / 55);
  for (int i = 1; i < 100; ++i) {
    const double height = 0.01 * i;
    const Ray ray{{0, height, 0}, {1, 0, 0}};
    const double seen = sight(ray, {0, 9});
    if (height > 0.5) {
      EXPECT_EQ(seen, 9);
    } else if (height < 0.5) {
      const double first = 4 - std::sqrt(0.25 - height * height);
      EXPECT_GE(seen, first - 1e-12);
      EXPECT_LE(seen, first + 4.0 / 55);
    }
    counting(ray, {0, 9});
  }
  EXPECT_LT(asked, 99 * 60);
}

TEST(SolidSight, WidthOfATile) {
  Camera camera;
  camera.resolution = {640, 480};
  camera.field_of_view = 90;
  EXPECT_NEAR(SightMap::tile_width(camera, 0), 2.0 / 64, 1e-12);
  EXPECT_NEAR(SightMap::tile_width(camera, 0.25), 3.0 / 64, 1e-12);
}

}  // namespace
}  // namespace octavo
