// The tree follows the smoke: each criterion refines what it names and nothing else, lets go of what is
// past, and does not flicker.

#include <gtest/gtest.h>

#include "octavo/adapt/field_criteria.h"
#include "octavo/adapt/level_map.h"
#include "octavo/mesh/transfer.h"
#include "support/refinement.h"
#include "support/sanitized.h"
#include "support/smoke_scene.h"

namespace octavo {
namespace {

template <class D>
class RefinementTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(RefinementTest, test::Dims);

template <int Dim>
constexpr int finest = Dim == 2 ? 6 : 5;

// A simulation that only adapts: one rule, nothing moves unless told to.
template <int Dim>
SmokeParameters<Dim> only(const RefinementRule<Dim>& rule) {
  SmokeParameters<Dim> p;
  p.refinement.min_level = 2;
  p.refinement.max_level = finest<Dim>;
  p.refinement.margin = 0;
  p.refinement.rules = {rule};
  return p;
}

// Calls f(leaf as a cell) for the leaves of a simulation.
template <int Dim, class F>
void for_each_leaf(const Smoke<Dim>& smoke, F&& f) {
  const Octree<Dim>& tree = smoke.grid().tree();
  for (const Key<Dim> key : tree.keys()) f(tree.domain().leaf(key));
}

// Leaves where it is wanted have the finest level; where it is not, within a few cells, the coarsest is
// reached, and nothing far away is finer than it must be.
template <int Dim, class Distance>
void expect_refined_at(const Smoke<Dim>& smoke, Distance&& distance) {
  int fine = 0, coarse = 0;
  for_each_leaf(smoke, [&](const Leaf<Dim>& leaf) {
    const double d = distance(leaf.center), diagonal = std::sqrt(double{Dim}) * leaf.size;
    if (d < 0) {
      ASSERT_EQ(leaf.level, finest<Dim>) << leaf.center[0] << " " << leaf.center[1];
      ++fine;
    }
    if (leaf.level > 2) {
      ASSERT_LT(d, 5 * diagonal) << leaf.center[0] << " " << leaf.center[1];
    }
    coarse += leaf.level == 2;
  });
  EXPECT_GT(fine, 8);
  EXPECT_GT(coarse, 2);
}

TYPED_TEST(RefinementTest, NearObstacles) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p = only<Dim>({.by = RefineBy::objects});
  const Shape<Dim> ball = sphere_shape<Dim>(Vec<Dim>::filled(0.3), 0.15);
  p.obstacles.push_back({.shape = ball});
  const Smoke<Dim> smoke(Domain<Dim>{}, p);
  expect_refined_at(smoke, [=](const Vec<Dim>& x) { return std::abs(ball(x)) - 0.005; });

  // With a distance, the same farther away.
  p.refinement.rules[0].within = 0.05;
  const Smoke<Dim> wider(Domain<Dim>{}, p);
  expect_refined_at(wider, [=](const Vec<Dim>& x) { return std::abs(ball(x)) - 0.05; });
}

TYPED_TEST(RefinementTest, NearSourcesWhileTheyLast) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p = only<Dim>({.by = RefineBy::sources});
  const Shape<Dim> ball = sphere_shape<Dim>(Vec<Dim>::filled(0.7), 0.1);
  Source<Dim> source{.shape = ball};
  source.end = 0.25;
  p.sources.push_back(source);
  Smoke<Dim> smoke(Domain<Dim>{}, p);
  expect_refined_at(smoke, [=](const Vec<Dim>& x) { return ball(x); });
  for (int s = 0; s < 4; ++s) smoke.step(0.1);
  for_each_leaf(smoke, [](const Leaf<Dim>& leaf) { EXPECT_EQ(leaf.level, 2); });
}

