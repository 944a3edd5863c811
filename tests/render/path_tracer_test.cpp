#include "octavo/render/path_tracer.h"

#include <gtest/gtest.h>

#include <numbers>

#include "furnace.h"
#include "octavo/base/error.h"
#include "octavo/base/parallel.h"
#include "octavo/render/dielectric.h"

namespace octavo {
namespace {

using namespace test;

const Camera front = camera_from({0, -4, 0}, {0, 0, 0}, 40, {24, 24});

// In a furnace everything white is as bright as the furnace, whatever it is: nothing can be seen.
TEST(PathTracer, WhiteThingsCannotBeSeenInAFurnace) {
  const Surfaces all[] = {
      only(surface(ball_mesh(24)), matte(1)),
      only(sphere_shape<3>({0, 0, 0}, 1), matte(1)),
      only(torus_shape<3>({0, 0, 0}, 0.8, 0.4, 1), matte(1)),
      only(surface(ball_mesh(24)), glass()),
      only(sphere_shape<3>({0, 0, 0}, 1), glass(1.33)),
      only(subtract(sphere_shape<3>({0, 0, 0}, 1), sphere_shape<3>({0, 0, 0}, 0.8)), glass())};
  for (const Surfaces& surfaces : all)
    EXPECT_LT(worst(taken(front, surfaces, furnace(1), {.samples = 16, .max_bounces = 100}), 1),
              0.005);
}

// A convex body sees only the furnace: half of its light comes back. Light that fell on the body again would be
// missing, so its surface does not meet itself anywhere.
TEST(PathTracer, OneBounceOffAConvexBodyIsExact) {
  const Camera near = camera_from({0, -4, 0}, {0, 0, 0}, 10, {24, 24});
  const Vec3d shift{2e3, 1e3, -5e3};
  Camera far = near;
  far.position += shift;
  far.target += shift;
  const PathOptions options{.samples = 32, .max_bounces = 1};
  const Surfaces ball = only(surface(ball_mesh(24)), matte(0.5f));
  const Surfaces sphere = only(sphere_shape<3>({0, 0, 0}, 1), matte(0.5f));
  const Surfaces distant = only(surface(shifted(ball_mesh(24), shift)), matte(0.5f));
  SurfaceLook smooth = matte(0.5f);
  smooth.smooth = true;
  const Surfaces coarse = only(surface(ball_mesh(4)), smooth);
  EXPECT_LT(worst(taken(near, coarse, furnace(1), options), 0.5f), 1e-6f);
  EXPECT_LT(worst(taken(near, ball, furnace(1), options), 0.5f), 1e-6f);
  EXPECT_LT(worst(taken(near, sphere, furnace(1), options), 0.5f), 1e-6f);
  EXPECT_LT(worst(taken(far, distant, furnace(1), options), 0.5f), 1e-6f);
}

// Inside of a closed ball that reflects four fifths, each segment of a path adds 1: 1 + 0.8 + 0.8^2 ... = 5,
// also if dim paths end by chance.
class GlowingAir final : public Medium {
 public:
  Marched march(const Ray&, const Span&) const override { return {{1, 1, 1}, 1}; }
  float arriving(const Vec3d&, std::size_t) const override { return 1; }
};

TEST(PathTracer, EndingPathsByChanceKeepsTheMean) {
  const Surfaces ball = only(sphere_shape<3>({0, 0, 0}, 9), matte(0.8f));
  const GlowingAir glow;
  auto seen = [&](const PathOptions& options) {
    return taken(front, ball, furnace(0), options, &glow);
  };
  EXPECT_NEAR(mean(seen({.samples = 256, .max_bounces = 1000})), 5, 0.02);
  EXPECT_LT(worst(seen({.samples = 1, .max_bounces = 3}), 2.952f), 1e-5f);
  EXPECT_LT(worst(seen({.samples = 1, .max_bounces = 1, .clamp = 0.3}), 1.3f), 1e-5f);
}

// Reflected in front, and after any number of times inside let out on either side.
TEST(PathTracer, PlateThatAbsorbs) {
  const Surfaces plate = only(box_shape<3>({-5, 0, -5}, {5, 0.5, 5}), glass(1.5, 0.9f));
  const Camera narrow = camera_from({0, -9, 0}, {0, 0, 0}, 1, {16, 16});
  const double r = 0.04, a = std::exp(-0.45);
  const double expected = r + (1 - r) * (1 - r) * a / (1 - r * a);
  EXPECT_NEAR(mean(taken(narrow, plate, furnace(1), {.samples = 256})), expected, 0.001);
}

TEST(PathTracer, TiltedSurfacesShowTheCosine) {
  for (const double tilt : {0.0, 0.5, 1.0, 1.4})
    for (const double angle : {0.0, 15.0}) {
      const Vec3d right{1, 0, 0}, back{0, std::cos(tilt), std::sin(tilt)};
      const Surfaces plane =
          only(sheet((right + back) * -2.0, right * 4.0, back * 4.0), matte(0.7f));
      const Camera above = camera_from({0, -1, 6}, {0, 0, 0}, 5, {8, 8}, {0, 1, 0});
      const Picture picture =
          taken(above, plane, lamp({0, 0, -1}, 2, angle), {.samples = 256, .max_bounces = 0});
      EXPECT_LT(worst(picture, static_cast<float>(1.4 * std::cos(tilt))),
                angle > 0 ? 0.004f : 1e-5f)
          << tilt << ", " << angle;
    }
}

// White on the far side of x = 0, seen along the ground through a camera whose rows go along x.
struct Line {
  Camera camera;
  Picture picture;

