#include "octavo/shapes/implicit.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "octavo/base/random.h"

namespace octavo {
namespace {

static_assert(std::is_trivially_copyable_v<SphereShape<3>>);
static_assert(std::is_trivially_copyable_v<BoxShape<2>>);
static_assert(std::is_trivially_copyable_v<TorusShape<3>>);

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
}

}  // namespace
}  // namespace octavo