TYPED_TEST(RefinementTest, InsideARegion) {
  constexpr int Dim = TestFixture::dim;
  const Shape<Dim> region = box_shape<Dim>(Vec<Dim>::filled(0.6), Vec<Dim>::filled(0.8));
  const Smoke<Dim> smoke(Domain<Dim>{}, only<Dim>({.by = RefineBy::region, .region = region}));
  expect_refined_at(smoke, [=](const Vec<Dim>& x) { return region(x); });

  // A level of its own.
  const Smoke<Dim> less(Domain<Dim>{},
                        only<Dim>({.by = RefineBy::region, .region = region, .level = 3}));
  EXPECT_EQ(less.grid().tree().deepest_level(), 3);
}

// Any function of a region will do, beside the rules.
TYPED_TEST(RefinementTest, ByACriterionOfOnesOwn) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p = only<Dim>({.by = RefineBy::objects});
  const Shape<Dim> ball = sphere_shape<Dim>(Vec<Dim>::filled(0.6), 0.1);
  p.refinement.criteria = {clamp_level(near_surface<Dim>(ball, 20), 1, 20)};
  Smoke<Dim> smoke(Domain<Dim>{}, p);
  expect_refined_at(smoke, [=](const Vec<Dim>& x) { return std::abs(ball(x)) - 0.005; });
  smoke.step(0.1);
  expect_refined_at(smoke, [=](const Vec<Dim>& x) { return std::abs(ball(x)) - 0.005; });

  // It gives way like a rule if there are too many leaves, here by one level.
  p.refinement.max_leaves = smoke.mesh().leaf_count() / 2;
  Smoke<Dim> fewer(Domain<Dim>{}, p);
  EXPECT_LE(fewer.mesh().leaf_count(), p.refinement.max_leaves);
  EXPECT_LT(fewer.step(0.1).strictness, 512 * 512);
}

// A band around a ball of smoke: neither the inside of it nor the air.
TYPED_TEST(RefinementTest, FieldBand) {
  constexpr int Dim = TestFixture::dim;
  Smoke<Dim> smoke(Domain<Dim>{},
                   only<Dim>({.by = RefineBy::band, .field = "density", .low = 0.3, .high = 0.5}));
  const Vec<Dim> center = Vec<Dim>::filled(0.5);
  auto density = [=](const Vec<Dim>& x) {
    return std::clamp(1.5 - length(x - center) / 0.3, 0.0, 1.0);  // 1 up to 0.15, 0 from 0.45 on
  };
  typename Smoke<Dim>::Start start;
  start.values["density"] = density;
  smoke.start(start);
  int fine = 0, coarse = 0;
  for_each_leaf(smoke, [&](const Leaf<Dim>& leaf) {
    const double rho = density(leaf.center), r = length(leaf.center - center);
    if (rho > 0.31 && rho < 0.49) {
      ASSERT_EQ(leaf.level, finest<Dim>);
      ++fine;
    }

    // Kept down to half and up to one and a half of the band, and a few leaves more.
    const double more = 4 * std::sqrt(double{Dim}) / (1 << finest<Dim>);
    if (leaf.level == finest<Dim>) {
      ASSERT_GT(r, 0.225 - more);
      ASSERT_LT(r, 0.405 + more);
    }
    coarse += leaf.level < finest<Dim>;
  });
  EXPECT_GT(fine, 50);
  EXPECT_GT(coarse, 8);
}

// A vortex in the middle: solid rotation inside, none outside.
TYPED_TEST(RefinementTest, Vorticity) {
  constexpr int Dim = TestFixture::dim;
  Smoke<Dim> smoke(Domain<Dim>{}, only<Dim>({.by = RefineBy::vorticity, .above = 1}));
  typename Smoke<Dim>::Start start;
  start.velocity = [](const Vec<Dim>& x) {
    const double r = std::hypot(x[0] - 0.5, x[1] - 0.5);
    const double turn = std::exp(-std::pow(r / 0.12, 4));
    Vec<Dim> u{};
    u[0] = -(x[1] - 0.5) * turn;
    u[1] = (x[0] - 0.5) * turn;
    return u;
  };
  smoke.start(start);
  expect_refined_at(smoke, [](const Vec<Dim>& x) {
    const double r = std::hypot(x[0] - 0.5, x[1] - 0.5);
    return r < 0.06 ? -1 : std::max(r - 0.2, 0.0);  // about 2 inside, less than 0.1 from 0.2 on
  });
}