  // Where in x a column looks, on the plane z = height.
  double at(int column, double height = 0) const {
    const Ray ray = CameraRays(camera).through(column + 0.5, 0.5 * camera.resolution[1]);
    return ray.at((height - ray.origin[2]) / ray.direction[2])[0];
  }
  float light(int column) const { return picture.at(column, 0).light[0]; }

  // Where the light passes half of its largest value, in pixels.
  double edge() const {
    float most = 0;
    for (int i = 0; i < picture.width; ++i) most = std::max(most, light(i));
    for (int i = 1; i < picture.width; ++i)
      if ((light(i) > most / 2) != (light(i - 1) > most / 2))
        return i - 0.5 + double{(most / 2 - light(i - 1)) / (light(i) - light(i - 1))};
    return -1;
  }
};

// Something at height 1 covers all x < 0.
Line shadow(const Vec3d& direction, double angle, double look_at) {
  Surfaces surfaces;
  surfaces.add(sheet({-9, -9, 0}, {18, 0, 0}, {0, 18, 0}), matte(1));
  surfaces.add(sheet({-9, -9, 1}, {9, 0, 0}, {0, 18, 0}), matte(0));
  surfaces.commit();
  Line line;
  line.camera = camera_from({3, 0, 1.5}, {look_at, 0, 0}, 2, {64, 1}, {0, 1, 0});
  line.picture =
      taken(line.camera, surfaces, lamp(direction, 1, angle), {.samples = 4096, .max_bounces = 0});
  return line;
}

TEST(PathTracer, HardShadowsEndWhereTheyShould) {
  const double away = std::tan(0.4);
  const Line line = shadow({std::sin(0.4), 0, -std::cos(0.4)}, 0, away);
  const auto column = static_cast<int>(line.edge());
  EXPECT_NEAR(line.at(column), away, 0.008);  // a column is 4 mm
  int between = 0;
  for (int i = 0; i < 64; ++i) between += line.light(i) > 0.01f && line.light(i) < 0.9f ? 1 : 0;
  EXPECT_LE(between, 2);
}

// What a straight edge leaves of a disc, from u = -1 (nothing) to 1 (all).
TEST(PathTracer, PenumbraOfAHalfPlane) {
  const double angle = 4, half = std::tan(angle * std::numbers::pi / 360);
  const Line line = shadow({0, 0, -1}, angle, 0);
  int within = 0;
  for (int i = 0; i < 64; ++i) {
    const double u = std::clamp(line.at(i) / half, -1.0, 1.0);
    const double visible = 0.5 + (u * std::sqrt(1 - u * u) + std::asin(u)) / std::numbers::pi;
    EXPECT_NEAR(line.light(i), visible, 0.005) << line.at(i);
    within += std::abs(u) < 1 ? 1 : 0;
  }
  EXPECT_GT(within, 12);
}

// An edge behind a plate, seen from 45 degrees, is seen beside its place.
TEST(PathTracer, WhatIsBehindAPlateIsShifted) {
  Line line;
  line.camera = camera_from(Vec3d{-1, 0, 1} * 70.0, {0, 0, 0}, 1.2, {200, 1}, {0, 1, 0});
  auto edge = [&](bool plate) {
    Surfaces surfaces;
    surfaces.add(sheet({0, -9, -1}, {9, 0, 0}, {0, 18, 0}), matte(1));
    if (plate) surfaces.add(box_shape<3>({-9, -9, -0.5}, {9, 9, 0}), everywhere, glass());
    surfaces.commit();
    line.picture = taken(line.camera, surfaces, lamp({0, 0, -1}, 1), {.samples = 256});
    return line.edge();
  };
  const CameraRays rays(line.camera);
  Vec2d place{};
  ASSERT_TRUE(rays.place({0, 0, -1}, place));
  const double without = edge(false);
  EXPECT_NEAR(without, place[0], 0.1);
  const double in = std::numbers::pi / 4, inside = std::asin(std::sin(in) / 1.5);
  const double shift = 0.5 * std::sin(in - inside) / std::cos(inside);
  EXPECT_NEAR((edge(true) - without) * rays.pixel_size(70 * std::sqrt(2.0)), shift, 0.003);
}

// The same everywhere; a ray that does not end has gone through three metres of it.
class Fog final : public Medium {
 public:
  Marched march(const Ray&, const Span& span) const override {
    const double depth = 0.3 * (std::isfinite(span.to) ? span.to - span.from : 3.0);
    const auto left = static_cast<float>(std::exp(-depth));
    return {Light::filled(0.5f * (1 - left)), left};
  }
  float arriving(const Vec3d& p, std::size_t light) const override {
    return light == 1 ? static_cast<float>(std::exp(-0.3 * (4 - p[2]))) : 0;
  }
};

TEST(PathTracer, MediumDimsWhatIsBehindItAndShines) {
  const Surfaces plane = only(sheet({-9, -9, 0}, {18, 0, 0}, {0, 18, 0}), matte(0.8f));
  const Camera above = camera_from({0, 0, 2}, {0, 0, 0}, 0.5, {8, 8}, {0, 1, 0});
  Lighting lighting = lamp({0, 0, -1}, 5);
  lighting.lights.push_back({{0, 0, -1}, {1, 1, 1}, 0});
  const Fog fog;
  const Picture picture = taken(above, plane, lighting, {.samples = 4, .max_bounces = 0}, &fog);
  const double left = std::exp(-0.6), expected = 0.5 * (1 - left) + left * 0.8 * std::exp(-1.2);
  EXPECT_LT(worst(picture, static_cast<float>(expected)), 1e-4f);
}

TEST(PathTracer, TransparentBackground) {
  const PathOptions options{.samples = 4, .background = false};
  const Fog fog;
  const Camera away = camera_from({0, 0, 2}, {0, 0, 9}, 30, {8, 8}, {0, 1, 0});
  const Surfaces ball = only(sphere_shape<3>({0, 0, 0}, 1), matte(0.5f));
  const Picture nothing = taken(away, ball, furnace(1), options);
  const Picture thin = taken(away, ball, furnace(1), options, &fog);
  const Picture thing =
      taken(camera_from({0, -3, 0}, {0, 0, 0}, 5, {8, 8}), ball, furnace(1), options);
  EXPECT_EQ(worst(nothing, 0), 0);
  EXPECT_LT(worst(thin, static_cast<float>(0.5 * (1 - std::exp(-0.9)))), 1e-6f);
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_EQ(nothing.pixels[i].opacity, 0);
    EXPECT_NEAR(thin.pixels[i].opacity, 1 - std::exp(-0.9), 1e-6);
    EXPECT_EQ(thing.pixels[i].opacity, 1);
  }
}

// Near by the ground is what a matte plane is, far away the horizon; without a step between.
TEST(PathTracer, GroundBecomesTheHorizon) {
  Lighting lighting = lamp({0, 0, -1}, 1);
  lighting.sky.horizon = {0.2f, 0.3f, 0.4f};
  lighting.ground = Ground{-1, {0.5f, 0.5f, 0.5f}, 10};
  const Camera level = camera_from({0, 0, 0}, {0, 1, -0.3}, 60, {4, 101});
  const Picture picture = taken(level, Surfaces(), lighting, {.samples = 16, .max_bounces = 0});
  const CameraRays rays(level);
  for (int y = 0; y < 101; ++y) {
    const Ray ray = rays.through(2, y + 0.5);
    const double part = ray.direction[2] < 0 ? -1 / ray.direction[2] / 10 : HUGE_VAL;
    const double left = std::exp(-part * part), far = 1 - left;
    if (ray.direction[2] < -0.02) {
      EXPECT_NEAR(picture.at(2, y).light[2], left * 0.5 + far * 0.4, 0.01) << y;
    } else if (ray.direction[2] < 0.02) {
      EXPECT_NEAR(picture.at(2, y).light[2], 0.4, 0.06) << y;
    }
  }
}

// Glass shows a lamp, as a bright spot where a mirror would.
TEST(PathTracer, GlassMirrorsLamps) {
  const Surfaces ball = only(sphere_shape<3>({0, 0, 0}, 1), glass());
  const Picture picture = taken(camera_from({0, -40, 0}, {0, 0, 0}, 3, {41, 41}), ball,
                                lamp({0, 1, -1}, 1), {.samples = 64});
  int x = 0, y = 0;
  for (int j = 0; j < 41; ++j)
    for (int i = 0; i < 41; ++i)
      if (picture.at(i, j).light[0] > picture.at(x, y).light[0]) x = i, y = j;
  EXPECT_EQ(x, 20);
  const double height = std::sin(std::numbers::pi / 8);  // the normal is halfway to the lamp
  EXPECT_NEAR(20 - y, height / (40 * std::tan(1.5 * std::numbers::pi / 180)) * 20.5, 1);
}

Surfaces mixed() {
  Surfaces surfaces;
  SurfaceLook checkered = matte(0.8f);
  checkered.texture = SurfaceLook::Texture::checkerboard;
  checkered.smooth = true;
  surfaces.add(surface(shifted(ball_mesh(30, 0.6), {-0.7, 0, 0})), checkered);
  surfaces.add(surface(shifted(ball_mesh(30, 0.6), {0.6, -0.5, 0})), glass(1.5, 0.5f));
  surfaces.add(torus_shape<3>({0.5, 1, 0}, 0.7, 0.2), everywhere, matte(0.3f));
  surfaces.commit();
  return surfaces;
}

TEST(PathTracer, SamePictureForAnyNumberOfThreads) {
  Lighting lighting = lamp({1, 1, -2}, 1, 5);
  lighting.sky = {};
  lighting.ground = Ground{-0.6};
  const Camera camera = camera_from({0, -4, 1.5}, {0, 0, 0}, 45, {48, 27});
  Picture pictures[3];
  const int counts[3] = {1, 2, 5};
  for (int i = 0; i < 3; ++i) {
    set_threads(counts[i]);
    pictures[i] = taken(camera, mixed(), lighting, {.samples = 8});
  }
  set_threads(0);
  EXPECT_TRUE(pictures[0] == pictures[1]);
  EXPECT_TRUE(pictures[0] == pictures[2]);
  EXPECT_FALSE(pictures[0] == taken(camera, mixed(), lighting, {.samples = 8, .seed = 2}));
}

TEST(PathTracer, ShapesBallsAndFineMeshesLookTheSame) {
  Lighting lighting = lamp({1, 1, -2}, 1, 5);
  lighting.sky = {};
  lighting.ground = Ground{-1};
  for (SurfaceLook look : {matte(0.6f), glass()}) {
    look.smooth = true;
    const PathOptions options{.samples = 64};
    const Picture a = taken(front, only(sphere_shape<3>({0, 0, 0}, 1), look), lighting, options);
    const Picture b = taken(front, only(surface(ball_mesh(100)), look), lighting, options);
    double sum = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
      sum += std::abs(double{luminance(a.pixels[i].light - b.pixels[i].light)});
    EXPECT_LT(sum / static_cast<double>(a.pixels.size()), 0.004);
    EXPECT_NEAR(mean(a), mean(b), 0.001);
    SurfaceMesh ball;
    ball.vertices = {{0, 0, 0}};
    ball.radii = {1};
    const Picture c = taken(front, only(ball, look), lighting, options);
    EXPECT_NEAR(mean(a), mean(c), 0.001);
  }
}

TEST(PathTracer, CanBeStopped) {
  int asked = 0;
  set_threads(1);
  const Picture picture =
      taken(front, Surfaces(), furnace(1), {.stop = [&] { return ++asked == 3; }});
  set_threads(0);
  EXPECT_EQ(asked, 3);
  EXPECT_TRUE(picture.pixels.empty());
  EXPECT_EQ(worst(taken(front, Surfaces(), furnace(1), {.stop = [] { return false; }}), 1), 0);
}

TEST(PathTracer, SaysWhatIsWrong) {
  auto with = [](const PathOptions& o) { return taken(front, Surfaces(), furnace(1), o); };
  EXPECT_THROW(with({.samples = 0}), InputError);
  EXPECT_THROW(with({.max_bounces = -1}), InputError);
  EXPECT_THROW(path_traced(CameraRays(front), {0, 5}, Surfaces(), furnace(1), nullptr, {}),
               InputError);
}

TEST(PathTracer, FeaturesAreThoseOfWhatIsSeenFirst) {
  const Surfaces plane = only(sheet({-9, -9, 0}, {18, 0, 0}, {0, 18, 0}), matte(0.8f));
  const Camera above = camera_from({0, 0, 2}, {0, 0, 0}, 0.5, {4, 4}, {0, 1, 0});
  Features features;
  path_traced(CameraRays(above), above.resolution, plane, lamp({0, 0, -1}, 1), nullptr,
              {.samples = 4}, &features);
  ASSERT_EQ(features.pixels.size(), 16u);
  for (const Features::Pixel& f : features.pixels) {
    EXPECT_EQ(f.color, Light::filled(0.8f));
    EXPECT_NEAR(f.normal[2], 1, 1e-6f);
    EXPECT_NEAR(f.depth, 2, 1e-3f);
    EXPECT_NEAR(f.variance, 0, 1e-9f);
  }
}

}  // namespace
}  // namespace octavo
