// Particles beside a surface on random unrestricted trees: where they are, what they may do to the level set.

#include "octavo/surface/marker_particles.h"

#include <gtest/gtest.h>

#include <set>

#include "octavo/mesh/hanging_nodes.h"
#include "octavo/tree/change.h"
#include "surface/marker_cases.h"

namespace octavo::test {
namespace {

template <class T>
using MarkerTest = BothDims<T>;
TYPED_TEST_SUITE(MarkerTest, Dims);

inline constexpr int marker_trees = sanitized ? 40 : 300;

TYPED_TEST(MarkerTest, SeedsAreOnTheirSideWithinTheBand) {
  constexpr int Dim = TestFixture::dim;
  std::size_t count = 0;
  for_random_trees<Dim>(marker_trees, [&](const Octree<Dim>& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    const NodeField<float> phi = ball_on<Dim, float>(mesh, seed);
    MarkerParticles<Dim> markers;
    const MarkerReseeding done = markers.reseed(mesh, phi, 0);
    ASSERT_EQ(done.added, markers.size());
    ASSERT_EQ(done.deleted, 0u);
    ASSERT_EQ(markers.leaf_begin().size(), mesh.leaf_count() + 1);
    count += markers.size();
    for_each_marker(mesh, markers, phi,
                    [&](LeafId, const MarkerParticle<Dim>& p, const auto& in_leaf) {
                      for (int a = 0; a < Dim; ++a) ASSERT_TRUE(p.local[a] >= 0 && p.local[a] <= 1);
                      const double h = in_leaf.size, depth = p.sign() * in_leaf.value(p.local);
                      ASSERT_GE(depth, 0.05 * h * (1 - 1e-4));
                      ASSERT_LE(depth, 2 * h * (1 + 1e-4));
                      ASSERT_GE(p.radius(), 0.05 * h * (1 - 1e-4));
                      ASSERT_LE(p.radius(), 0.5 * h * (1 + 1e-4));
                      ASSERT_FALSE(p.is_escaped(in_leaf.value(p.local)));
                    });
  });
  EXPECT_GT(count, 20u * marker_trees);
}

TYPED_TEST(MarkerTest, LeavesOfTheBandAreFilledWhateverTheirLevel) {
  constexpr int Dim = TestFixture::dim;
  std::size_t band = 0, filled = 0, wanted = 0, there = 0;
  std::set<int> levels;
  for_random_trees<Dim>(marker_trees, [&](const Octree<Dim>& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    const NodeField<float> phi = ball_on<Dim, float>(mesh, seed);
    MarkerParticles<Dim> markers;
    markers.reseed(mesh, phi, 0);
    for (std::size_t l = 0; l < mesh.leaf_count(); ++l) {
      const LeafLevelSet<Dim, float> in_leaf(mesh.view(), phi.view(), LeafId(l));
      const int count = markers.leaf_begin()[l + 1] - markers.leaf_begin()[l];
      if (in_leaf.nearest() >= 2 * in_leaf.size) continue;
      ++band;
      wanted += 8;
      there += static_cast<std::size_t>(count);
      if (count > 0) {
        ++filled;
        levels.insert(tree.view().level(LeafId(l)));
      }
    }
  });
  // Not all can be brought into the band: beside a leaf that is far smaller it ends all at once.
  EXPECT_GT(static_cast<double>(filled), 0.85 * static_cast<double>(band));
  EXPECT_GT(static_cast<double>(there), 0.8 * static_cast<double>(wanted));
  EXPECT_GE(levels.size(), 6u);

  // In the paper only the finest leaves get any; some of them have to move on to be in the band.
  std::size_t all = 0, astray = 0;
  for_random_trees<Dim>(marker_trees / 3, [&](const Octree<Dim>& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    MarkerParticles<Dim> markers(MarkerRules::named("losasso04", Dim));
    markers.reseed(mesh, ball_on<Dim, float>(mesh, seed), 0);
    all += markers.size();
    for (const auto& p : placed(mesh, markers))
      astray += tree.view().level(p.leaf) < tree.deepest_level() ? 1 : 0;
  });
  EXPECT_GT(all, 0u);
  EXPECT_LT(astray, all / 10);
}

TYPED_TEST(MarkerTest, NothingMovesWhereNothingHasEscaped) {
  constexpr int Dim = TestFixture::dim;
  for_random_trees<Dim>(marker_trees, [&](const Octree<Dim>& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    NodeField<double> phi = ball_on<Dim, double>(mesh, seed);
    const NodeField<double> before = phi;
    MarkerParticles<Dim> markers;
    markers.reseed(mesh, phi, 0);
    const MarkerCorrection none = markers.correct(mesh, phi);
    ASSERT_EQ(none.escaped, 0u);
    for (std::size_t i = 0; i < phi.size(); ++i) ASSERT_EQ(phi[NodeId(i)], before[NodeId(i)]);

    // A level set that has shrunk is corrected at corners of leaves with particles that have escaped, and nowhere else
    // but at nodes that hang.
    NodeField<double> shrunk = ball_on<Dim, double>(mesh, seed, -0.05 * tree.domain().root_size);
    const NodeField<double> wrong = shrunk;
    std::set<std::uint32_t> may_move;
    for_each_marker(mesh, markers, wrong,
                    [&](LeafId leaf, const MarkerParticle<Dim>& p, const auto& in_leaf) {
                      if (!p.is_escaped(in_leaf.value(p.local))) return;
                      for (int c = 0; c < child_count<Dim>; ++c)
                        may_move.insert(mesh.view().node(leaf, c));
                    });
    for (const HangingNode<Dim>& h : mesh.view().hanging) may_move.insert(h.node);
    markers.correct(mesh, shrunk);
    for (std::size_t i = 0; i < phi.size(); ++i)
      ASSERT_TRUE(shrunk[NodeId(i)] == wrong[NodeId(i)] ||
                  may_move.contains(static_cast<std::uint32_t>(i)));
  });
}

// The rule of the correction, node by node, from all escaped particles of the leaves of which it is a corner.
template <int Dim>
NodeField<double> corrected_by_the_rule(const Mesh<Dim>& mesh, const MarkerParticles<Dim>& markers,
                                        const NodeField<double>& phi) {
  NodeField<double> plus = phi, minus = phi, result = phi;
  for_each_marker(
      mesh, markers, phi, [&](LeafId leaf, const MarkerParticle<Dim>& p, const auto& in_leaf) {
        if (!p.is_escaped(in_leaf.value(p.local))) return;
        for (int c = 0; c < child_count<Dim>; ++c) {
          Vec<Dim> away = p.local.template cast<double>();
          for (int a = 0; a < Dim; ++a) away[a] -= (c >> a) & 1;
          const double s = p.sign(), sphere = s * (p.radius() - in_leaf.size * length(away));
          const NodeId node = mesh.view().node(leaf, c);
          if (s > 0) plus[node] = std::max(plus[node], sphere);
          if (s < 0) minus[node] = std::min(minus[node], sphere);
        }
      });
  for (std::size_t i = 0; i < phi.size(); ++i) {
    const NodeId n(i);
    result[n] = std::abs(plus[n]) <= std::abs(minus[n]) ? plus[n] : minus[n];
  }
  constrain(mesh, result);
  return result;
}

TYPED_TEST(MarkerTest, CorrectionFollowsTheRule) {
  constexpr int Dim = TestFixture::dim;
  std::size_t corrected = 0;
  for_random_trees<Dim>(marker_trees, [&](const Octree<Dim>& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    MarkerParticles<Dim> markers;
    markers.reseed(mesh, ball_on<Dim, double>(mesh, seed), 0);
    const double grow = (seed % 2 == 0 ? 0.05 : -0.05) * tree.domain().root_size;
    NodeField<double> phi = ball_on<Dim, double>(mesh, seed, grow);
    const NodeField<double> expected = corrected_by_the_rule(mesh, markers, phi);
    corrected += markers.correct(mesh, phi).nodes;
    for (std::size_t i = 0; i < phi.size(); ++i)
      ASSERT_NEAR(phi[NodeId(i)], expected[NodeId(i)], 1e-6 * tree.domain().root_size);
  });
  EXPECT_GT(corrected, 2u * marker_trees);
}

// A ball that has lost a shell gets most of it back from particles that were beside its surface.
TYPED_TEST(MarkerTest, ParticlesBringBackWhatIsLost) {
  constexpr int Dim = TestFixture::dim;
  Domain<Dim> box;
  const auto tree = Octree<Dim>::build(box, [](const Leaf<Dim>& l) { return l.level < 4; });
  const Mesh<Dim> mesh(tree);
  const double h = box.size(4);
  const NodeField<double> right = ball_on<Dim, double>(mesh, 3);
  NodeField<double> phi = ball_on<Dim, double>(mesh, 3, -0.6 * h);
  MarkerParticles<Dim> markers(MarkerRules{.particles_per_leaf = 64});
  markers.reseed(mesh, right, 0);
  auto error = [&] {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < phi.size(); ++i)
      if (std::abs(right[NodeId(i)]) < 0.5 * h) {
        sum += std::abs(phi[NodeId(i)] - right[NodeId(i)]);
        ++count;
      }
    return sum / count;
  };
  const double before = error();
  markers.correct(mesh, phi);
  EXPECT_NEAR(before, 0.6 * h, 1e-3 * h);
  EXPECT_LT(error(), 0.3 * before);
}

TYPED_TEST(MarkerTest, RadiiStayWithinBounds) {
  constexpr int Dim = TestFixture::dim;
  for_random_trees<Dim>(marker_trees, [&](const Octree<Dim>& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    MarkerParticles<Dim> markers;
    markers.reseed(mesh, ball_on<Dim, float>(mesh, seed), 0);
    const NodeField<float> phi = ball_on<Dim, float>(mesh, seed, 0.04 * tree.domain().root_size);
    markers.adjust_radii(mesh, phi);
    for_each_marker(
        mesh, markers, phi, [&](LeafId, const MarkerParticle<Dim>& p, const auto& in_leaf) {
          const double depth = p.sign() * in_leaf.value(p.local), h = in_leaf.size, tiny = 1e-5 * h;
          ASSERT_GT(p.radius(), 0);
          ASSERT_LE(p.radius(), 0.5 * h + tiny);
          if (depth > 0) {
            ASSERT_NEAR(p.radius(), std::clamp(depth, 0.05 * h, 0.5 * h), tiny);
          }
          if (depth <= 0) {
            ASSERT_LE(p.radius(), 0.05 * h + tiny);
          }
        });
  });
}

// Splitting and merging leaves keeps every particle, where it is, and its radius.
TYPED_TEST(MarkerTest, AnotherMeshKeepsAllParticles) {
  constexpr int Dim = TestFixture::dim;
  for_random_trees<Dim>(marker_trees, [&](const Octree<Dim>& tree, std::uint64_t seed) {
    const Mesh<Dim> from(tree);
    Octree<Dim> other = tree;
    Buffer<Mark> marks(tree.leaf_count());
    const Random random(seed);
    for (std::size_t i = 0; i < marks.size(); ++i)
      marks[i] = tree.keys()[i].level() == max_level
                     ? Mark::coarsen
                     : static_cast<Mark>(random.below(3, tree.keys()[i].bits >> (3 * Dim)) - 1);
    change(other, std::as_const(marks).view());
    const Mesh<Dim> to(other);
    MarkerParticles<Dim> markers;
    markers.reseed(from, ball_on<Dim, float>(from, seed), 0);
    auto order = [](const PlacedMarker<Dim>& p, const PlacedMarker<Dim>& q) {
      return p.signed_radius < q.signed_radius;
    };
    auto before = placed(from, markers);
    markers.rehouse(from, to);
    auto after = placed(to, markers);
    ASSERT_EQ(before.size(), after.size());
    std::sort(before.begin(), before.end(), order);
    std::sort(after.begin(), after.end(), order);
    Vec<Dim> moved{};
    for (std::size_t i = 0; i < before.size(); ++i) {
      ASSERT_EQ(before[i].signed_radius, after[i].signed_radius);
      moved += after[i].x - before[i].x;
      const Vec<Dim> lo = other.domain().position(other.view().lo(after[i].leaf));
      const double h = other.view().size(after[i].leaf);
      const Box<Dim> leaf{lo, lo + Vec<Dim>::filled(h)};
      ASSERT_LT(distance_to_box(after[i].x, leaf), 1e-6 * h);
    }
    ASSERT_LE(length(moved), 1e-6 * tree.domain().root_size * static_cast<double>(before.size()));
  });
}

TYPED_TEST(MarkerTest, ReseedingKeepsTheEscapedAndTheNearest) {
  constexpr int Dim = TestFixture::dim;
  std::size_t escaped_before = 0;
  for_random_trees<Dim>(marker_trees / 3, [&](const Octree<Dim>& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    MarkerParticles<Dim> many(MarkerRules{.particles_per_leaf = 24});
    many.reseed(mesh, ball_on<Dim, float>(mesh, seed), 0);
    const NodeField<float> phi = ball_on<Dim, float>(mesh, seed, -0.03 * tree.domain().root_size);
    MarkerParticles<Dim> markers(MarkerRules{.particles_per_leaf = 6});
    const View<const MarkerParticle<Dim>> p = many.particles();
    markers.restore(mesh, {reinterpret_cast<const float*>(p.data()), (Dim + 1) * p.size()},
                    many.leaf_begin());
    std::vector<std::vector<double>> scores(mesh.leaf_count());
    std::vector<int> escaped(mesh.leaf_count(), 0);
    auto score = [](const MarkerParticle<Dim>& q, const auto& in_leaf) {
      return static_cast<double>(q.sign()) * in_leaf.value(q.local) -
             static_cast<double>(q.radius());
    };
    for_each_marker(mesh, markers, phi,
                    [&](LeafId l, const MarkerParticle<Dim>& q, const auto& in_leaf) {
                      if (q.is_escaped(in_leaf.value(q.local)))
                        ++escaped[l];
                      else if (in_leaf.nearest() < 2 * in_leaf.size &&
                               q.sign() * in_leaf.value(q.local) <= 2 * in_leaf.size)
                        scores[l].push_back(score(q, in_leaf));
                    });
    markers.reseed(mesh, phi, 1);
    std::vector<int> still_escaped(mesh.leaf_count(), 0);
    std::vector<std::multiset<double>> kept(mesh.leaf_count());
    for_each_marker(mesh, markers, phi,
                    [&](LeafId l, const MarkerParticle<Dim>& q, const auto& in_leaf) {
                      if (q.is_escaped(in_leaf.value(q.local)))
                        ++still_escaped[l];
                      else
                        kept[l].insert(score(q, in_leaf));
                    });
    for (std::size_t l = 0; l < mesh.leaf_count(); ++l) {
      ASSERT_EQ(still_escaped[l], escaped[l]);
      escaped_before += static_cast<std::size_t>(escaped[l]);
      std::sort(scores[l].begin(), scores[l].end());
      for (std::size_t i = 0; i < std::min<std::size_t>(6, scores[l].size()); ++i)
        ASSERT_TRUE(kept[l].contains(scores[l][i]));
    }
  });
  EXPECT_GT(escaped_before, 100u);
}

// Walls that are open let particles out, closed ones do not.
TYPED_TEST(MarkerTest, OpenWallsLetParticlesOut) {
  constexpr int Dim = TestFixture::dim;
  for_random_trees<Dim>(30, [&](const Octree<Dim>& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    const NodeField<float> phi = ball_on<Dim, float>(mesh, seed);
    NodeField<Vec<Dim, float>> velocity(mesh, Vec<Dim, float>::filled(0));
    const Box<Dim> box = tree.domain().box();
    const double shift = 0.3 * box.size()[0];
    for (std::size_t i = 0; i < velocity.size(); ++i)
      velocity[NodeId(i)][0] = static_cast<float>(shift);
    for (const bool open : {false, true}) {
      MarkerParticles<Dim> markers;
      markers.reseed(mesh, phi, 0);
      std::size_t beyond = 0;
      const auto before = placed(mesh, markers);
      for (const auto& p : before) beyond += p.x[0] + shift > box.hi[0] ? 1 : 0;
      OpenWalls<Dim> walls{box, {}};
      walls.open[1] = open;
      const Characteristics<Dim, float> paths{
          mesh.view(), std::as_const(velocity).view(), 1.0, walls, {}};
      markers.advect(paths, mesh);
      ASSERT_EQ(markers.size(), before.size() - (open ? beyond : 0));
      for (const auto& p : placed(mesh, markers))
        ASSERT_GE(p.x[0], box.lo[0] + 0.999 * shift * (open ? 1 : 0.0));
    }
  });
}

TYPED_TEST(MarkerTest, WhatMakesNoSenseIsRefused) {
  constexpr int Dim = TestFixture::dim;
  EXPECT_THROW(MarkerParticles<Dim>(MarkerRules{.particles_per_leaf = -1}), InputError);
  EXPECT_THROW(MarkerParticles<Dim>(MarkerRules{.band = 0.01}), InputError);
  EXPECT_THROW(MarkerParticles<Dim>(MarkerRules{.least_radius = 1}), InputError);
  EXPECT_THROW(MarkerParticles<Dim>(MarkerRules{.largest_radius = HUGE_VAL}), InputError);
  EXPECT_THROW(MarkerParticles<Dim>(MarkerRules{.reseed_every = -1}), InputError);
  EXPECT_THROW(MarkerRules::named("enright", Dim), InputError);

  const Octree<Dim> tree{Domain<Dim>{}};
  const Mesh<Dim> mesh(tree);
  MarkerParticles<Dim> markers;
  std::vector<float> one(Dim + 1, 0.5F);
  std::vector<std::int32_t> begin{0, 1};
  auto restore = [&] {
    markers.restore(mesh, {one.data(), one.size()}, {begin.data(), begin.size()});
  };
  restore();
  EXPECT_EQ(markers.size(), 1u);
  begin = {0, 2};
  EXPECT_THROW(restore(), InputError);
  begin = {1, 1};
  EXPECT_THROW(restore(), InputError);
  begin = {0, 1};
  one[0] = 1.5F;
  EXPECT_THROW(restore(), InputError);
  one[0] = 0.5F;
  one[Dim] = 0;
  EXPECT_THROW(restore(), InputError);
  one.pop_back();
  EXPECT_THROW(restore(), InputError);
}

}  // namespace
}  // namespace octavo::test
