// The particle level set from mesh to mesh: shapes that move without changing, states that make no sense, surfaces that
// are not there.

#include "octavo/surface/particle_level_set.h"

#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "support/random_tree.h"
#include "surface/given_surface.h"

namespace octavo::test {
namespace {

template <class T>
using ParticleLevelSetTest = BothDims<T>;
TYPED_TEST_SUITE(ParticleLevelSetTest, Dims);

inline constexpr int finest_level = sanitized ? 4 : 5;

template <int Dim>
double ball_volume(double radius) {
  return Dim == 2 ? std::numbers::pi * radius * radius
                  : 4 * std::numbers::pi / 3 * radius * radius * radius;
}

// A ball that moves across leaves of all sizes at three of the finest a step stays the ball it was, only the less
// well resolved the less.
TYPED_TEST(ParticleLevelSetTest, ABallThatMovesStaysABall) {
  constexpr int Dim = TestFixture::dim;
  const double radius = 0.15;
  for (const int finest : {finest_level, finest_level + (sanitized ? 0 : 1)}) {
    const double h = 1.0 / (1 << finest);
    Vec<Dim> from = Vec<Dim>::filled(0.3), way = Vec<Dim>::filled(0.2);
    way[0] = 0.37;
    auto run = given_surface<Dim>(Domain<Dim>{}, {.coarsest = 2, .finest = finest}, {});
    run.start([=](const Vec<Dim>& x) { return length(x - from) - radius; });
    const int steps = static_cast<int>(std::ceil(length(way) / (3 * h)));
    for (int s = 0; s < steps; ++s) run.step([=](const Vec<Dim>&) { return way; }, 1.0 / steps);
    const Leftover left = leftover(
        run, [=](const Vec<Dim>& x) { return length(x - from - way) - radius; },
        ball_volume<Dim>(radius));
    // A chord lies within the ball: some is missing from the beginning.
    const double chords = Dim * h * h / (radius * radius) / 3;
    EXPECT_LT(std::abs(left.lost), chords + 0.004) << finest;
    EXPECT_LT(left.error, chords + 0.02) << finest;
  }
}

TYPED_TEST(ParticleLevelSetTest, ABallThatTurnsStaysABall) {
  constexpr int Dim = TestFixture::dim;
  const double radius = 0.15, h = 1.0 / (1 << finest_level);
  Vec<Dim> center = Vec<Dim>::filled(0.5);
  center[1] = 0.7;
  auto distance = [=](const Vec<Dim>& x) { return length(x - center) - radius; };
  auto run = given_surface<Dim, double>(Domain<Dim>{}, {.coarsest = 2, .finest = finest_level}, {});
  run.start(distance);
  const int steps = sanitized ? 20 : 40;
  auto turning = [](const Vec<Dim>& x) {
    Vec<Dim> u = Vec<Dim>::filled(0);
    u[0] = -2 * std::numbers::pi * (x[1] - 0.5);
    u[1] = 2 * std::numbers::pi * (x[0] - 0.5);
    return u;
  };
  for (int s = 0; s < steps; ++s) run.step(turning, 1.0 / steps);
  const Leftover left = leftover(run, distance, ball_volume<Dim>(radius));
  const double chords = Dim * h * h / (radius * radius) / 3;
  EXPECT_LT(std::abs(left.lost), chords + 0.01);
  EXPECT_LT(left.error, chords + (sanitized ? 0.1 : 0.05));
}

// Beyond the fine band of the mesh before, the level set of the next one is a signed distance as well, although steps are
// wider than the band. Where leaves have one size, it is one of second order.
TYPED_TEST(ParticleLevelSetTest, ItIsASignedDistanceOnEachMesh) {
  constexpr int Dim = TestFixture::dim;
  const double radius = 0.2;
  Vec<Dim> from = Vec<Dim>::filled(0.35), way = Vec<Dim>::filled(0.1);
  auto run = given_surface<Dim>(Domain<Dim>{}, {.coarsest = 2, .finest = 6}, {});
  run.start([=](const Vec<Dim>& x) { return length(x - from) - radius; });
  for (int s = 1; s <= (sanitized ? 1 : 4); ++s) {
    run.step([=](const Vec<Dim>&) { return way; }, 0.5);
    const MeshView<Dim> m = run.mesh().view();
    const auto& phi = run.tracker().signed_distance();
    std::set<std::uint32_t> hangs;  // these have what the larger leaf says
    for (const HangingNode<Dim>& hanging : m.hanging) hangs.insert(hanging.node);
    for (std::size_t l = 0; l < m.leaf_count(); ++l) {
      const double h = m.tree.size(LeafId(l));
      for (int c = 0; c < child_count<Dim>; ++c) {
        const NodeId node = m.node(LeafId(l), c);
        const double exact = length(m.position(node) - from - way * (0.5 * s)) - radius;
        if (std::abs(exact) > 0.05 * h) {
          ASSERT_EQ(phi[node] < 0, exact < 0) << s << " " << exact;
        }
        if (std::abs(exact) < 3 * h && !hangs.contains(node)) {
          ASSERT_NEAR(phi[node], exact, (h < 0.02 ? 0.01 : 0.2) * h) << s;
        }
      }
    }
  }
}

// With the same grid and no flow, nothing changes but what redistancing does.
TYPED_TEST(ParticleLevelSetTest, StillLiquidKeepsItsVolume) {
  constexpr int Dim = TestFixture::dim;
  const double radius = 0.22;
  auto distance = [=](const Vec<Dim>& x) { return length(x - Vec<Dim>::filled(0.5)) - radius; };
  auto run = given_surface<Dim>(Domain<Dim>{}, {.coarsest = 2, .finest = finest_level}, {});
  run.start(distance);
  const double before = liquid_volume(run.mesh(), run.tracker().signed_distance());
  for (int s = 0; s < (sanitized ? 5 : 25); ++s)
    run.step([](const Vec<Dim>&) { return Vec<Dim>::filled(0); }, 0.1);
  EXPECT_NEAR(liquid_volume(run.mesh(), run.tracker().signed_distance()), before, 2e-3 * before);
}

TYPED_TEST(ParticleLevelSetTest, ASurfaceThatIsNotThereIsNoTrouble) {
  constexpr int Dim = TestFixture::dim;
  for (const double everywhere : {-1.0, 1.0}) {
    auto run = given_surface<Dim>(Domain<Dim>{}, {.coarsest = 2, .finest = 4}, {});
    run.start([=](const Vec<Dim>&) { return everywhere; });
    for (int s = 0; s < 3; ++s) {
      const TrackerReport r = run.step([](const Vec<Dim>&) { return Vec<Dim>::filled(0.3); }, 0.1);
      EXPECT_EQ(r.elements, 0u);
    }
    for (const float phi : run.tracker().signed_distance().view()) ASSERT_GT(phi * everywhere, 0);
  }
}

// What leaves through an open wall is gone, and air comes in through the other.
TYPED_TEST(ParticleLevelSetTest, LiquidLeavesThroughOpenWalls) {
  constexpr int Dim = TestFixture::dim;
  Vec<Dim> way = Vec<Dim>::filled(0);
  way[0] = 1;
  auto run = given_surface<Dim>(Domain<Dim>{}, {.coarsest = 2, .finest = finest_level}, {});
  run.open_walls[0] = run.open_walls[1] = true;
  run.start([](const Vec<Dim>& x) { return x[1] - 0.5; });
  double volume = 0.5;
  for (int s = 0; s < 4; ++s) {
    const TrackerReport r = run.step([=](const Vec<Dim>&) { return way; }, 0.1);
    EXPECT_GT(r.gone, 0u);
    volume -= 0.05;
    EXPECT_NEAR(liquid_volume(run.mesh(), run.tracker().signed_distance()), volume,
                sanitized ? 0.03 : 0.012);
  }
}

TYPED_TEST(ParticleLevelSetTest, WhatMakesNoSenseIsRefused) {
  constexpr int Dim = TestFixture::dim;
  using Tracker = ParticleLevelSet<Dim>;
  EXPECT_THROW(ParticleLevelSetParameters::named("losasso", Dim), InputError);
  auto run = given_surface<Dim>(Domain<Dim>{}, {.coarsest = 1, .finest = 3}, {});
  EXPECT_THROW(run.start([](const Vec<Dim>&) { return std::nan(""); }), InputError);
  run.start([](const Vec<Dim>& x) { return x[1] - 0.4; });
  std::vector<SavedArray> arrays;
  std::vector<SavedNumber> numbers;
  run.tracker().save(arrays, numbers);
  Tracker other;
  other.restore(run.mesh(), arrays, numbers);
  EXPECT_EQ(other.particles().size(), run.tracker().particles().size());
  EXPECT_GT(other.bytes(), other.particles().bytes());

  const Octree<Dim> tree{Domain<Dim>{}};
  const Mesh<Dim> mesh(tree);
  EXPECT_THROW(other.restore(mesh, arrays, numbers), InputError);
  EXPECT_THROW(other.restore(run.mesh(), {}, numbers), InputError);
  EXPECT_THROW(other.restore(run.mesh(), arrays, {}), InputError);
  numbers[0].value = -1;
  EXPECT_THROW(other.restore(run.mesh(), arrays, numbers), InputError);
  EXPECT_THROW(given_surface<Dim>(Domain<Dim>{}, {.coarsest = 4, .finest = 3}, {}), InputError);
}

}  // namespace
}  // namespace octavo::test
