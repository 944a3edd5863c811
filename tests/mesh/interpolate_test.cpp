#include "octavo/mesh/interpolate.h"

#include <gtest/gtest.h>

#include "octavo/mesh/nodal_velocity.h"
#include "support/random_tree.h"

namespace octavo {
namespace {

template <class D>
class InterpolateTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(InterpolateTest, test::Dims);

template <int Dim>
double linear(const Vec<Dim>& p) {
  double v = 0.75;
  for (int a = 0; a < Dim; ++a)
    v += std::array{1.5, -2.25, 0.5}[static_cast<std::size_t>(a)] * p[a];
  return v;
}

template <int Dim>
NodeField<double> random_field(const Mesh<Dim>& mesh, std::uint64_t seed) {
  NodeField<double> field(mesh);
  const Random random(seed);
  for (std::size_t n = 0; n < mesh.node_count(); ++n) field[NodeId(n)] = random.uniform(n);
  constrain(mesh, field);
  return field;
}

TYPED_TEST(InterpolateTest, ExactForLinearFunctions) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(test::tree_count, [](const Octree<Dim>& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    NodeField<double> field(mesh);
    for (std::size_t n = 0; n < mesh.node_count(); ++n)
      field[NodeId(n)] = linear(mesh.view().position(NodeId(n)));

    // Constraining a linear field changes nothing but roundings.
    NodeField<double> constrained = field;
    constrain(mesh, constrained);
    for (std::size_t n = 0; n < mesh.node_count(); ++n)
      ASSERT_NEAR(constrained[NodeId(n)], field[NodeId(n)], 1e-13);

    const Random random(seed);
    const Box<Dim> box = tree.domain().box();
    for (std::uint32_t i = 0; i < 30; ++i) {
      Vec<Dim> p{};
      for (int a = 0; a < Dim; ++a)
        p[a] = box.lo[a] + random.uniform(i, static_cast<std::uint32_t>(a)) * box.size()[a];
      ASSERT_NEAR(sample<double>(mesh.view(), constrained.view(), p), linear(p), 1e-12);
    }
  });
}

// The value at a point of a face is the same from both its leaves, for random nodal values.
TYPED_TEST(InterpolateTest, ContinuousAcrossEveryFace) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(test::tree_count, [](const Octree<Dim>& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    const MeshView<Dim> m = mesh.view();
    const NodeField<double> field = random_field(mesh, seed);
    const Random random(seed);
    auto value_in = [&](LeafId leaf, const Vec<Dim>& at) {  // `at` in lattice units
      Vec<Dim> local =
          (at - m.tree.lo(leaf).template cast<double>()) / double(m.tree.leaf_key[leaf].size());
      return sample_in_leaf<double>(m, field.view(), leaf, local);
    };
    for (std::uint32_t f = 0; f < m.face_count(); ++f) {
      if (m.is_wall(FaceId(f))) continue;
      const auto fine = m.finer(FaceId(f));
      Vec<Dim> at = m.tree.lo(fine.leaf).template cast<double>();
      for (int a = 0; a < Dim; ++a) {
        const double t =
            a == fine.side / 2 ? fine.side % 2 : random.uniform(f, static_cast<std::uint32_t>(a));
        at[a] += t * m.tree.leaf_key[fine.leaf].size();
      }
      ASSERT_NEAR(value_in(m.face_leaf[f].low, at), value_in(m.face_leaf[f].high, at), 1e-12);
    }
  });
}

