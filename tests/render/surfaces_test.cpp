#include "octavo/render/surfaces.h"

#include <gtest/gtest.h>

#include "furnace.h"
#include "octavo/base/error.h"
#include "octavo/base/random.h"
#include "octavo/render/dielectric.h"

namespace octavo {
namespace {

using namespace test;

const Ray from_the_top{{0.3, 0.2, 5}, {0, 0, -1}};

TEST(Surfaces, OfNothing) {
  Surfaces surfaces;
  surfaces.add(SurfaceMesh{}, {});
  surfaces.add(sphere_shape<3>({0, 0, 0}, 1), {{5, 5, 5}, {6, 6, 6}}, {});
  surfaces.commit();
  EXPECT_TRUE(surfaces.empty());
  EXPECT_FALSE(surfaces.nearest(from_the_top, {}));
  EXPECT_FALSE(surfaces.blocked(from_the_top, {}));
}

TEST(Surfaces, HitsAreWhereTheyShouldBe) {
  for (const bool implicit : {false, true}) {
    const Surfaces surfaces = implicit ? only(box_shape<3>({0, 0, 0}, {1, 1, 1}), matte(0.5f))
                                       : only(surface(cube_mesh()), matte(0.5f));
    const auto top = surfaces.nearest(from_the_top, {});
    ASSERT_TRUE(top);
    EXPECT_NEAR(top->distance, 4, 1e-9);
    EXPECT_NEAR(length(top->point - Vec3d{0.3, 0.2, 1}), 0, 1e-6);
    EXPECT_NEAR(length(top->normal - Vec3d{0, 0, 1}), 0, 1e-9);
    EXPECT_FALSE(top->inside);
    EXPECT_EQ(top->color, Light::filled(0.5f));
    const auto bottom = surfaces.nearest(top->onward(from_the_top.direction), {});
    ASSERT_TRUE(bottom);
    EXPECT_NEAR(bottom->point[2], 0, 1e-9);
    EXPECT_TRUE(bottom->inside);
    EXPECT_FALSE(surfaces.nearest(bottom->onward(from_the_top.direction), {}));
    EXPECT_FALSE(surfaces.nearest(from_the_top, {0, 3.99}));
    EXPECT_FALSE(surfaces.blocked(from_the_top, {0, 3.99}));
    EXPECT_TRUE(surfaces.blocked(from_the_top, {0, 4.01}));
    EXPECT_NEAR(surfaces.nearest(from_the_top, {4.5, 9})->distance, 5, 1e-9);
  }
}

// Floats know 1e7 different places along a metre at most, and only six along a million.
TEST(Surfaces, PrecisionDoesNotDependOnWhereTheOriginIs) {
  for (const Vec3d& shift : {Vec3d{0, 0, 0}, Vec3d{1e6, -2e6, 3e6}})
    for (const double away : {5.0, 1e6}) {
      const Surfaces surfaces = only(surface(shifted(ball_mesh(40), shift)), {});
      const Vec3d direction = normalized({0.36, 0.48, -0.8});
      const Ray ray{shift - direction * away, direction};
      const auto hit = surfaces.nearest(ray, {});
      ASSERT_TRUE(hit);
      EXPECT_NEAR(hit->distance, away - 1, 2e-3) << away;  // a facet is that far below the sphere
      EXPECT_GT(dot(hit->normal, -direction), 0.999);
      const auto back = surfaces.nearest(hit->onward(direction), {});
      ASSERT_TRUE(back);
      EXPECT_NEAR(back->distance, 2, 4e-3);
      EXPECT_FALSE(surfaces.nearest(hit->onward(-direction), {}));
    }
}

// In any direction away from a convex body there is nothing, however flat the direction.
TEST(Surfaces, RaysThatGoOnDoNotMeetTheirOwnSurface) {
  const Random random(3);
  const Vec3d shift{300, 400, -500};
  for (const bool implicit : {false, true}) {
    const Surfaces surfaces =
        implicit
            ? only(moved(sphere_shape<3>({0, 0, 0}, 2), Pose<3>::about({0, 0, 0}, {0.3, 0, 0})), {})
            : only(surface(shifted(ball_mesh(30, 2), shift)), {});
    const Vec3d center = implicit ? Vec3d{} : shift;
    int again = 0, missed = 0;
    for (std::uint64_t i = 0; i < 20000; ++i) {
      auto uniform = [&](std::uint32_t k) { return 2 * random.uniform(i, k) - 1; };
      const Vec3d to = normalized({uniform(0), uniform(1), uniform(2)});
      const auto hit = surfaces.nearest({center - to * 10, to}, {});
      if (!hit) ++missed;
      if (!hit) continue;
      const Vec3d along = Basis(hit->normal)({uniform(3), uniform(4), 1e-4});
      again += surfaces.blocked(hit->onward(normalized(along)), {}) ? 1 : 0;
    }
    EXPECT_EQ(missed, 0) << implicit;
    EXPECT_EQ(again, 0) << implicit;
  }
}

TEST(Surfaces, ShapesAreClosedWhereTheirBoxCutsThem) {
  Surfaces surfaces;
  surfaces.add(half_space_shape<3>({0, 0, 0.5}, {0, 0, 1}), {{0, 0, 0}, {1, 1, 1}}, {});
  surfaces.commit();
  EXPECT_NEAR(surfaces.nearest(from_the_top, {})->point[2], 0.5, 1e-9);
  const auto side = surfaces.nearest({{-3, 0.5, 0.25}, {1, 0, 0}}, {});
  ASSERT_TRUE(side);
  EXPECT_NEAR(side->distance, 3, 1e-9);
  EXPECT_NEAR(side->normal[0], -1, 1e-9);
  EXPECT_FALSE(surfaces.nearest({{-3, 0.5, 0.75}, {1, 0, 0}}, {}));
}

SurfaceMesh balls(const std::vector<Vec3d>& centers, float radius) {
  SurfaceMesh mesh;
  mesh.vertices = centers;
  mesh.radii.assign(centers.size(), radius);
  return mesh;
}

// Of all sizes, from outside and from within, exactly where they are.
TEST(Surfaces, BallsAreMetWhereTheyAre) {
  const Random random(3);
  for (const float radius : {1e-3f, 0.1f, 3.0f}) {
    std::vector<Vec3d> centers;
    for (int i = 0; i < 8; ++i)
      centers.push_back({i < 4 ? 0.0 : 9.0, i % 2 * 9.0, i / 2 % 2 * 9.0});
    const Surfaces surfaces = only(balls(centers, radius), matte(0.5f));
    for (std::uint64_t i = 0; i < 200; ++i) {
      const Vec3d& center = centers[i % 8];
      const double t = 6.28 * random.uniform(i), z = 1.98 * random.uniform(i, 1) - 0.99;
      const Vec3d out{std::sqrt(1 - z * z) * std::cos(t), std::sqrt(1 - z * z) * std::sin(t), z};
      const Vec3d direction = normalized(out * -1.0 + Vec3d{0.1, 0.2, -0.1});
      const Vec3d on = center + out * double{radius};
      const auto hit = surfaces.nearest({on - direction * 0.5, direction}, {0, 0.5 + radius});
      ASSERT_TRUE(hit);
      EXPECT_NEAR(hit->distance, 0.5, 1e-6 * radius);
      EXPECT_NEAR(length(hit->normal - out), 0, 1e-6);
      EXPECT_FALSE(hit->inside);
      const auto behind = surfaces.nearest(hit->onward(direction), {});
      ASSERT_TRUE(behind);
      EXPECT_TRUE(behind->inside);
      EXPECT_NEAR(length(behind->point - center), double{radius}, 1e-6 * radius);
      EXPECT_TRUE(surfaces.blocked({on - direction * 0.5, direction}, {0, 0.6}));
    }
  }
}

TEST(Surfaces, GlassDoesNotBlock) {
  Surfaces surfaces;
  surfaces.add(sheet({-1, -1, 1}, {3, 0, 0}, {0, 3, 0}), glass());
  surfaces.add(sphere_shape<3>({0.3, 0.2, 0}, 0.5), everywhere, glass());
  surfaces.commit();
  EXPECT_TRUE(surfaces.has_glass());
  EXPECT_TRUE(surfaces.nearest(from_the_top, {}));
  EXPECT_FALSE(surfaces.blocked(from_the_top, {}));
}

// Straight through a plate: two surfaces and what is between them.
TEST(Surfaces, LightThroughGlassIsWhatFresnelAndAbsorptionLeave) {
  const double left = std::pow(1 - 0.04, 2) * std::exp(-0.7);
  const Surfaces plate = only(box_shape<3>({-5, -5, 0}, {5, 5, 1}), glass(1.5, 0.7f));
  EXPECT_NEAR(light_through(plate, from_the_top, HUGE_VAL)[0], left, 1e-5);
  EXPECT_EQ(light_through(plate, from_the_top, 3), (Light{1, 1, 1}));
  Surfaces more;
  more.add(box_shape<3>({-5, -5, 0}, {5, 5, 1}), everywhere, glass());
  more.add(sheet({-1, -1, -1}, {3, 0, 0}, {0, 3, 0}), matte(1));
  more.commit();
  EXPECT_EQ(light_through(more, from_the_top, HUGE_VAL), Light{});
}

TEST(Surfaces, ColoursOfVertices) {
  SurfaceMesh mesh = sheet({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  for (const Vec3d& v : mesh.vertices)
    mesh.colors.push_back({static_cast<float>(v[0]), static_cast<float>(v[1]), 0.5f});
  SurfaceLook look = matte(0.1f);
  EXPECT_EQ(only(mesh, look).nearest(from_the_top, {})->color, Light::filled(0.1f));
  look.texture = SurfaceLook::Texture::vertex_color;
  const Light color = only(mesh, look).nearest(from_the_top, {})->color;
  EXPECT_NEAR(color[0], 0.3f, 1e-5f);
  EXPECT_NEAR(color[1], 0.2f, 1e-5f);
  EXPECT_NEAR(color[2], 0.5f, 1e-5f);
}

TEST(Surfaces, Checkerboards) {
  SurfaceMesh mesh = sheet({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  SurfaceLook look = matte(1);
  look.texture = SurfaceLook::Texture::checkerboard;
  look.other_color = {};
  look.squares = 2;
  auto seen = [&](const Surfaces& s, double x, double y) {
    return s.nearest({{x, y, 5}, {0, 0, -1}}, {})->color[0] == 1;
  };
  const Surfaces by_place = only(mesh, look);
  EXPECT_NE(seen(by_place, 0.1, 0.1), seen(by_place, 0.6, 0.1));
  EXPECT_EQ(seen(by_place, 0.1, 0.1), seen(by_place, 0.6, 0.6));
  mesh.texture = {{0, 0}, {2, 0}, {2, 1}, {0, 1}};  // four squares in x, two in y
  const Surfaces by_texture = only(mesh, look);
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(seen(by_texture, 0.25 * i + 0.1, 0.5 * j + 0.1), (i + j) % 2 == 0) << i << j;
}

// On a ball they point away from its middle, the better the finer it is: of second order, not of first.
TEST(Surfaces, SmoothNormals) {
  auto error = [](int cuts, bool smooth) {
    SurfaceLook look;
    look.smooth = smooth;
    const Surfaces ball = only(surface(separated(ball_mesh(cuts))), look);
    double sum = 0;
    for (int i = 0; i < 100; ++i) {
      const auto hit = ball.nearest({{0.05 * (i % 10), 0.06 * (i / 10), 5}, {0, 0, -1}}, {});
      EXPECT_TRUE(smooth || hit->shading == hit->normal);
      EXPECT_NEAR(length(hit->shading), 1, 1e-6);
      sum += length(hit->shading - normalized(hit->point)) / 100;
    }
    return sum;
  };
  EXPECT_NEAR(error(16, false) / error(32, false), 2, 0.2);
  EXPECT_NEAR(error(16, true) / error(32, true), 4, 0.4);
  EXPECT_LT(error(32, true), error(32, false) / 20);
}

// Its triangles throw shadows on each other where the round ball they stand for is still lit; rays back do not
// see that.
TEST(Surfaces, SmoothThingsHaveNoEdgesInTheirOwnShadow) {
  SurfaceLook look;
  look.smooth = true;
  const Surfaces ball = only(surface(ball_mesh(8)), look);
  const Vec3d lamp = normalized({1, 0.2, 0.1});
  int flat = 0, lifted = 0;
  for (int j = -45; j <= 45; ++j)
    for (int i = -45; i <= 45; ++i) {
      const auto hit = ball.nearest({{0.02 * i, 0.02 * j, 5}, {0, 0, -1}}, {});
      if (!hit || dot(hit->shading, lamp) < 0.01) continue;
      flat += ball.blocked(hit->onward(lamp), {}) ? 1 : 0;
      lifted += ball.blocked(hit->back(lamp), {}) ? 1 : 0;
    }
  EXPECT_GT(flat, 5);
  EXPECT_EQ(lifted, 0);
}

TEST(Surfaces, SayWhatIsWrong) {
  Surfaces surfaces;
  EXPECT_THROW(surfaces.add(surface({{{0, 0, 0}, {1, 0, 0}}, {{0, 1, 2}}}), {}), InputError);
  EXPECT_THROW(surfaces.add(surface({{{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}}, {{0, 1, 2}}}), {}),
               InputError);
  EXPECT_THROW(surfaces.add(surface(cube_mesh()), glass(0)), InputError);
  EXPECT_THROW(surfaces.add(surface(cube_mesh()), glass(1.5, -1)), InputError);
  EXPECT_THROW(surfaces.add(balls({{0, 0, 0}}, 0), {}), InputError);
  EXPECT_THROW(surfaces.add(balls({{0, 0, NAN}}, 1), {}), InputError);
  SurfaceMesh both = surface(cube_mesh());
  both.radii.assign(both.vertices.size(), 1);
  EXPECT_THROW(surfaces.add(both, {}), InputError);
  SurfaceMesh colored = surface(cube_mesh());
  colored.colors = {{1, 1, 1}};
  EXPECT_THROW(surfaces.add(colored, {}), InputError);
}

// Through a plate 0.5 m thick a ray comes out in its old direction, beside its old place.
TEST(Surfaces, RayThroughAPlate) {
  const Surfaces plate = only(box_shape<3>({-5, -5, 0}, {5, 5, 0.5}), glass());
  const double angle = 0.7, inside = std::asin(std::sin(angle) / 1.5);
  const Ray ray{{-1, 0, 2}, {std::sin(angle), 0, -std::cos(angle)}};
  const auto top = plate.nearest(ray, {});
  const auto in = refracted(ray.direction, top->normal, 1.5);
  const auto bottom = plate.nearest(top->onward(*in), {});
  const auto out = refracted(*in, -bottom->normal, 1 / 1.5);
  EXPECT_NEAR(length(*out - ray.direction), 0, 1e-9);
  const double shift = length(cross(bottom->point - ray.origin, ray.direction));
  EXPECT_NEAR(shift, 0.5 * std::sin(angle - inside) / std::cos(inside), 1e-5);
}

}  // namespace
}  // namespace octavo
