// Bodies: the same as by flooding, with their volumes and what they touch.

#include "octavo/level_set/bodies.h"

#include <gtest/gtest.h>

#include "support/level_set_cases.h"

namespace octavo {
namespace {

template <class D>
class BodiesTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(BodiesTest, test::Dims);

template <int Dim>
struct BodyCase {
  explicit BodyCase(Octree<Dim> t) : tree(std::move(t)), mesh(tree) {}
  void find(const NodeField<double>& level_set, const NodeField<double>* solid = nullptr,
            Fluid fluid = Fluid::liquid) {
    phi = level_set;
    surface.build(mesh, phi, solid, fluid);
    volume.measure(surface);
    bodies.find(surface, volume, walls);
  }

  Octree<Dim> tree;
  Mesh<Dim> mesh;
  NodeField<double> phi;
  typename Bodies<Dim, double>::Walls walls{};
  SurfaceLeaves<Dim, double> surface;
  LiquidVolume<Dim, double> volume;
  Bodies<Dim, double> bodies;
};

// Floods from leaf to leaf through all faces that are wet; -1 is without liquid.
template <int Dim>
std::vector<int> flood(const BodyCase<Dim>& c) {
  const MeshView<Dim> m = c.mesh.view();
  const auto tetrahedra = c.surface.tetrahedra();
  std::vector<int> label(m.leaf_count(), -1);
  int count = 0;
  for (std::size_t start = 0; start < label.size(); ++start) {
    if (label[start] >= 0 || c.volume.in_leaves()[LeafId(start)] == 0) continue;
    std::vector<LeafId> waiting{LeafId(start)};
    label[start] = count;
    while (!waiting.empty()) {
      const LeafId leaf = waiting.back();
      waiting.pop_back();
      for (int side = 0; side < side_count<Dim>; ++side)
        for (const FaceId f : m.faces(leaf, side))
          for (const LeafId other : {m.face_leaf[f].low, m.face_leaf[f].high})
            if (other.is_here() && label[other] < 0 && wet_part(tetrahedra, f) > 0) {
              label[other] = count;
              waiting.push_back(other);
            }
    }
    ++count;
  }
  return label;
}

TYPED_TEST(BodiesTest, AsByFlooding) {
  constexpr int Dim = TestFixture::dim;
  std::size_t bodies = 0;
  test::for_random_trees<Dim>(
      test::sanitized ? 20 : 100, [&](Octree<Dim> tree, std::uint64_t seed) {
        BodyCase<Dim> c(std::move(tree));
        for (int kind = 0; kind < test::level_set_kinds; ++kind) {
          SCOPED_TRACE("kind " + std::to_string(kind));
          c.find(test::random_level_set<Dim, double>(c.mesh, seed, kind), nullptr,
                 seed % 3 == 0 ? Fluid::air : Fluid::liquid);
          const std::vector<int> label = flood(c);
          double sum = 0, area = 0;
          for (std::size_t i = 0; i < label.size(); ++i) {
            const BodyId body = c.bodies.of_leaves()[LeafId(i)];
            ASSERT_EQ(body.is_none() ? -1 : static_cast<int>(body.value), label[i]) << "leaf " << i;
          }
          for (const Body& b : c.bodies.list()) {
            sum += b.volume;
            area += b.open_area;
            ASSERT_GT(b.volume, 0);
            ASSERT_EQ(b.volume, b.volume_apart);
            ASSERT_FALSE(b.touches_solid || b.touches_open_wall);
          }
          ASSERT_NEAR(sum, c.volume.total(), 1e-12 * c.tree.domain().volume());
          ASSERT_NEAR(area, c.volume.surface_area(), 1e-12 * (1 + area));
          bodies += c.bodies.list().size();
        }
      });
  EXPECT_GT(bodies, test::sanitized ? 100u : 1000u);
}

// Two balls, one on the floor of the box, one cut by a wall that is open, in the air above a plate.
TYPED_TEST(BodiesTest, WhatTheyTouch) {
  constexpr int Dim = TestFixture::dim;
  BodyCase<Dim> c(
      Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < (Dim == 2 ? 6 : 5); }));
  auto point = [](double x, double y) {
    Vec<Dim> p = Vec<Dim>::filled(0.5);
    p[0] = x;
    p[Dim - 1] = y;
    return p;
  };
  const auto phi = test::nodal<Dim, double>(c.mesh, [&](NodeId, const Vec<Dim>& x) {
    return std::min({length(x - point(0.2, 0.03)) - 0.15, length(x - point(1, 0.5)) - 0.2,
                     length(x - point(0.5, 0.5)) - 0.15});
  });
  const auto solid = test::nodal<Dim, double>(
      c.mesh, [&](NodeId, const Vec<Dim>& x) { return length(x - point(0.5, 0.33)) - 0.1; });
  c.walls[1] = Wall::open;
  c.find(phi, &solid);
  const auto list = c.bodies.list();
  ASSERT_EQ(list.size(), 3u);
  int seen = 0;
  for (const Body& b : list) {
    EXPECT_TRUE(b.touches_open() && !b.is_sealed());
    EXPECT_EQ(b.open_size, Dim == 2 ? 1.0 / 64 : 1.0 / 32);
    if (b.touches_solid) {
      seen |= 1;
      EXPECT_FALSE(b.touches_open_wall || b.touches_closed_wall);
      EXPECT_LT(b.volume_apart, b.volume);
      EXPECT_GT(b.volume_apart, 0.5 * b.volume);
    } else {
      EXPECT_NE(b.touches_open_wall, b.touches_closed_wall);
      seen |= b.touches_open_wall ? 2 : 4;
      EXPECT_EQ(b.volume_apart, b.volume);
    }
  }
  EXPECT_EQ(seen, 7);

  // A pocket of air in the liquid, and the air above it, which an open wall bounds.
  c.walls = {};
  c.walls[side_count<Dim> - 1] = Wall::open;
  c.find(test::nodal<Dim, double>(c.mesh,
                                  [&](NodeId, const Vec<Dim>& x) {
                                    return std::max(x[Dim - 1] - 0.7,
                                                    0.2 - length(x - point(0.5, 0.4)));
                                  }),
         nullptr, Fluid::air);
  ASSERT_EQ(c.bodies.list().size(), 2u);
  const bool pocket_first = c.bodies.list()[0].volume < c.bodies.list()[1].volume;
  const Body& pocket = c.bodies.list()[pocket_first ? 0 : 1];
  EXPECT_FALSE(pocket.touches_open_wall || pocket.touches_closed_wall || !pocket.touches_open());
  const Body& sky = c.bodies.list()[pocket_first ? 1 : 0];
  EXPECT_TRUE(sky.touches_open_wall && sky.touches_closed_wall);
  EXPECT_NEAR(sky.volume, 0.3, 1e-12);

  // A box full of liquid.
  c.walls = {};
  c.find(test::nodal<Dim, double>(c.mesh, [](NodeId, const Vec<Dim>&) { return -1; }));
  ASSERT_EQ(c.bodies.list().size(), 1u);
  EXPECT_TRUE(c.bodies.list()[0].is_sealed());
  EXPECT_EQ(c.bodies.list()[0].volume, 1);
  c.find(test::nodal<Dim, double>(c.mesh, [](NodeId, const Vec<Dim>&) { return 1; }));
  EXPECT_EQ(c.bodies.list().size(), 0u);
}

}  // namespace
}  // namespace octavo