// The test above can fail: without constraints the field jumps.
TYPED_TEST(InterpolateTest, UnconstrainedFieldsJump) {
  constexpr int Dim = TestFixture::dim;
  const auto tree = Octree<Dim>::build(
      {}, [](const Leaf<Dim>& l) { return l.level < 1 || (l.level < 3 && l.center[0] < 0.5); });
  const Mesh<Dim> mesh(tree);
  NodeField<double> field(mesh);
  for (std::size_t n = 0; n < mesh.node_count(); ++n) field[NodeId(n)] = Random(1).uniform(n);
  Vec<Dim> left = Vec<Dim>::filled(0.3), right = left;
  left[0] = 0.5 - 1e-9;
  right[0] = 0.5 + 1e-9;
  auto jump = [&] {
    return std::abs(sample<double>(mesh.view(), std::as_const(field).view(), left) -
                    sample<double>(mesh.view(), std::as_const(field).view(), right));
  };
  EXPECT_GT(jump(), 1e-3);
  constrain(mesh, field);
  EXPECT_LT(jump(), 1e-7);
}

TYPED_TEST(InterpolateTest, NodesReturnTheirOwnValues) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(100, [](const Octree<Dim>& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    const NodeField<double> field = random_field(mesh, seed);
    for (std::size_t i = 0; i < mesh.leaf_count(); ++i)
      for (int c = 0; c < child_count<Dim>; ++c) {
        Vec<Dim> local{};
        for (int a = 0; a < Dim; ++a) local[a] = (c >> a) & 1;
        const NodeId node = mesh.view().node(LeafId(i), c);
        ASSERT_EQ((sample_in_leaf<double>(mesh.view(), field.view(), LeafId(i), local)),
                  field[node]);
      }
  });
}

TYPED_TEST(InterpolateTest, PointsOutsideTakeTheNearestValue) {
  constexpr int Dim = TestFixture::dim;
  const auto tree = test::random_tree<Dim>(9);
  const Mesh<Dim> mesh(tree);
  const NodeField<double> field = random_field(mesh, 9);
  const Box<Dim> box = tree.domain().box();
  const auto at = [&](const Vec<Dim>& p) { return sample<double>(mesh.view(), field.view(), p); };
  EXPECT_DOUBLE_EQ(at(box.hi + Vec<Dim>::filled(7)), at(box.hi));
  EXPECT_EQ(at(box.lo - Vec<Dim>::filled(7)), field[NodeId(0)]);
  EXPECT_EQ(at(Vec<Dim>::filled(std::nan(""))), field[NodeId(0)]);
}

// A face field of a linear velocity, sampled at face centres.
template <int Dim>
Vec<Dim> linear_velocity(const Vec<Dim>& p) {
  Vec<Dim> u{};
  for (int a = 0; a < Dim; ++a) u[a] = linear(p) * (a + 1) + p[(a + 1) % Dim];
  return u;
}

// Nodes away from the walls get exactly the velocity of a linear field, for any jump of levels,
// because the mean is over squares placed symmetrically around them.
TYPED_TEST(InterpolateTest, NodalVelocityExactForLinearFields) {
  constexpr int Dim = TestFixture::dim;
  std::size_t inside = 0;
  test::for_random_trees<Dim>(test::tree_count, [&](const Octree<Dim>& tree, std::uint64_t) {
    const Mesh<Dim> mesh(tree);
    const MeshView<Dim> m = mesh.view();
    FaceField<double> velocity(mesh);
    for (std::uint32_t f = 0; f < m.face_count(); ++f)
      velocity[FaceId(f)] = linear_velocity(m.center(FaceId(f)))[m.axis(FaceId(f))];
    const auto nodal = nodal_velocity(mesh, velocity);

    // A hanging node depends on a wall if any of its sources does.
    std::vector<bool> exact(m.node_count(), true);
    for (std::size_t n = 0; n < m.node_count(); ++n) {
      const Lattice<Dim> p = m.lattice(NodeId(n));
      for (int a = 0; a < Dim; ++a)
        if (p[a] == 0 || p[a] == tree.domain().extent()[a]) exact[n] = false;
    }
    for (const HangingNode<Dim>& h : m.hanging)
      for (int j = 0; j < HangingNode<Dim>::source_count; ++j)
        if (h.template weight<double>(j) != 0 && !exact[h.source[j]]) exact[h.node] = false;

    for (std::size_t n = 0; n < m.node_count(); ++n) {
      if (!exact[n]) continue;
      ++inside;
      const Vec<Dim> expected = linear_velocity(m.position(NodeId(n)));
      for (int a = 0; a < Dim; ++a) ASSERT_NEAR(nodal[NodeId(n)][a], expected[a], 1e-12);
    }
  });
  EXPECT_GT(inside, test::sanitized ? 2000u : 10000u);
}

