// Sources bring as much on coarse leaves as on fine ones, in one step as in many.

#include "octavo/sources/emission.h"

#include <gtest/gtest.h>

#include <numbers>

#include "support/random_tree.h"

namespace octavo {
namespace {

template <class D>
class EmissionTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(EmissionTest, test::Dims);

// Leaves of one size, but for the finest ones in a corner.
template <int Dim>
Octree<Dim> tree_of(int level, int finest) {
  return Octree<Dim>::build(Domain<Dim>{}, [=](const Leaf<Dim>& leaf) {
    const bool corner = leaf.center[0] - leaf.reach <= 0 && leaf.center[1] - leaf.reach <= 0;
    return leaf.level < (corner ? finest : level);
  });
}

template <int Dim>
double whole(const Mesh<Dim>& mesh, const NodeField<double>& field) {
  const MeshView<Dim> m = mesh.view();
  double sum = 0;
  for (std::size_t i = 0; i < m.leaf_count(); ++i)
    for (int c = 0; c < child_count<Dim>; ++c)
      sum += field[m.node(LeafId(i), c)] * std::pow(m.tree.size(LeafId(i)), Dim) / child_count<Dim>;
  return sum;
}

template <int Dim>
struct Ball {
  double radius = 0.17;
  Source<Dim> source{.shape = sphere_shape<Dim>(Vec<Dim>::filled(0.53), radius)};

  double volume() const {
    constexpr double pi = std::numbers::pi;
    return Dim == 2 ? pi * radius * radius : 4 * pi / 3 * radius * radius * radius;
  }
  NodeField<double> after(const Mesh<Dim>& mesh, int steps, double outside) const {
    NodeField<double> density(mesh, outside);
    for (int s = 0; s < steps; ++s)
      emit<Dim, double>(mesh, std::span(&source, 1), s, s + 1,
                        {{{"density", &density, outside}}, nullptr});
    return density;
  }
};

// With leaves that are as large as the radius, too.
TYPED_TEST(EmissionTest, BringsTheVolumeOfTheShape) {
  constexpr int Dim = TestFixture::dim;
  Ball<Dim> ball;
  for (const bool add : {false, true})
    for (const int level : {3, 4, 5, 6}) {
      const Octree<Dim> tree = tree_of<Dim>(level, 6);
      const Mesh<Dim> mesh(tree);
      ball.source.add = add;
      ball.source.values = {{"density", 2}};
      EXPECT_NEAR(whole(mesh, ball.after(mesh, 1, 0)), 2 * ball.volume(), 0.03 * ball.volume())
          << level;
    }
}

// A soft edge of a few leaves is the same on all of them.
TYPED_TEST(EmissionTest, SoftEdgesDoNotDependOnLeaves) {
  constexpr int Dim = TestFixture::dim;
  Ball<Dim> ball;
  ball.source.values = {{"density", 1}};
  ball.source.edge = 0.2;
  for (const int level : {4, 5, 6}) {
    const Octree<Dim> tree = tree_of<Dim>(level, 6);
    const Mesh<Dim> mesh(tree);
    const NodeField<double> density = ball.after(mesh, 3, 0);
    double between = 0;
    for (std::size_t i = 0; i < mesh.node_count(); ++i) {
      const double d = ball.source.shape(mesh.view().position(NodeId(i)));
      ASSERT_NEAR(density[NodeId(i)], part_inside(d, 0.2), 1e-12);
      between += d > -0.1 && d < 0.1 ? 1 : 0;
    }
    EXPECT_GT(between, 20);
  }
}

// Sources that touch have no seam between them, and one that ends at a wall is whole there.
TYPED_TEST(EmissionTest, SourcesThatTouchAreOne) {
  constexpr int Dim = TestFixture::dim;
  for (const int level : {4, 5}) {
    const Octree<Dim> tree = tree_of<Dim>(level, 6);
    const Mesh<Dim> mesh(tree);
    Vec<Dim> low = Vec<Dim>::filled(0), high = Vec<Dim>::filled(1);
    low[1] = 0.25;
    high[1] = 0.75;
    std::vector<Source<Dim>> sources;
    for (const auto& [from, to] : {std::pair{0.0, 0.5}, std::pair{0.5, 1.0}}) {
      Vec<Dim> a = low, b = high;
      a[0] = from;
      b[0] = to;
      sources.push_back({.shape = box_shape<Dim>(a, b), .values = {{"density", 1}}});
      sources.back().velocity = Vec<Dim>::filled(3);
    }
    NodeField<double> density(mesh);
    FaceField<double> velocity(mesh);
    for (int s = 0; s < 3; ++s)
      emit<Dim, double>(mesh, sources, s, s + 1, {{{"density", &density, 0}}, &velocity});
    const double h = 0.51 * std::pow(0.5, level);
    auto expect = [&](double value, double whole, const Vec<Dim>& p) {
      if (p[1] > 0.25 + h && p[1] < 0.75 - h) {
        EXPECT_NEAR(value, whole, 1e-12) << level;
      }
      if (p[1] < 0.25 - h || p[1] > 0.75 + h) {
        EXPECT_EQ(value, 0) << level;
      }
    };
    for (std::size_t i = 0; i < mesh.node_count(); ++i)
      expect(density[NodeId(i)], 1, mesh.view().position(NodeId(i)));
    for (std::size_t i = 0; i < mesh.face_count(); ++i)
      expect(velocity[FaceId(i)], 3, mesh.view().center(FaceId(i)));
    EXPECT_NEAR(whole(mesh, density), 0.5, 1e-12);
  }
}

// Where there is more than wanted, it becomes what is wanted, once and for all.
TYPED_TEST(EmissionTest, TakesAwayWhatIsTooMuch) {
  constexpr int Dim = TestFixture::dim;
  Ball<Dim> ball;
  ball.source.values = {{"density", 1.5}};
  const Octree<Dim> tree = tree_of<Dim>(5, 5);
  const Mesh<Dim> mesh(tree);
  NodeField<double> density(mesh, 3);
  emit<Dim, double>(mesh, std::span(&ball.source, 1), 0, 1, {{{"density", &density, 0}}, nullptr});
  int inside = 0;
  for (std::size_t i = 0; i < mesh.node_count(); ++i) {
    const double d = ball.source.shape(mesh.view().position(NodeId(i)));
    if (d < -0.06) {
      EXPECT_EQ(density[NodeId(i)], 1.5);
    }
    if (d > 0.06) {
      EXPECT_EQ(density[NodeId(i)], 3);
    }
    inside += d < -0.06 ? 1 : 0;
  }
  EXPECT_GT(inside, 10);
}

// Whatever is outside, edges do not fill up by and by.
TYPED_TEST(EmissionTest, StepsDoNotAddUp) {
  constexpr int Dim = TestFixture::dim;
  Ball<Dim> ball;
  for (const double outside : {0.0, 0.25, 3.0}) {
    const Octree<Dim> tree = tree_of<Dim>(3, 5);
    const Mesh<Dim> mesh(tree);
    ball.source.values = {{"density", 1.5}};
    const NodeField<double> once = ball.after(mesh, 1, outside),
                            often = ball.after(mesh, 9, outside);
    for (std::size_t i = 0; i < mesh.node_count(); ++i)
      ASSERT_NEAR(often[NodeId(i)], once[NodeId(i)], 1e-12) << outside;
    EXPECT_NEAR(whole(mesh, often) - outside, (1.5 - outside) * ball.volume(),
                0.03 * std::abs(1.5 - outside) * ball.volume());
  }
}

}  // namespace
}  // namespace octavo
