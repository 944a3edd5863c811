#include "octavo/shapes/implicit.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "octavo/base/random.h"

namespace octavo {
namespace {

static_assert(std::is_trivially_copyable_v<SphereShape<3>>);
static_assert(std::is_trivially_copyable_v<BoxShape<2>>);
static_assert(std::is_trivially_copyable_v<TorusShape<3>>);
static_assert(std::is_trivially_copyable_v<HalfSpaceShape<2>>);
static_assert(std::is_trivially_copyable_v<CapsuleShape<3>>);
static_assert(std::is_trivially_copyable_v<CylinderShape<3>>);
static_assert(std::is_trivially_copyable_v<EllipsoidShape<3>>);

TEST(Implicit, Sphere) {
  const SphereShape<3> ball{{1, 2, 3}, 2};
  EXPECT_DOUBLE_EQ(ball({1, 2, 3}), -2);
  EXPECT_DOUBLE_EQ(ball({4, 2, 7}), 3);
  const SphereShape<2> disc{{0, 0}, 5};
  EXPECT_DOUBLE_EQ(disc({3, 4}), 0);
}

TEST(Implicit, Box) {
  const BoxShape<3> box{{0, 0, 1}, {3, 2, 1}};
  EXPECT_DOUBLE_EQ(box({0, 0, 1}), -1);
  EXPECT_DOUBLE_EQ(box({2.5, 0, 1}), -0.5);
  EXPECT_DOUBLE_EQ(box({0, 6, 1}), 4);    // beside a side
  EXPECT_DOUBLE_EQ(box({6, 6, 1}), 5);    // beside an edge
  EXPECT_DOUBLE_EQ(box({-5, -3, 4}), 3);  // beside a corner: 2, 1, 2
  const BoxShape<2> square{{0, 0}, {1, 1}};
  EXPECT_DOUBLE_EQ(square({4, 5}), 5);
  EXPECT_DOUBLE_EQ(square({0.25, 0.5}), -0.5);
}

TEST(Implicit, Torus) {
  for (int axis = 0; axis < 3; ++axis) {
    const TorusShape<3> ring{{1, 1, 1}, 3, 0.5, axis};
    Vec3d along = Vec3d::filled(1), across = along;
    along[axis] += 4;
    across[(axis + 1) % 3] += 3;
    EXPECT_DOUBLE_EQ(ring({1, 1, 1}), 2.5);
    EXPECT_DOUBLE_EQ(ring(along), 4.5);
    EXPECT_DOUBLE_EQ(ring(across), -0.5);
  }
  const TorusShape<2> annulus{{0, 0}, 3, 0.5};
  EXPECT_DOUBLE_EQ(annulus({0, 0}), 2.5);
  EXPECT_DOUBLE_EQ(annulus({0, 3}), -0.5);
  EXPECT_DOUBLE_EQ(annulus({-3, 4}), 1.5);
}

TEST(Implicit, HalfSpace) {
  const HalfSpaceShape<2> below{{5, 1}, {0.6, 0.8}};
  EXPECT_DOUBLE_EQ(below({5, 1}), 0);
  EXPECT_DOUBLE_EQ(below({5, 2}), 0.8);
  EXPECT_DOUBLE_EQ(below({4, 1}), -0.6);
}

TEST(Implicit, Capsule) {
  const CapsuleShape<3> pill{{0, 0, 0}, {4, 0, 0}, 1};
  EXPECT_DOUBLE_EQ(pill({2, 0, 0}), -1);
  EXPECT_DOUBLE_EQ(pill({2, 3, 4}), 4);
  EXPECT_DOUBLE_EQ(pill({7, 4, 0}), 4);    // beyond the end
  EXPECT_DOUBLE_EQ(pill({-3, 0, -4}), 4);  // before the beginning
  const CapsuleShape<2> disc{{1, 1}, {1, 1}, 2};
  EXPECT_DOUBLE_EQ(disc({4, 5}), 3);
}

TEST(Implicit, Cylinder) {
  const CylinderShape<3> can{{0, 0, 0}, {0, 0, 4}, 2};
  EXPECT_DOUBLE_EQ(can({0, 0, 2}), -2);
  EXPECT_DOUBLE_EQ(can({0, 1.5, 1}), -0.5);
  EXPECT_DOUBLE_EQ(can({1, 0, 3.75}), -0.25);
  EXPECT_DOUBLE_EQ(can({3, 4, 1}), 3);  // beside the mantle
  EXPECT_DOUBLE_EQ(can({1, 1, 7}), 3);  // above an end
  EXPECT_DOUBLE_EQ(can({0, 5, 8}), 5);  // beyond the edge
  const CylinderShape<2> bar{{0, 0}, {3, 4}, 1};
  EXPECT_DOUBLE_EQ(bar({1.5, 2}), -1);
  EXPECT_DOUBLE_EQ(bar({6, 8}), 5);
}

TEST(Implicit, EllipsoidAlongItsAxes) {
  const EllipsoidShape<3> egg{{1, 2, 3}, {4, 2, 1}};
  EXPECT_DOUBLE_EQ(egg({1, 2, 3}), -1);
  EXPECT_DOUBLE_EQ(egg({7, 2, 3}), 2);
  EXPECT_DOUBLE_EQ(egg({1, -5, 3}), 5);
  EXPECT_DOUBLE_EQ(egg({1, 2, 3.25}), -0.75);
  EXPECT_DOUBLE_EQ(egg({5, 2, 3}), 0);
  const EllipsoidShape<2> circle{{0, 0}, {2, 2}};
  EXPECT_DOUBLE_EQ(circle({3, 4}), 3);
  EXPECT_DOUBLE_EQ(circle({0.3, 0.4}), -1.5);
  EXPECT_DOUBLE_EQ(circle({0, 0}), -2);
}

// A point on the normal of a surface point is as far as it is along the normal: outside always,
// inside up to the smallest radius of curvature.
template <int Dim>
void expect_distance_along_normals(const Vec<Dim>& radii) {
  const EllipsoidShape<Dim> ellipsoid{Vec<Dim>::filled(0.25), radii};
  const double shortest = *std::min_element(radii.v, radii.v + Dim),
               longest = *std::max_element(radii.v, radii.v + Dim);
  const Random random(6);
  for (std::uint32_t i = 0; i < 2000; ++i) {
    Vec<Dim> x{}, normal{};
    for (int a = 0; a < Dim; ++a) {
      x[a] = 2 * random.uniform(i, static_cast<std::uint32_t>(a)) - 1;
      if (random.below(4, i, static_cast<std::uint32_t>(a), 1) == 0) x[a] *= 1e-9;
      if (random.below(4, i, static_cast<std::uint32_t>(a), 2) == 0) x[a] = 0;
    }
    if (!(length(x) > 0)) continue;
    x = x / length(x);
    for (int a = 0; a < Dim; ++a) {
      normal[a] = x[a] / radii[a];
      x[a] *= radii[a];
    }
    normal = normal / length(normal);
    const double out = longest * std::pow(10.0, 4 * random.uniform(i, 5) - 2),
                 in = shortest * shortest / longest * random.uniform(i, 6);
    EXPECT_NEAR(ellipsoid(ellipsoid.center + x + normal * out), out, 4e-14 * (longest + out));
    EXPECT_NEAR(ellipsoid(ellipsoid.center + x - normal * in), -in, 4e-14 * longest);
    EXPECT_NEAR(ellipsoid(ellipsoid.center + x), 0, 4e-14 * longest);
  }
}

TEST(Implicit, EllipsoidsOfAllProportions) {
  expect_distance_along_normals<2>({1, 1});
  expect_distance_along_normals<2>({1, 0.5});
  expect_distance_along_normals<2>({0.001, 1});
  expect_distance_along_normals<2>({1e6, 1});
  expect_distance_along_normals<3>({1, 1, 1});
  expect_distance_along_normals<3>({1, 2, 1});
  expect_distance_along_normals<3>({2, 1, 2});
  expect_distance_along_normals<3>({0.3, 0.2, 0.7});
  expect_distance_along_normals<3>({1000, 0.001, 1});
  expect_distance_along_normals<3>({1, 1 + 1e-12, 1 - 1e-12});
}

// In the middle plane of a flat ellipse the nearest points are a pair above and below it; a little
// beside the plane hardly anything changes. Here the foot is x = y / (1 - r^2).
TEST(Implicit, MiddleOfAFlatEllipse) {
  const double r = 0.01;
  const EllipsoidShape<2> flat{{0, 0}, {1, r}};
  for (const double y : {0.0, 1e-300, 1e-150, 1e-50, 1e-16}) {
    for (const double x : {0.0, 1e-200, 0.1, 0.5, 0.9, 0.999}) {
      const double foot = x / (1 - r * r), height = r * std::sqrt(1 - foot * foot);
      EXPECT_NEAR(flat({x, y}), -std::hypot(foot - x, height), 1e-15) << x << ", " << y;
    }
  }
  EXPECT_NEAR(flat({1 - 0.5 * r * r, 0}), -0.5 * r * r, 1e-16);  // beyond the centre of curvature
}

// A step of |f(p)| against the gradient ends on the surface if f is a distance.
template <int Dim, class Shape>
void expect_distance(const Shape& shape) {
  const Random random(3);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    Vec<Dim> p{}, gradient{};
    for (int a = 0; a < Dim; ++a) p[a] = 4 * random.uniform(i, static_cast<std::uint32_t>(a)) - 2;
    for (int a = 0; a < Dim; ++a) {
      Vec<Dim> step{};
      step[a] = 1e-6;
      gradient[a] = (shape(p + step) - shape(p - step)) / 2e-6;
    }
    if (std::abs(length(gradient) - 1) > 1e-6) continue;  // on a crease
    EXPECT_NEAR(shape(p - gradient * shape(p)), 0, 1e-5);
  }
}

TEST(Implicit, AllAreDistances) {
  expect_distance<2>(SphereShape<2>{{0.1, 0.2}, 0.7});
  expect_distance<3>(SphereShape<3>{{0.1, 0.2, 0.3}, 0.7});
  expect_distance<2>(BoxShape<2>{{0.1, 0.2}, {0.7, 0.3}});
  expect_distance<3>(BoxShape<3>{{0.1, 0.2, 0.3}, {0.7, 0.3, 0.5}});
  expect_distance<2>(TorusShape<2>{{0.1, 0.2}, 0.7, 0.2});
  expect_distance<3>(TorusShape<3>{{0.1, 0.2, 0.3}, 0.7, 0.2, 1});
  expect_distance<3>(HalfSpaceShape<3>{{0.1, 0.2, 0.3}, {0.6, 0, -0.8}});
  expect_distance<2>(CapsuleShape<2>{{0.1, 0.2}, {0.7, -0.3}, 0.2});
  expect_distance<3>(CapsuleShape<3>{{0.1, 0.2, 0.3}, {0.7, -0.3, 0}, 0.2});
  expect_distance<2>(CylinderShape<2>{{0.1, 0.2}, {0.7, -0.3}, 0.2});
  expect_distance<3>(CylinderShape<3>{{0.1, 0.2, 0.3}, {0.7, -0.3, 0}, 0.2});
  expect_distance<2>(EllipsoidShape<2>{{0.1, 0.2}, {0.7, 0.2}});
  expect_distance<3>(EllipsoidShape<3>{{0.1, 0.2, 0.3}, {0.7, 0.2, 0.4}});
}

}  // namespace
}  // namespace octavo