// Shi and Yu's bound, their equation 6: of multilinear data, what leaves see is halved at least when all are
// split.
TYPED_TEST(RefinementTest, SecondDifferencesAreHalvedBySplitting) {
  constexpr int Dim = TestFixture::dim;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Octree<Dim> tree = Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 2; });
    const Octree<Dim> finer = test::split_leaves(tree);
    const Mesh<Dim> mesh(tree), split(finer);
    const Random random(seed);
    NodeField<double> rho(mesh), interpolated;
    for (std::size_t i = 0; i < rho.size(); ++i) rho[NodeId(i)] = random.uniform(i);
    Transfer<Dim>(mesh, split)(rho, interpolated);
    auto largest = [](const Mesh<Dim>& m, const NodeField<double>& field) {
      const FieldDetail<Dim, double> criterion{m.view(), field.view(), 1, 9};
      double most = 0;
      for (std::size_t i = 0; i < m.leaf_count(); ++i)
        most = std::max(most, criterion.detail(LeafId(i)));
      return most;
    };
    const double before = largest(mesh, rho), after = largest(split, interpolated);
    EXPECT_GT(before, 0.5);
    EXPECT_LE(after, 0.5 * before + 1e-12);
    EXPECT_GT(after, 0.4 * before);
  }

  // So levels are asked for by the logarithm, and the end is in sight.
  const FieldDetail<Dim, double> detail{{}, {}, 0.01, 12};
  EXPECT_EQ(detail.wanted(0.01, 4).refine, 0);
  EXPECT_EQ(detail.wanted(0.011, 4).refine, 5);
  EXPECT_EQ(detail.wanted(0.08, 4).refine, 7);
  EXPECT_EQ(detail.wanted(1e9, 4).refine, 12);
  EXPECT_EQ(detail.wanted(0.006, 4).keep, 4);   // half of it is not enough to go up a level,
  EXPECT_EQ(detail.wanted(0.0024, 4).keep, 3);  // a quarter is
  EXPECT_EQ(detail.wanted(0, 4).keep, 0);
}

// An edge of smoke, and nothing where it is even or changes evenly.
TYPED_TEST(RefinementTest, FieldDetailAtAnEdge) {
  constexpr int Dim = TestFixture::dim;
  Smoke<Dim> smoke(Domain<Dim>{},
                   only<Dim>({.by = RefineBy::detail, .field = "density", .above = 0.05}));
  typename Smoke<Dim>::Start start;
  start.values["density"] = [](const Vec<Dim>& x) { return x[0] < 0.7 ? 0.2 * x[0] : 1.0; };
  smoke.start(start);
  expect_refined_at(smoke, [](const Vec<Dim>& x) { return std::abs(x[0] - 0.7) - 0.01; });
}

// u = (x - 1/2)^2 for x > 1/2 has the second derivative 2 in one half of the box and none in the other.
TYPED_TEST(RefinementTest, VelocityVariation) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p = only<Dim>({.by = RefineBy::velocity_variation, .above = 1});
  p.walls.fill(Wall::open);
  Smoke<Dim> smoke(Domain<Dim>{}, p);
  typename Smoke<Dim>::Start start;
  start.velocity = [](const Vec<Dim>& x) {
    Vec<Dim> u{};
    u[0] = std::pow(std::max(0.0, x[0] - 0.5), 2);
    return u;
  };
  smoke.start(start);
  expect_refined_at(smoke, [](const Vec<Dim>& x) {
    return x[0] > 0.55 && x[0] < 0.95 ? -1 : std::max(0.0, 0.5 - x[0]);
  });
}

