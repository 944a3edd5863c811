// The contour is a closed oriented manifold, whatever the tree and the level set, and encloses the volume of the leaves.

#include "octavo/level_set/contour.h"

#include <gtest/gtest.h>

#include "octavo/level_set/liquid_volume.h"
#include "octavo/shapes/mesh_checks.h"
#include "support/level_set_cases.h"

namespace octavo {
namespace {

template <class D>
class ContourTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(ContourTest, test::Dims);

template <int Dim, class Real>
struct Case {
  explicit Case(Octree<Dim> t) : tree(std::move(t)), mesh(tree) {}

  void build(const NodeField<Real>& phi, const NodeField<Real>* solid = nullptr) {
    surface.build(mesh, phi, solid);
    contour.build(surface);
    volume.measure(surface);
  }
  auto facts() const { return test::facts<Dim>(contour, mesh.tree().domain().box().center()); }

  Octree<Dim> tree;
  Mesh<Dim> mesh;
  SurfaceLeaves<Dim, Real> surface;
  Contour<Dim, Real> contour;
  LiquidVolume<Dim, Real> volume;
};

template <int Dim, class Real>
void expect_closed(const Case<Dim, Real>& c) {
  const auto facts = c.facts();
  const double box = c.tree.domain().volume();
  ASSERT_EQ(facts.breach, "");
  ASSERT_GT(facts.smallest, 0.0);
  ASSERT_NEAR(facts.volume, c.volume.total(), 1e-12 * box);
  ASSERT_NEAR(facts.area, c.volume.surface_area(),
              1e-12 * (facts.area + box / c.tree.domain().root_size));
  for (const Vec<Dim>& x : c.contour.vertices()) ASSERT_TRUE(c.tree.domain().box().contains(x));
}

template <int Dim, class Real>
void random_contours(int count) {
  std::size_t triangles = 0;
  test::for_random_trees<Dim>(count, [&](Octree<Dim> tree, std::uint64_t seed) {
    Case<Dim, Real> c(std::move(tree));
    for (int kind = 0; kind < test::level_set_kinds; ++kind) {
      SCOPED_TRACE("kind " + std::to_string(kind));
      const auto phi = test::random_level_set<Dim, Real>(c.mesh, seed, kind);
      c.build(phi);
      expect_closed(c);
      triangles += c.contour.triangles().size();
      if (seed % 2 == 0) continue;
      SCOPED_TRACE("with a solid");
      const auto solid = test::random_level_set<Dim, Real>(
          c.mesh, seed + 1000, static_cast<int>((seed / 2) % test::level_set_kinds));
      c.build(phi, &solid);
      expect_closed(c);
    }
  });
  EXPECT_GT(triangles, static_cast<std::size_t>(count) * 100);
}

TYPED_TEST(ContourTest, RandomTreesAndLevelSets) {
  constexpr int Dim = TestFixture::dim;
  random_contours<Dim, double>(test::sanitized ? 20 : 200);
  random_contours<Dim, float>(test::sanitized ? 10 : 50);
}

}  // namespace
}  // namespace octavo
