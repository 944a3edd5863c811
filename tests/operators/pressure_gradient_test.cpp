// The pressure gradient, face by face: who takes part, over which distance, and for which pressures
// it is exact.

#include "octavo/operators/pressure_gradient.h"

#include <gtest/gtest.h>

#include "octavo/operators/divergence.h"
#include "support/pressure_problem.h"

namespace octavo {
namespace {

using test::PressureProblem;

template <class D>
class PressureFacesTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(PressureFacesTest, test::Dims);

template <int Dim>
Vec<Dim> slope() {
  Vec<Dim> g{};
  for (int a = 0; a < Dim; ++a) g[a] = std::array{1.5, -2.25, 0.5}[static_cast<std::size_t>(a)];
  return g;
}

// How far, at most, the gradient of the linear pressure g . x misses the difference between leaves.
template <int Dim>
double linear_error(const Mesh<Dim>& mesh, PressureScheme scheme, const Vec<Dim>& g) {
  const MeshView<Dim> m = mesh.view();
  const PressureFaces<Dim, double> faces{m, {}, scheme};
  double worst = 0;
  test::for_all_gradients(
      faces, 1.0, [&](LeafId leaf) { return dot(g, m.tree.center(leaf)); },
      [&](FaceId face, const FaceLink& l, double gradient) {
        if (l.kind == FaceLink::pair)
          worst = std::max(worst, l.distance * std::abs(gradient - g[m.axis(face)]));
      });
  return worst;
}

TYPED_TEST(PressureFacesTest, WholeFacesAreExactForLinearPressuresOnAnyTree) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(test::tree_count, [](const Octree<Dim>& tree, std::uint64_t) {
    const Mesh<Dim> mesh(tree);
    for (const auto scheme : {GradientScheme::losasso06, GradientScheme::losasso06s})
      ASSERT_LT(linear_error(mesh, {scheme, {}}, slope<Dim>()), 1e-13);
  });
}

TYPED_TEST(PressureFacesTest, Losasso04IsNotExactAcrossJumps) {
  constexpr int Dim = TestFixture::dim;
  const auto tree = Octree<Dim>::build(
      {}, [](const Leaf<Dim>& l) { return l.level < 1 || (l.level < 3 && l.center[0] < 0.5); });
  const Mesh<Dim> mesh(tree);
  EXPECT_GT(linear_error(mesh, {GradientScheme::losasso04, {}}, slope<Dim>()), 0.1);
  EXPECT_LT(linear_error(mesh, {GradientScheme::losasso06, {}}, slope<Dim>()), 1e-14);

  // Along the normal alone, it is with the distance along the normal, and with no other.
  auto along_normal = [&](GradientDistance delta) {
    const MeshView<Dim> m = mesh.view();
    double worst = 0;
    test::for_all_gradients(
        PressureFaces<Dim, double>{m, {}, {GradientScheme::losasso04, delta}}, 1.0,
        [&](LeafId leaf) { return m.tree.center(leaf)[0]; },
        [&](FaceId face, const FaceLink& l, double gradient) {
          if (l.kind == FaceLink::pair && m.axis(face) == 0)
            worst = std::max(worst, std::abs(gradient - 1));
        });
    return worst;
  };
  EXPECT_LT(along_normal(GradientDistance::orthogonal), 1e-13);
  EXPECT_GT(along_normal(GradientDistance::large), 0.1);
  EXPECT_GT(along_normal(GradientDistance::small), 0.1);
  EXPECT_GT(along_normal(GradientDistance::euclidean), 0.01);
}

// The formula of the paper on one large face, with numbers that can be done by hand: a leaf of size
// 1/2 beside leaves of 1/4 in x.
TYPED_TEST(PressureFacesTest, OneLargeFaceByHand) {
  constexpr int Dim = TestFixture::dim;
  Domain<Dim> domain;
  domain.roots[0] = 2;
  domain.root_size = 0.5;
  const auto tree = Octree<Dim>::build(
      domain, [](const Leaf<Dim>& l) { return l.level < 1 && l.center[0] < 0.5; });
  const PressureProblem<Dim, double> p(tree);
  const LeafId large(tree.leaf_count() - 1);
  const FaceRange range = p.mesh.view().faces(large, 0);
  ASSERT_EQ(range.size(), static_cast<std::size_t>(side_child_count<Dim>));

  // Small leaves with pressures 1, 2 (3, 4), the large one with 10: means 1.5 (2.5).
  std::vector<double> q(tree.leaf_count(), 0.0);
  q[large] = 10;
  double next = 1, mean = 0;
  for (const FaceId f : range) mean += q[p.mesh.view().face_leaf[f].low] = next++;
  mean /= static_cast<double>(range.size());
  next = 1;
  for_each_gradient(
      p.faces({GradientScheme::losasso06, {}}), range.first, 1.0, [&](LeafId l) { return q[l]; },
      [&](FaceId, const FaceLink& l, double gradient) {
        EXPECT_EQ(l.kind, FaceLink::pair);
        EXPECT_DOUBLE_EQ(l.distance, 0.375);
        EXPECT_DOUBLE_EQ(gradient, (10 - mean) / 0.375);
      });
  const std::array<double, 4> delta{0.375, 0.5, 0.25, std::sqrt(0.375 * 0.375 + (Dim - 1) / 64.0)};
  for (std::size_t d = 0; d < 4; ++d) {
    next = 1;
    for_each_gradient(
        p.faces({GradientScheme::losasso04, static_cast<GradientDistance>(d)}), range.first, 1.0,
        [&](LeafId l) { return q[l]; },
        [&](FaceId, const FaceLink&, double gradient) {
          EXPECT_DOUBLE_EQ(gradient, (10 - next++) / delta[d]);
        });
  }
}

// Walls, solids and the surface between two leaves of size 1/2.
TYPED_TEST(PressureFacesTest, LinksByHand) {
  constexpr int Dim = TestFixture::dim;
  PressureProblem<Dim, double> p(
      Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 1; }));
  const MeshView<Dim> m = p.mesh.view();
  const double area = Dim == 2 ? 0.5 : 0.25;
  const FaceId low_wall = m.first_face(LeafId(0), 0), between = m.first_face(LeafId(0), 1);
  const PressureScheme ghost_fluid{GradientScheme::losasso06s, {}, SurfaceRows::ghost_fluid};
  auto link = [&](FaceId f) { return p.faces(ghost_fluid).link(f); };

  EXPECT_EQ(link(low_wall).kind, FaceLink::closed);
  p.wall[0] = Wall::open;
  EXPECT_EQ(link(low_wall).kind, FaceLink::surface);
  EXPECT_DOUBLE_EQ(link(low_wall).distance, 0.25);
  EXPECT_DOUBLE_EQ(link(low_wall).area, area);
  EXPECT_EQ(link(low_wall).beyond, 0.0);

  EXPECT_EQ(link(between).kind, FaceLink::pair);
  EXPECT_DOUBLE_EQ(link(between).distance, 0.5);
  p.on_faces(p.open_area, [&](FaceId f) { return f == between ? 0.25 : 1.0; });
  EXPECT_DOUBLE_EQ(link(between).area, 0.25 * area);
  p.open_area[between] = 0;
  EXPECT_EQ(link(between).kind, FaceLink::closed);
  p.open_area[between] = 1;

  // Leaf 0 liquid, leaf 1 air, the surface at a fifth of the way.
  p.on_leaves(p.level_set, [](LeafId leaf) { return leaf == 0 ? -0.02 : 0.08; });
  p.on_leaves(p.surface_pressure, [](LeafId leaf) { return leaf == 0 ? 3.0 : 8.0; });
  EXPECT_EQ(link(between).kind, FaceLink::surface);
  EXPECT_TRUE(link(between).liquid_is_low);
  EXPECT_DOUBLE_EQ(link(between).distance, 0.1);
  EXPECT_DOUBLE_EQ(link(between).beyond, 4.0);
  p.level_set[0] = -1e-9;
  EXPECT_DOUBLE_EQ(link(between).distance, 0.5 * p.faces({}).least_theta);
  EXPECT_EQ(p.faces({}).link(between).kind,
            FaceLink::none);  // not deep enough but for a ghost fluid
  EXPECT_FALSE(p.faces({}).is_cut({between, FaceId(between.value + 1)}));
  p.level_set[0] = -0.006;
  EXPECT_EQ(p.faces({}).link(between).kind, FaceLink::surface);
  EXPECT_TRUE(p.faces({}).is_cut({between, FaceId(between.value + 1)}));
  p.level_set[0] = 0;  // on the surface: air
  EXPECT_EQ(link(between).kind, FaceLink::none);
}

