// Smoke against answers that are known: optical depths, spheres and slabs, and the same field on a dense grid.

#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "octavo/camera/camera.h"
#include "octavo/render/black_body.h"
#include "smoke_scenes.h"
#include "support/random_tree.h"
#include "support/volume_tree.h"

namespace octavo {
namespace {

using namespace test;

Ray random_ray(const Random& random, std::uint64_t i, const Box<3>& box) {
  Vec3d from{}, to{};
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::uint32_t>(a);
    from[a] = box.lo[a] + (3 * random.uniform(i, 0, axis) - 1) * box.size()[a];
    to[a] = box.lo[a] + random.uniform(i, 1, axis) * box.size()[a];
  }
  if (i % 5 == 0)
    to = from + Vec3d{i % 3 == 0 ? 1.0 : 0.0, i % 3 == 1 ? 1.0 : 0.0, i % 3 == 2 ? -1.0 : 0.0};
  return {from, normalized(to - from)};
}

TEST(OctreeWalk, MeetsEveryLeafOnceAndInOrder) {
  for_random_trees<3>(300, [](const Octree<3>& tree, std::uint64_t seed) {
    const Occupancy all = occupancy(tree, [](LeafId) { return std::uint8_t{1}; });
    const OctreeWalk walk(tree.view(), all);
    const Box<3> box = tree.domain().box();
    const Random random(seed);
    for (std::uint64_t i = 0; i < 20; ++i) {
      const Ray ray = random_ray(random, i, box);
      const Span span = clipped(ray, box, {});
      double at = span.from;
      std::set<std::uint32_t> seen;
      walk.along(ray, {}, [&](const OctreeWalk::LeafCrossing& p) {
        EXPECT_EQ(p.from, at);
        EXPECT_TRUE(seen.insert(p.leaf.value).second);
        const Vec3d half_way = ray.at(0.5 * (p.from + p.to)),
                    off = half_way - tree.view().center(p.leaf);
        for (int a = 0; a < 3; ++a)
          EXPECT_LE(std::abs(off[a]), 0.5 * tree.view().size(p.leaf) + 1e-9 * length(box.size()));
        at = p.to;
        return true;
      });
      if (!span.empty()) {
        EXPECT_NEAR(at, span.to, 1e-9 * length(box.size()));
      }
    }
  });
}

TEST(OctreeWalk, PassesWhatIsEmptyAndNothingElse) {
  for_random_trees<3>(100, [](const Octree<3>& tree, std::uint64_t seed) {
    const Random random(seed + 1000);
    auto has = [&](LeafId leaf) {
      return static_cast<std::uint8_t>(random.uniform(leaf.value) < 0.3);
    };
    const Occupancy all = occupancy(tree, [](LeafId) { return std::uint8_t{1}; });
    const Occupancy some = occupancy(tree, has);
    for (std::uint64_t i = 0; i < 20; ++i) {
      const Ray ray = random_ray(random, i, tree.domain().box());
      std::vector<std::uint32_t> expected, found;
      OctreeWalk(tree.view(), all).along(ray, {}, [&](const OctreeWalk::LeafCrossing& p) {
        if (has(p.leaf) != 0) expected.push_back(p.leaf.value);
        return true;
      });
      OctreeWalk(tree.view(), some).along(ray, {}, [&](const OctreeWalk::LeafCrossing& p) {
        found.push_back(p.leaf.value);
        return true;
      });
      EXPECT_EQ(found, expected);
    }
  });
}

// Simpson's rule in every leaf against many samples of the field.
TEST(SmokeLight, OpticalDepthIsThatOfTheField) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Smoke smoke(volume_tree<3>(seed, 6));
    smoke.density = smoky_field<float>(smoke.grid.mesh(), seed);
    const SmokeMedium medium(smoke.field(), {.extinction = 2}, {.sky = dark}, no_surfaces);
    const Box<3> box = smoke.grid.tree().domain().box();
    for (std::uint64_t i = 0; i < 10; ++i) {
      const Ray ray = random_ray(Random(seed), i, box);
      const Span span = clipped(ray, box, {});
      if (span.empty()) continue;
      Sampler<3, float> density(smoke.grid.mesh().view(), std::as_const(smoke.density).view());
      constexpr int steps = 20000;
      const double step = (span.to - span.from) / steps;
      double depth = 0;
      for (int s = 0; s < steps; ++s)
        depth += step * static_cast<double>(density(ray.at(span.from + (s + 0.5) * step)));
      EXPECT_NEAR(medium.transmittance(ray, {}), std::exp(-2 * depth), 1e-4);
      EXPECT_NEAR(medium.march(ray, {}).transmittance, std::exp(-2 * depth), 1e-4);
    }
  }
}