// Blown along, the fine leaves go with the smoke, ahead of it and not behind.
TYPED_TEST(RefinementTest, GoesAheadOfTheSmokeAndCoarsensBehindIt) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p =
      only<Dim>({.by = RefineBy::band, .field = "density", .low = 0.1, .high = 2});
  p.refinement.margin = 1;
  p.walls[0] = p.walls[1] = Wall::open;
  const Vec<Dim> wind = test::point<Dim>(1, 0, 0);
  Source<Dim> inlet{.shape =
                        box_shape<Dim>(test::point<Dim>(-1, -1, -1), test::point<Dim>(0.1, 2, 2))};
  inlet.velocity = wind;
  p.sources.push_back(inlet);
  Smoke<Dim> smoke(Domain<Dim>{}, p);
  typename Smoke<Dim>::Start start;
  start.velocity = [=](const Vec<Dim>&) { return wind; };
  start.values["density"] = [](const Vec<Dim>& x) {
    return std::clamp((0.1 - length(x - Vec<Dim>::filled(0.3))) / 0.04 + 0.5, 0.0, 1.0);
  };
  smoke.start(start);
  const std::size_t before = smoke.mesh().leaf_count();
  const double dt = 0.05, steps = 8;  // three leaves a step
  for (int s = 0; s < steps; ++s) {
    smoke.step(dt);
    for_each_leaf(smoke, [&](const Leaf<Dim>& leaf) {
      Vec<Dim> center = Vec<Dim>::filled(0.3);
      center[0] += dt * (s + 1);
      const double r = length(leaf.center - center);
      if (r < 0.08) {
        ASSERT_EQ(leaf.level, finest<Dim>) << s;
      }
      if (r > 0.65) {
        ASSERT_LE(leaf.level, 3) << s;
      }
    });
  }
  EXPECT_NEAR(static_cast<double>(smoke.mesh().leaf_count()), static_cast<double>(before),
              0.25 * static_cast<double>(before));
}

// A fountain of smoke that has become steady: its grid is, too.
TEST(Refinement, SteadyScenesDoNotFlicker) {
  SmokeParameters<2> p = test::plume<2>(6);
  p.lift = 1.5;
  p.cooling = 1;
  p.density_decay = 2;
  p.advection = AdvectionScheme::semi_lagrangian;
  p.obstacles.clear();
  Smoke<2> smoke(Domain<2>{}, p);
  for (int s = 0; s < 200; ++s) smoke.step(0.04);
  double before = 0;
  for (int s = 0; s < 40; ++s) {
    const auto leaves = static_cast<double>(smoke.step(0.04).leaves);
    if (s > 0) {
      EXPECT_LT(std::abs(leaves - before), 0.01 * before) << s;
    }
    before = leaves;
  }
}

// The number of leaves is bounded by raising thresholds, by no more than it takes: most of what is
// allowed is used.
TEST(Refinement, LeavesAreKeptJustBelowABound) {
  SmokeParameters<3> p = test::plume<3>(6);
  p.refinement.rules = {{.by = RefineBy::objects, .level = 5},
                        {.by = RefineBy::vorticity, .above = 2}};
  p.refinement.max_leaves = 15000;
  Smoke<3> smoke(Domain<3>{}, p);
  double strictness = 1;
  for (int s = 0; s < (test::sanitized ? 2 : 20); ++s) {
    const StepReport r = smoke.step(0.04);
    EXPECT_LE(r.leaves, 15000u);
    EXPECT_LT(r.strictness, 2.5 * strictness);
    if (r.strictness > 1) {
      EXPECT_GT(r.leaves, 11000u);
    }
    strictness = r.strictness;
  }
  if (!test::sanitized) {
    EXPECT_GT(strictness, 5);
  }
}

