// Parts of rays and lamps: what smoke makes of them is known.

#include <gtest/gtest.h>

#include "octavo/base/error.h"
#include "octavo/render/first_march.h"
#include "smoke_scenes.h"
#include "support/sanitized.h"
#include "support/volume_tree.h"

namespace octavo {
namespace {

using namespace test;

TEST(SmokeMarch, MayStartInsideOfSmoke) {
  const Smoke smoke = even();
  const SmokeMedium medium(smoke.field(), {.extinction = 2}, {.sky = dark}, no_surfaces);
  for (const double x : {0.0, 0.23, 0.5, 0.75, 0.99}) {
    const Ray ray{{x, 0.4, 0.6}, {1, 0, 0}};
    EXPECT_NEAR(medium.march(ray, {}).transmittance, std::exp(-2 * (1 - x)), 1e-5) << x;
    EXPECT_NEAR(medium.transmittance(ray, {}), std::exp(-2 * (1 - x)), 1e-5) << x;
    EXPECT_EQ(medium.reach(ray), 1 - x);
  }
  EXPECT_EQ(medium.march({{1.5, 0.4, 0.6}, {1, 0, 0}}, {}).transmittance, 1);
}

// What is seen along a ray is what is seen up to any place of it, and what gets through from there.
TEST(SmokeMarch, PartsOfARayMakeTheWhole) {
  Smoke smoke(volume_tree<3>(3, 5));
  smoke.density = smoky_field<float>(smoke.grid.mesh(), 3);
  const DistantLight lamp{normalized(Vec3d{1, 0, -1}), {1, 0.5f, 0.1f}};
  const SmokeMedium medium(smoke.field(), {.extinction = 4, .orders = 2}, {.lights = {lamp}},
                           no_surfaces);
  const Box<3> box = smoke.grid.tree().domain().box();
  const Random random(8);
  int smoky = 0;
  for (std::uint64_t i = 0; i < 50; ++i) {
    Vec3d to{}, from{};
    for (int a = 0; a < 3; ++a) {
      to[a] = box.lo[a] + 0.4 * random.uniform(i, static_cast<std::uint32_t>(a)) * box.size()[a];
      from[a] = box.lo[a] - 1 + 3 * random.uniform(i, static_cast<std::uint32_t>(a + 3));
    }
    const Ray ray{from, normalized(to - from)};
    const double halfway = length(to - from);
    const Marched near = medium.march(ray, {0, halfway}), far = medium.march(ray, {halfway}),
                  all = medium.march(ray, {});
    EXPECT_NEAR(near.transmittance * far.transmittance, all.transmittance, 0.0012f);
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(near.light[c] + near.transmittance * far.light[c], all.light[c], 0.002f) << i;
    smoky += near.transmittance < 0.9f && far.transmittance < 0.9f ? 1 : 0;
  }
  EXPECT_GT(smoky, 10);
}

// What is negative or no number is as if it were not there; what is infinite hides all behind it.
TEST(SmokeMarch, NumbersThatAreNoDensities) {
  const DistantLight lamp{normalized(Vec3d{1, 0.3, -1}), {1, 1, 1}};
  constexpr float infinite = std::numeric_limits<float>::infinity();
  auto picture = [&](float odd) {
    Smoke smoke(uniform({}, test::sanitized ? 3 : 4),
                [](const Vec3d& p) { return p[0] < 0.5 ? 1 - p[2] : 0; });
    const Random random(6);
    for (std::size_t n = 0; n < smoke.density.size(); ++n)
      if (random.uniform(n) < 0.2) smoke.density[NodeId(n)] = odd;
    NodeField<float> temperature(smoke.grid.mesh(), 0.5f);
    for (std::size_t n = 0; n < 100; ++n) temperature[NodeId(7 * n)] = odd > 0 ? odd : NAN;
    SmokeField field = smoke.field();
    field.temperature = std::as_const(temperature).view();
    const SmokeMedium medium(field, {.extinction = 3, .orders = 2, .glow = Glow{}},
                             {.lights = {lamp}}, no_surfaces);
    Picture seen(16, 16);
    for (int i = 0; i < 256; ++i) {
      const Marched m =
          medium.march({{-1, (i % 16 + 0.3) / 16, (i / 16 + 0.3) / 16}, {1, 0, 0}}, {});
      seen.at(i % 16, i / 16) = {m.light, m.transmittance};
    }
    return seen;
  };
  const Picture none = picture(0);
  EXPECT_EQ(picture(NAN), none);
  EXPECT_EQ(picture(-2), none);
  EXPECT_EQ(picture(-infinite), none);
  const Picture dense = picture(infinite);
  for (const Picture::Pixel& p : dense.pixels) {
    EXPECT_EQ(p.opacity, 0);
    for (const float c : p.light.v) EXPECT_TRUE(c >= 0 && c < 2) << c;
  }
}

TEST(SmokeMarch, AnisotropyIsBetweenMinusOneAndOne) {
  const Smoke smoke = even(2);
  auto seen = [&](double anisotropy, const Vec3d& direction) {
    const DistantLight lamp{direction, {1, 1, 1}};
    return SmokeMedium(smoke.field(), {.anisotropy = anisotropy}, {.lights = {lamp}, .sky = dark},
                       no_surfaces)
        .march({Vec3d{0.5, 0.5, 0.5} - direction * 2.0, direction}, {})
        .light[0];
  };
  const Vec3d along = normalized(Vec3d{0.3, 0.7, -0.2});
  for (const double wrong : {1.0, -1.0, 1.5, HUGE_VAL, -HUGE_VAL})
    EXPECT_THROW(seen(wrong, along), InputError) << wrong;
  for (const double most : {0.95, 1 - 1e-9, std::nextafter(1.0, 0.0)})
    for (const double sign : {-1.0, 1.0}) EXPECT_TRUE(std::isfinite(seen(sign * most, along)));
}

// They would have to shine through it.
TEST(SmokeMarch, LampsBelowTheGroundDoNotShine) {
  const Smoke smoke = even(4);
  Lighting lighting{.lights = {{normalized(Vec3d{0.2, 0.1, -1}), {1, 0, 0}},
                               {normalized(Vec3d{0.2, 0.1, 1}), {0, 1, 0}}},
                    .sky = dark};
  auto seen = [&] {
    return SmokeMedium(smoke.field(), {.extinction = 1}, lighting, no_surfaces)
        .march({{-1, 0.5, 0.01}, {1, 0, 0}}, {})
        .light;
  };
  const Light without = seen();
  lighting.ground = Ground{.height = 0};
  const Light with = seen();
  EXPECT_GT(without[1], without[0]);
  EXPECT_EQ(with[0], without[0]);
  EXPECT_EQ(with[1], 0);
}

TEST(SmokeMarch, SaysSoIfLightsTakeTooMuchMemory) {
  const Smoke smoke = even(6);
  const Lighting lighting{.lights = std::vector<DistantLight>(8000)};
  EXPECT_THROW(SmokeMedium(smoke.field(), {}, lighting, no_surfaces), InputError);
}

// Counts how often it is asked, and says up to where.
class Ruler final : public Medium {
 public:
  Marched march(const Ray&, const Span& span) const override {
    ++count;
    return {{static_cast<float>(span.to), 0, 0}, 1};
  }
  double reach(const Ray&) const override { return 50; }
  float arriving(const Vec3d&, std::size_t) const override { return 1; }

  mutable int count = 0;
};

TEST(FirstMarch, OneMarchServesAllThatEndAtAboutTheSameDistance) {
  const Ruler ruler;
  FirstMarch march(ruler, {{0, 0, 0}, {1, 0, 0}});
  auto end = [&](double distance) { return march.to(distance).light[0]; };
  EXPECT_EQ(end(10), 10);
  EXPECT_EQ(end(10.01), 10);
  EXPECT_EQ(end(9.99), 10);
  EXPECT_EQ(ruler.count, 1);
  EXPECT_EQ(end(20), 20);  // the other side of an edge
  EXPECT_EQ(end(10), 10);
  EXPECT_EQ(end(20.01), 20);
  EXPECT_EQ(ruler.count, 2);
  EXPECT_EQ(end(10.1), 10.1f);  // not as near as that
  EXPECT_EQ(end(20), 20);
  EXPECT_EQ(ruler.count, 3);
  EXPECT_EQ(end(60), 50);  // there is nothing beyond
  EXPECT_EQ(end(HUGE_VAL), 50);
  EXPECT_EQ(end(1e9), 50);
  EXPECT_EQ(ruler.count, 4);
}

}  // namespace
}  // namespace octavo
