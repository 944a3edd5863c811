// Glass and water that touch a solid or the ground: the surface of their own is not seen there.

#include <gtest/gtest.h>

#include "furnace.h"

namespace octavo {
namespace {

using namespace test;

constexpr double gap = 0.002;

Lighting daylight(bool ground) {
  Lighting lighting;
  lighting.lights = {{normalized(Vec3d{1, 1, -2}), Light::filled(2), 2}};
  if (ground) lighting.ground = Ground{0, {0.5f, 0.3f, 0.2f}, 60};
  return lighting;
}

double difference(const Picture& p, const Picture& q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.pixels.size(); ++i)
    sum += std::abs(double{luminance(p.pixels[i].light)} - double{luminance(q.pixels[i].light)});
  return sum / static_cast<double>(p.pixels.size());
}

Picture picture_of(const Shape<3>& water, const Lighting& lighting, double contact) {
  Surfaces surfaces;
  surfaces.add(sphere_shape<3>({0, 0, 1}, 0.5), everywhere, matte(0.7f));
  surfaces.add(water, everywhere, glass(1.33, 0.2f));
  surfaces.commit();
  const Camera camera = camera_from({1, -6, 3}, {0, 0, 0.9}, 30, {48, 48});
  return taken(camera, surfaces, lighting, {.samples = 16, .max_bounces = 8, .contact = contact});
}

// The ball in it is where the water ends, seen from within: it is lit and seen as if the water went on.
TEST(Contact, WaterHasNoSurfaceAtASolid) {
  const Shape<3> whole = box_shape<3>({-1, -1, 0.1}, {1, 1, 2});
  const Picture truth = picture_of(whole, daylight(false), 0);
  for (const double by : {gap, -gap, 0.0}) {
    const Shape<3> water = subtract(whole, sphere_shape<3>({0, 0, 1}, 0.5 + by));
    EXPECT_LT(difference(picture_of(water, daylight(false), 3 * gap), truth), 0.002) << by;
  }
  const Shape<3> apart = subtract(whole, sphere_shape<3>({0, 0, 1}, 0.5 + gap));
  EXPECT_GT(difference(picture_of(apart, daylight(false), 0), truth), 0.01);
}

TEST(Contact, WaterHasNoSurfaceOnTheGround) {
  auto standing_at = [](double height) { return box_shape<3>({-1, -1, height}, {1, 1, 2}); };
  const Picture truth = picture_of(standing_at(-0.5), daylight(true), 0);
  for (const double height : {-gap, 0.0, gap})
    EXPECT_LT(difference(picture_of(standing_at(height), daylight(true), 3 * gap), truth), 0.002)
        << height;
  EXPECT_GT(difference(picture_of(standing_at(gap), daylight(true), 0), truth), 0.01);
}

// What does not touch is not taken for it: a picture without any contact is the same whatever would count as one.
TEST(Contact, WaterElsewhereHasOne) {
  const Shape<3> water = box_shape<3>({0.7, -1, 0.2}, {1, 1, 2});
  const Picture without = picture_of(water, daylight(true), 0);
  EXPECT_EQ(picture_of(water, daylight(true), 3 * gap), without);
}

}  // namespace
}  // namespace octavo
