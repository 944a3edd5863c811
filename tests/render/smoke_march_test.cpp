// Parts of rays, orders of scattering, skies and lamps: what smoke makes of them is known.

#include <gtest/gtest.h>

#include "octavo/base/error.h"
#include "octavo/render/first_march.h"
#include "smoke_scenes.h"
#include "support/volume_tree.h"

namespace octavo {
namespace {

using namespace test;

Smoke even(int level = 4) {
  return Smoke(uniform({}, level), [](const Vec3d&) { return 1.0; });
}

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

// Order k of a slab is the first with 2^-k of the light, of the anisotropy and of what stops the lamp's light on its
// way in: a lamp that comes in steeper by as much.
TEST(SmokeMarch, FurtherOrdersAreTheFirstWithLessStopped) {
  constexpr double depth = 2, g = 0.4;
  Domain<3> domain;
  domain.roots = {9, 9, 1};
  const Smoke smoke(uniform(domain, 4), [](const Vec3d&) { return 1.0; });
  const DistantLight lamp{normalized(Vec3d{0.5, 0, -1}), {1, 1, 1}};
  const Vec3d direction = normalized(Vec3d{0, 0.4, -1});
  const double mu = -direction[2];
  double known = 0;
  for (int orders = 1; orders <= 4; ++orders) {
    const double less = std::ldexp(1.0, 1 - orders), down = -lamp.direction[2] / less;
    known += less * phase(-dot(lamp.direction, direction), g * less) / 4 *
             -std::expm1(-depth * (1 / mu + 1 / down)) * down / (mu + down);
    const SmokeMedium medium(
        smoke.field(),
        {.extinction = depth, .albedo = {1, 1, 1}, .anisotropy = g, .orders = orders},
        {.lights = {lamp}, .sky = dark}, no_surfaces);
    const Ray ray{Vec3d{4.5, 4.5, 0.5} - direction * (2 / mu), direction};
    EXPECT_NEAR(static_cast<double>(medium.march(ray, {}).light[0]) / known, 1, 0.01) << orders;
  }
}

// Its mean over the upper half: h is spread evenly over 0 .. 1, and the mean of its square root is 2/3.
TEST(SmokeMarch, ThinSmokeShowsTheMeanOfAnUnevenSky) {
  const Smoke smoke = even(3);
  for (const Vec3d& up : {Vec3d{0, 0, 1}, Vec3d{0, 1, 0}, normalized(Vec3d{1, 2, 3})}) {
    const Sky sky{.up = up, .zenith = {1, 0, 0.2f}, .horizon = {0, 1, 0.5f}, .below = {0, 0, 0.8f}};
    const Light mean = sky.horizon + ((sky.zenith + sky.below) * 0.5f - sky.horizon) * (2.0f / 3);
    const SmokeMedium medium(smoke.field(), {.extinction = 1e-3, .albedo = {1, 1, 1}}, {.sky = sky},
                             no_surfaces);
    const Marched seen = medium.march({{0.5, -1, 0.5}, {0, 1, 0}}, {});
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(seen.light[c] / (1 - seen.transmittance), mean[c], 0.004f) << c;
  }
}

// What is negative or no number is as if it were not there; what is infinite hides all behind it.
TEST(SmokeMarch, NumbersThatAreNoDensities) {
  const DistantLight lamp{normalized(Vec3d{1, 0.3, -1}), {1, 1, 1}};
  constexpr float infinite = std::numeric_limits<float>::infinity();
  auto picture = [&](float odd) {
    Smoke smoke(uniform({}, 4), [](const Vec3d& p) { return p[0] < 0.5 ? 1 - p[2] : 0; });
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
