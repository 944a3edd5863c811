// Particles thrown at plates stay on their side, and none is put into a solid.

#include <gtest/gtest.h>

#include "octavo/obstacles/solids.h"
#include "support/random_tree.h"
#include "surface/given_surface.h"

namespace octavo::test {
namespace {

template <class T>
using SolidParticles = BothDims<T>;
TYPED_TEST_SUITE(SolidParticles, Dims);

template <int Dim>
Shape<Dim> plate(double angle, double thickness) {
  Vec<Dim> lo = Vec<Dim>::filled(-2), hi = Vec<Dim>::filled(3);
  lo[Dim - 1] = 0.53;
  hi[Dim - 1] = 0.53 + thickness;
  Turn<Dim> turn{};
  if constexpr (Dim == 2)
    turn = angle;
  else
    turn = {0.7 * angle, angle, 0};
  return moved(box_shape<Dim>(lo, hi), Pose<Dim>::about(Vec<Dim>::filled(0.53), turn));
}

TYPED_TEST(SolidParticles, NoneCrossesAPlateAsThinAsALeaf) {
  constexpr int Dim = TestFixture::dim;
  const int level = Dim == 2 ? 5 : 4;
  const double h = 1.0 / (1 << level);
  const auto tree =
      Octree<Dim>::build(Domain<Dim>{}, [=](const Leaf<Dim>& l) { return l.level < level; });
  const Mesh<Dim> mesh(tree);
  for (int k = 0; k < (sanitized ? 2 : 5); ++k) {
    const double angle = 0.17 * k;
    const Shape<Dim> wall = plate<Dim>(angle, h);
    std::vector<Obstacle<Dim>> obstacles;
    obstacles.push_back({.shape = wall});
    const PosedObstacles<Dim> posed(obstacles, tree.domain().box(), 0.0, 0.0);
    Solids<Dim, float> solids;
    solids.measure(mesh, posed);

    // The liquid is below; it is thrown upwards at the plate by many leaves a step, while the plate is all there is.
    Vec<Dim> below = Vec<Dim>::filled(0.53);
    below[Dim - 1] -= 0.05;
    const Vec<Dim> up = [&] {
      Vec<Dim> above = Vec<Dim>::filled(0.53);
      above[Dim - 1] += 10 * h;
      return wall.normal(above, 0.1 * h);
    }();
    NodeField<float> phi(mesh);
    for (std::size_t i = 0; i < phi.size(); ++i)
      phi[NodeId(i)] = static_cast<float>(dot(mesh.view().position(NodeId(i)) - below, up));
    MarkerParticles<Dim> markers;
    markers.reseed(mesh, phi, 0, solids.nodes());
    const MeshView<Dim> m = mesh.view();
    auto for_each_place = [&](auto&& f) {
      for (std::size_t l = 0; l < m.leaf_count(); ++l)
        for (auto i = markers.leaf_begin()[l]; i < markers.leaf_begin()[l + 1]; ++i)
          f(LeafId(l),
            m.tree.domain.position(m.tree.lo(LeafId(l))) +
                markers.particles()[static_cast<std::size_t>(i)].local.template cast<double>() * h);
    };
    for_each_place([&](LeafId, const Vec<Dim>& x) { ASSERT_GE(wall(x), 0.0099 * h); });

    std::size_t before = 0, after = 0;
    auto is_beyond = [&](const Vec<Dim>& x) {
      return dot(x - Vec<Dim>::filled(0.53), up) > 0.5 * h && wall(x) > 0;
    };
    for_each_place([&](LeafId, const Vec<Dim>& x) { before += is_beyond(x) ? 1 : 0; });
    const NodeField<Vec<Dim, float>> velocity(
        mesh, (up * ((k % 2 == 0 ? 7 : 0.3) * h)).template cast<float>());
    const Characteristics<Dim, float, SolidsInTheWay<Dim>> paths{
        m, velocity.view(), 1.0, {tree.domain().box(), {}}, solids.in_the_way(solids)};
    const std::size_t count = markers.size();
    for (int s = 0; s < 8; ++s) markers.advect(paths, mesh);
    EXPECT_EQ(markers.size(), count);
    for_each_place([&](LeafId, const Vec<Dim>& x) {
      after += is_beyond(x) ? 1 : 0;
      ASSERT_GE(wall(x), 0);
    });
    EXPECT_EQ(after, before) << angle;
    EXPECT_LT(before, count / 2);
  }
}

}  // namespace
}  // namespace octavo::test