// What is seen through a ball of fog: exp(-sigma * chord).
TEST(SmokeLight, BallLetsThroughWhatItsChordsSay) {
  constexpr double radius = 0.3, sigma = 5;
  const Vec3d center{0.5, 0.5, 0.5};
  const Smoke smoke(Octree<3>::build({},
                                     [&](const Leaf<3>& l) {
                                       const double d =
                                           std::abs(length(l.center - center) - radius);
                                       return l.level < (d < 0.87 * l.size ? 9 : 3);
                                     }),
                    [&](const Vec3d& p) {
                      return std::clamp(0.5 - (length(p - center) - radius) * 512, 0.0, 1.0);
                    });
  const SmokeMedium medium(smoke.field(), {.extinction = sigma}, {.sky = dark}, no_surfaces);
  for (int i = 0; i < 100; ++i) {
    const double offset = 0.0029 * i, turn = i;
    const Vec3d forward =
        normalized(Vec3d{std::cos(turn), std::sin(turn), 0.3 * std::sin(3 * turn)});
    const Vec3d origin = center - forward * 2.0 +
                         Basis(forward)({offset * std::sin(turn), offset * std::cos(turn), 0});
    const double known = std::exp(-sigma * 2 * std::sqrt(radius * radius - offset * offset));
    EXPECT_NEAR(medium.transmittance({origin, forward}, {}) / known, 1, 0.005) << offset;
  }
}

// Light of a distant lamp that is sent on once in a slab, looked at from both sides (Chandrasekhar 1950).
TEST(SmokeLight, SlabSendsOnWhatTheClosedFormSays) {
  constexpr double sigma = 2, thickness = 1, g = 0.4;
  Domain<3> domain;
  domain.roots = {9, 9, 1};
  const Smoke smoke(uniform(domain, 4), [](const Vec3d&) { return 1.0; });
  for (const double light_slope : {0.0, 0.5, 1.0}) {
    const DistantLight light{normalized(Vec3d{light_slope, 0.2 * light_slope, -1}),
                             {1, 0.5f, 0.25f}};
    const SmokeLook look{.extinction = sigma, .albedo = {0.9f, 0.8f, 0.7f}, .anisotropy = g};
    const SmokeMedium medium(smoke.field(), look, {.lights = {light}, .sky = dark}, no_surfaces);
    const double down = -light.direction[2];
    for (const double slope : {0.0, 0.4, 0.9})
      for (const double side : {1.0, -1.0}) {
        const Vec3d direction = normalized(Vec3d{0.3 * slope, slope, -side});
        const double mu = std::abs(direction[2]);
        const Vec3d origin = Vec3d{4.5, 4.5, 0.5} - direction * (2 / mu);
        const double depth = sigma * thickness;
        const double near = depth * (1 / mu + 1 / down), far = depth * (1 / down - 1 / mu);
        const double known =
            side > 0
                ? -std::expm1(-near) * down / (mu + down)
                : std::exp(-depth / mu) *
                      (std::abs(far) < 1e-9 ? depth / mu : -std::expm1(-far) * down / (mu - down));
        const double sent = phase(-dot(light.direction, direction), g) / 4;
        const Light seen = medium.march({origin, direction}, {}).light;
        for (int c = 0; c < 3; ++c)
          EXPECT_NEAR(
              static_cast<double>(seen[c]) /
                  (known * sent * static_cast<double>(scaled(light.strength, look.albedo)[c])),
              1, 0.01)
              << light_slope << " " << slope << " " << side;
      }
  }
}