TYPED_TEST(PressureFacesTest, LargeFacesFromEveryFirstFaceCoverAllFacesOnce) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(200, [](const Octree<Dim>& tree, std::uint64_t) {
    const PressureProblem<Dim, double> p(tree);
    const auto faces = p.faces({});
    const MeshView<Dim> m = p.mesh.view();
    std::size_t next = 0;
    for (std::size_t i = 0; i < m.face_count(); ++i) {
      if (!faces.begins_large_face(FaceId(i))) continue;
      const FaceRange range = faces.large_face_from(FaceId(i)), same = m.large_face(FaceId(i));
      ASSERT_EQ(range.first, next);
      ASSERT_EQ(range.first, same.first);
      ASSERT_EQ(range.last, same.last);
      next = range.last;
    }
    ASSERT_EQ(next, m.face_count());
  });
}

// The gradient is minus the adjoint of the divergence in the norm sum W u^2, W = area * distance:
// sum W u Gq = - sum q Du for any velocity (losasso06: one velocity on a large face) and pressure.
TYPED_TEST(PressureFacesTest, GradientIsAdjointToDivergence) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_problems<Dim, double>(
      300, [](PressureProblem<Dim, double>& p, std::uint64_t seed) {
        p.solid_velocity.resize(0);
        const Random random(seed);
        std::vector<double> q(p.mesh.leaf_count());
        for (std::size_t i = 0; i < q.size(); ++i) q[i] = random.uniform(i, 3) - 0.5;
        for (const PressureScheme scheme : test::all_schemes()) {
          SCOPED_TRACE(test::describe(scheme));
          const auto faces = p.faces(scheme);
          FaceField<double> u = test::random_velocity(p, seed);
          if (scheme.whole_faces()) share_velocity(faces, u.view());
          double left = 0, right = 0, size = 0;
          test::for_all_gradients(
              faces, 0.0, [&](LeafId leaf) { return q[leaf]; },
              [&](FaceId f, const FaceLink& l, double gradient) {
                if (l.kind != FaceLink::pair && l.kind != FaceLink::surface) return;
                left += l.area * l.distance * u[f] * gradient;
                size += l.area * l.distance * std::abs(u[f] * gradient);
              });
          for (std::size_t i = 0; i < q.size(); ++i)
            if (faces.boundary.is_liquid(LeafId(i)))
              right -= q[i] * outflow<Dim, double>(faces.mesh, faces.boundary, u.view(), LeafId(i));
          ASSERT_NEAR(left, right, 1e-12 * size);
        }
      });
}

}  // namespace
}  // namespace octavo