TYPED_TEST(InterpolateTest, UniformVelocityIsUniformEverywhere) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(100, [](const Octree<Dim>& tree, std::uint64_t) {
    const Mesh<Dim> mesh(tree);
    FaceField<double> velocity(mesh);
    for (std::uint32_t f = 0; f < mesh.face_count(); ++f)
      velocity[FaceId(f)] = 1.0 + mesh.view().axis(FaceId(f));
    const auto nodal = nodal_velocity(mesh, velocity);
    for (std::size_t n = 0; n < mesh.node_count(); ++n)
      for (int a = 0; a < Dim; ++a) ASSERT_NEAR(nodal[NodeId(n)][a], 1.0 + a, 1e-13);
  });
}

// The paper's rule by hand. Around the node at (1/2, 1/2) stand, on the low x side, two leaves of
// size 1/2; on the high x side below, one of size 1/2; above it four of size 1/4:
//   u at the node = mean of the u-face below (1/2) and of the two u-faces above (1/4 each),
//   coarsened.
TEST(NodalVelocity, CoarsestFaceSetsTheScale) {
  const auto tree = Octree<2>::build({}, [](const Leaf<2>& l) {
    return l.level < 1 || (l.level < 2 && l.center[0] > 0.5 && l.center[1] > 0.5);
  });
  const Mesh<2> mesh(tree);
  const MeshView<2> m = mesh.view();
  FaceField<double> velocity(mesh);
  for (std::uint32_t f = 0; f < m.face_count(); ++f) {
    const Vec2d c = m.center(FaceId(f));
    if (m.axis(FaceId(f)) == 0 && std::abs(c[0] - 0.5) < 1e-9)
      velocity[FaceId(f)] = c[1] < 0.5 ? 1.0 : c[1] < 0.75 ? 2.0 : 6.0;
  }
  const auto nodal = nodal_velocity(mesh, velocity);
  const auto u = sample<Vec2d>(m, nodal.view(), Vec2d{0.5, 0.5});
  EXPECT_DOUBLE_EQ(u[0], (1.0 + (2.0 + 6.0) / 2) / 2);
}

// Second order: the error of a smooth field falls by four when every leaf is split.
TYPED_TEST(InterpolateTest, SecondOrderForSmoothFields) {
  constexpr int Dim = TestFixture::dim;
  auto f = [](const Vec<Dim>& p) { return std::sin(3 * p[0]) * std::cos(2 * p[1] + p[Dim - 1]); };
  double before = 0;
  for (int level = 3; level < 6; ++level) {
    const auto tree = Octree<Dim>::build({}, [&](const Leaf<Dim>& l) {
      return l.level < level - 2 ||
             (l.level < level && length(l.center - Vec<Dim>::filled(0.5)) < 0.3);
    });
    const Mesh<Dim> mesh(tree);
    NodeField<double> field(mesh);
    for (std::size_t n = 0; n < mesh.node_count(); ++n)
      field[NodeId(n)] = f(mesh.view().position(NodeId(n)));
    constrain(mesh, field);
    double error = 0;
    const Random random(6);
    for (std::uint32_t i = 0; i < 20000; ++i) {
      Vec<Dim> p{};
      for (int a = 0; a < Dim; ++a) p[a] = random.uniform(i, static_cast<std::uint32_t>(a));
      error += std::abs(sample<double>(mesh.view(), std::as_const(field).view(), p) - f(p)) / 20000;
    }
    if (level > 3) {
      EXPECT_GT(std::log2(before / error), 1.85) << "level " << level;
    }
    before = error;
  }
}

}  // namespace
}  // namespace octavo