TEST(Refinement, LeavesAreKeptBelowABound) {
  SmokeParameters<3> p = test::plume<3>(5);
  Smoke<3> free(Domain<3>{}, p);
  p.refinement.max_leaves = 4000;
  Smoke<3> bounded(Domain<3>{}, p);
  const int steps = test::sanitized ? 2 : 20;
  for (int s = 0; s < steps; ++s) {
    free.step(0.04);
    EXPECT_LE(bounded.step(0.04).leaves, 4000u);
  }
  if (!test::sanitized) {
    EXPECT_GT(free.mesh().leaf_count(), 6000u);
    EXPECT_GT(bounded.mesh().leaf_count(), 2500u);
  }

  // Also from a beginning that is full of smoke.
  Smoke<3>::Start start;
  start.values["density"] = [](const Vec3d& x) { return std::exp(-8 * dot(x, x)); };
  bounded.start(start);
  EXPECT_LE(bounded.mesh().leaf_count(), 4000u);
  for (int s = 0; s < 3; ++s) EXPECT_LE(bounded.step(0.04).leaves, 4000u);

  // Even if shapes alone ask for too much.
  SmokeParameters<3> ball;
  ball.obstacles.push_back({.shape = sphere_shape<3>({0.5, 0.5, 0.5}, 0.3)});
  ball.refinement.max_level = 6;
  ball.refinement.rules = {{.by = RefineBy::objects}};
  ball.refinement.max_leaves = 6000;
  const Smoke<3> few(Domain<3>{}, ball);
  EXPECT_LE(few.mesh().leaf_count(), 6000u);
  EXPECT_GT(few.mesh().leaf_count(), 600u);
}

// Looking for a strictness takes little memory, too, where without a bound there would be billions of leaves.
TEST(Refinement, ABoundOfLeavesBoundsTheMemory) {
  if (test::sanitized) GTEST_SKIP() << "sanitizers have memory of their own";
  constexpr std::size_t most = 20000;
  SmokeParameters<3> p = test::plume<3>(12);
  p.refinement.max_leaves = most;
  BufferMemory::reset_peak();
  const std::size_t before = BufferMemory::now();
  Smoke<3> smoke(Domain<3>{}, p);
  EXPECT_LE(smoke.mesh().leaf_count(), most);
  EXPECT_GT(smoke.mesh().leaf_count(), most / 2);
  EXPECT_LE(smoke.step(0.001).leaves, most);
  EXPECT_LT(BufferMemory::peak() - before, std::size_t{300} << 20);
}

// The map says the same as looking at every leaf.
TYPED_TEST(RefinementTest, LevelMapAnswersForAnyRegion) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(100, [](const Octree<Dim>& tree, std::uint64_t seed) {
    const Random random(seed);
    LevelMap<Dim> map;
    std::vector<int> wanted(tree.leaf_count());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      wanted[i] = random.uniform(i) < 0.1 ? random.below(12, i, 1) : 0;
    map.build(tree, [&](LeafId leaf) { return WantedLevels::both(wanted[leaf]); });
    const Box<Dim> box = tree.domain().box();
    for (std::uint32_t k = 0; k < 40; ++k) {
      Leaf<Dim> region{};
      for (int a = 0; a < Dim; ++a)
        region.center[a] =
            box.lo[a] - 0.2 +
            (box.size()[a] + 0.4) * random.uniform(k, static_cast<std::uint32_t>(a), 2);
      region.reach = std::pow(0.5, random.below(14, k, 9, 2)) * 2;
      region.level = random.below(10, k, 10, 2);
      int largest = 0;
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Leaf<Dim> leaf = tree.domain().leaf(tree.keys()[i]);
        bool overlaps = true;
        for (int a = 0; a < Dim; ++a)
          overlaps = overlaps && std::abs(leaf.center[a] - region.center[a]) <
                                     leaf.size / 2 + region.reach * (1 - 1e-12);
        if (overlaps) largest = std::max(largest, wanted[i]);
      }
      const int answer = map.to_refine()(region);
      ASSERT_EQ(answer > region.level, largest > region.level) << k;
      ASSERT_LE(answer, std::max(largest, 0));
    }
  });
}

}  // namespace
}  // namespace octavo