// Order k of a slab is the first with 2^-k of the light, of the anisotropy and of what stops the lamp's light on its
// way in: a lamp that comes in steeper by as much.
TEST(SmokeLight, FurtherOrdersAreTheFirstWithLessStopped) {
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

TEST(SmokeLight, TwoLightsAreTheSumOfBoth) {
  Smoke smoke(volume_tree<3>(3, 5));
  smoke.density = smoky_field<float>(smoke.grid.mesh(), 3);
  const DistantLight one{normalized(Vec3d{1, 0, -1}), {1, 0.5f, 0.1f}},
      two{normalized(Vec3d{-1, 2, -1}), {0, 1, 2}};
  auto light_of = [&](const std::vector<DistantLight>& lights, const Ray& ray) {
    return SmokeMedium(smoke.field(), {.extinction = 5}, {.lights = lights, .sky = dark},
                       no_surfaces)
        .march(ray, {})
        .light;
  };
  const Ray ray{{-1.3, -2, 0.6}, normalized(Vec3d{0, 1, 0.05})};
  const Light sum = light_of({one}, ray) + light_of({two}, ray), both = light_of({one, two}, ray);
  EXPECT_GT(luminance(both), 0.01f);
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(both[c], sum[c], 1e-5f);
}

// The sky alone lights thin smoke: what is sent on is its mean over all directions.
TEST(SmokeLight, ThinSmokeShowsTheMeanOfTheSky) {
  const Smoke smoke(uniform({}, 3), [](const Vec3d&) { return 1.0; });
  const Sky even{
      .zenith = {0.2f, 0.4f, 0.6f}, .horizon = {0.2f, 0.4f, 0.6f}, .below = {0.2f, 0.4f, 0.6f}};
  const SmokeMedium medium(smoke.field(), {.extinction = 1e-3, .albedo = {1, 1, 1}}, {.sky = even},
                           no_surfaces);
  const Marched seen = medium.march({{0.5, -1, 0.5}, {0, 1, 0}}, {});
  for (int c = 0; c < 3; ++c)
    EXPECT_NEAR(seen.light[c] / ((1 - seen.transmittance) * even.zenith[c]), 1, 0.005f);
}

// Its mean over the upper half: h is spread evenly over 0 .. 1, and the mean of its square root is 2/3.
TEST(SmokeLight, ThinSmokeShowsTheMeanOfAnUnevenSky) {
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

TEST(SmokeLight, PhaseIsADistributionWithItsMeanCosine) {
  for (const double g : {-0.7, 0.0, 0.3, 0.8}) {
    double sum = 0, mean = 0;
    constexpr int steps = 20000;
    for (int i = 0; i < steps; ++i) {
      const double cosine = -1 + (i + 0.5) * 2 / steps;
      sum += phase(cosine, g) / steps;
      mean += phase(cosine, g) * cosine / steps;
    }
    EXPECT_NEAR(sum, 1, 1e-4);
    EXPECT_NEAR(mean, g, 1e-4);
  }
}

TEST(SmokeLight, HotBodiesHaveTheirColors) {
  // In sRGB about 255, 180, 107 at 3000 K, and white at 6600 K.
  auto scaled_color = [](double kelvin) {
    const Light c = black_body_color(kelvin);
    return c / std::max({c[0], c[1], c[2]});
  };
  EXPECT_NEAR(luminance(black_body_color(2345)), 1, 1e-5f);
  EXPECT_EQ(scaled_color(1500)[2], 0);
  EXPECT_NEAR(scaled_color(3000)[1], srgb_decoded(180 / 255.0f), 0.06f);
  EXPECT_NEAR(scaled_color(3000)[2], srgb_decoded(107 / 255.0f), 0.06f);
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(scaled_color(6600)[c], 1, 0.08f);
  float last = 0;
  for (double t = 0; t < 2; t += 0.1) {
    const float now = luminance(emitted({.base = 700, .per_kelvin = 1000}, t));
    EXPECT_GT(now, last);
    last = now;
  }
}

// Against the table of the standard observer of 1931 in steps of 10 nm, from 500 to 12000 K: ten powers of ten and
// more, without a step.
TEST(SmokeLight, HotBodiesAreAsBrightAsPlancksLawSays) {
  const std::pair<double, double> known[] = {
      {600, 8.6702e-11}, {800, 1.04444e-6}, {1000, 3.47086e-4}, {1200, 0.0180006},
      {1500, 1},         {1800, 15.1768},   {2500, 726.578},    {3000, 3904.13},
      {6500, 396964},    {12000, 2770540}};
  for (const auto& [kelvin, bright] : known)
    EXPECT_NEAR(black_body_luminance(kelvin) / bright, 1, 0.01) << kelvin;
  EXPECT_EQ(black_body_luminance(0), 0);
  EXPECT_EQ(black_body_luminance(-300), 0);
  EXPECT_EQ(black_body_luminance(NAN), 0);
  for (double kelvin = 400; kelvin < 20000; kelvin *= 1.01) {
    const double growth = black_body_luminance(1.01 * kelvin) / black_body_luminance(kelvin);
    EXPECT_GT(growth, 1.01);  // that of a wave so long that all of its energies are small
    EXPECT_LT(growth, std::exp(0.01 * 1.4388e7 / (380 * kelvin) + 0.01));
    const Light light = emitted({.base = kelvin, .per_kelvin = 0, .strength = 2}, 0);
    EXPECT_NEAR(luminance(light) / (2 * black_body_luminance(kelvin)), 1, 1e-5);
  }
}

// Hot smoke that is thick shows what it gives off.
TEST(SmokeLight, ThickHotSmokeGlowsAsItsTemperature) {
  const Smoke smoke(uniform({}, 4), [](const Vec3d&) { return 1.0; });
  const NodeField<float> temperature(smoke.grid.mesh(), 0.5f);
  SmokeField field = smoke.field();
  field.temperature = temperature.view();
  const Glow glow{.base = 900, .per_kelvin = 1200, .strength = 0.7};
  const SmokeMedium medium(field, {.extinction = 500, .albedo = {}, .glow = glow}, {.sky = dark},
                           no_surfaces);
  const Light seen = medium.march({{0.5, -1, 0.5}, {0, 1, 0}}, {}).light,
              known = emitted(glow, 0.5);
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(seen[c], known[c], 0.005f * luminance(known));
}

// A field that an octree has exactly, on a dense grid: the picture by small steps, with shadows by small steps.
class DensePicture {
 public:
  DensePicture(const Smoke& smoke, double sigma, const DistantLight& light)
      : sampler_(smoke.grid.mesh().view(), smoke.density.view()), sigma_(sigma), light_(light) {
    for (int i = 0; i <= cells; ++i)
      for (int j = 0; j <= cells; ++j)
        for (int k = 0; k <= cells; ++k)
          density_.push_back(sampler_(Vec3d{1.0 * i, 1.0 * j, 1.0 * k} / cells));
    for (int i = 0; i <= cells; ++i)
      for (int j = 0; j <= cells; ++j)
        for (int k = 0; k <= cells; ++k) {
          double depth = 0;
          const Ray ray{Vec3d{1.0 * i, 1.0 * j, 1.0 * k} / cells, -light.direction};
          const Span span = clipped(ray, Box<3>{{0, 0, 0}, {1, 1, 1}}, {});
          for (double t = span.from + step / 2; t < span.to; t += step)
            depth += at(density_, ray.at(t)) * step * sigma;
          arriving_.push_back(static_cast<float>(std::exp(-depth)));
        }
  }
  double seen(const Ray& ray, double background) const {
    const Span span = clipped(ray, Box<3>{{0, 0, 0}, {1, 1, 1}}, {});
    double light = 0, through = 1;
    for (double t = span.from + step / 2; t < span.to; t += step) {
      const Vec3d p = ray.at(t);
      const double part = std::exp(-at(density_, p) * step * sigma_);
      light +=
          through * (1 - part) * at(arriving_, p) * static_cast<double>(light_.strength[0]) / 4;
      through *= part;
    }
    return light + through * background;
  }

 private:
  static constexpr int cells = 64;
  static constexpr double step = 1.0 / 256;

  static double at(const std::vector<float>& values, const Vec3d& p) {
    Vec3f local{};
    int cell[3];
    for (int a = 0; a < 3; ++a) {
      const double x = std::clamp(p[a], 0.0, 1.0) * cells;
      cell[a] = std::min(static_cast<int>(x), cells - 1);
      local[a] = static_cast<float>(x - cell[a]);
    }
    return static_cast<double>(multilinear<3>(local, [&](int c) {
      const int i = cell[0] + (c & 1), j = cell[1] + (c >> 1 & 1), k = cell[2] + (c >> 2 & 1);
      return values[static_cast<std::size_t>((i * (cells + 1) + j) * (cells + 1) + k)];
    }));
  }

  Sampler<3, float> sampler_;
  double sigma_;
  DistantLight light_;
  std::vector<float> density_, arriving_;
};

TEST(SmokeLight, OctreeAndDenseGridShowTheSamePicture) {
  const Vec3d center{0.5, 0.5, 0.5};
  auto puff = [&](const Vec3d& p) {
    const double r = length(p - center) / 0.35,
                 bumps = 1 + 0.4 * std::sin(20 * p[0]) * std::sin(17 * p[1]) * std::sin(23 * p[2]);
    return r < 1 ? bumps * (1 - r * r) : 0.0;
  };
  const Smoke smoke(Octree<3>::build({},
                                     [&](const Leaf<3>& l) {
                                       return l.level < (length(l.center - center) < 0.35 + l.size
                                                             ? (l.center[0] < 0.55 ? 6 : 5)
                                                             : 2);
                                     }),
                    puff);
  const DistantLight light{normalized(Vec3d{1, 0.4, -1}), {3, 3, 3}};
  const SmokeMedium medium(smoke.field(), {.extinction = 15, .albedo = {1, 1, 1}},
                           {.lights = {light}, .sky = dark}, no_surfaces);
  const DensePicture dense(smoke, 15, light);
  Camera camera;
  camera.position = {0.4, -1.5, 0.8};
  camera.target = center;
  camera.resolution = {48, 48};
  const CameraRays rays(camera);
  double error = 0;
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 48; ++x) {
      const Ray ray = rays.through(x + 0.5, y + 0.5);
      const Marched m = medium.march(ray, {});
      const double seen = static_cast<double>(m.light[0] + m.transmittance * 0.2f),
                   known = dense.seen(ray, 0.2);
      error += (seen - known) * (seen - known) / (48 * 48);
    }
  const double decibels = -10 * std::log10(error);
  RecordProperty("decibels", static_cast<int>(decibels));
  EXPECT_GT(decibels, 50);
}

}  // namespace
}  // namespace octavo
