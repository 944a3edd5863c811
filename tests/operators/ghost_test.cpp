// Operators on a part of a mesh with ghosts around it: what they write is what they write in the whole, bit for bit,
// and what they do not own they leave alone.

#include <gtest/gtest.h>

#include "octavo/mesh/nodal_velocity.h"
#include "octavo/operators/divergence.h"
#include "support/mesh_part.h"
#include "support/random_tree.h"

namespace octavo {
namespace {

template <class D>
class GhostTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(GhostTest, test::Dims);

constexpr int trees = 12;
constexpr double untouched = -77;

template <class Place>
Field<Place, double> random_field(const auto& mesh, std::uint64_t seed) {
  Field<Place, double> field(mesh);
  const Random random(seed);
  for (std::size_t i = 0; i < field.size(); ++i)
    field[Place(i)] = random.uniform(i, static_cast<std::uint32_t>(seed)) - 0.5;
  return field;
}

template <int Dim>
struct Case {
  Octree<Dim> tree;
  Mesh<Dim> mesh;
  MeshView<Dim> whole;
  test::MeshPart<Dim> part;
  MeshView<Dim> view;

  explicit Case(std::uint64_t seed)
      : tree(test::random_tree<Dim>(seed)),
        mesh(tree),
        whole(mesh.view()),
        part(whole, tree.leaf_count() / 3, 2 * tree.leaf_count() / 3 + 1),
        view(part.view()) {}
};

TYPED_TEST(GhostTest, APartKnowsWhatIsAWallAndWhatIsElsewhere) {
  constexpr int Dim = TestFixture::dim;
  std::size_t elsewhere = 0;
  for (int seed = 1; seed <= trees; ++seed) {
    const Case<Dim> c(static_cast<std::uint64_t>(seed));
    for (std::size_t i = 0; i < c.view.face_count(); ++i) {
      const FaceId f(i), w = c.part.faces[i];
      EXPECT_EQ(c.view.is_wall(f), c.whole.is_wall(w));
      elsewhere += c.view.is_wall(f) || c.view.is_inner(f) ? 0 : 1;
      if (c.view.is_owned(f)) {
        EXPECT_TRUE(c.view.is_wall(f) || c.view.is_inner(f)) << "beyond the ring";
        EXPECT_EQ(c.view.center(f), c.whole.center(w));
      }
    }
  }
  EXPECT_GT(elsewhere, 20u);
}

TYPED_TEST(GhostTest, DivergenceIsThatOfTheWhole) {
  constexpr int Dim = TestFixture::dim;
  for (int seed = 1; seed <= trees; ++seed) {
    const Case<Dim> c(static_cast<std::uint64_t>(seed));
    const auto velocity = random_field<FaceId>(c.mesh, 5);
    LeafField<double> expected;
    divergence<Dim, double>(c.mesh, {}, velocity, expected);
    const auto u = c.part.values(c.part.faces, velocity.view());
    std::vector<double> found(c.part.leaves.size(), untouched);
    divergence<Dim, double>(c.view, {}, {u.data(), u.size()}, {found.data(), found.size()});
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(found[i], c.view.is_owned(LeafId(i)) ? expected[c.part.leaves[i]] : untouched);
  }
}

template <int Dim>
std::vector<double> gradients(const MeshView<Dim>& mesh, View<const double> pressure,
                              const PressureScheme& scheme) {
  std::vector<double> all(mesh.face_count(), untouched);
  const PressureFaces<Dim, double> faces{mesh, {}, scheme};
  for (std::size_t i = 0; i < mesh.owned_faces; ++i)
    if (faces.begins_large_face(FaceId(i)))
      for_each_gradient(
          faces, FaceId(i), 1, [&](LeafId l) { return pressure[l]; },
          [&](FaceId f, const FaceLink&, double gradient) { all[f] = gradient; });
  return all;
}

TYPED_TEST(GhostTest, GradientsAreThoseOfTheWhole) {
  constexpr int Dim = TestFixture::dim;
  for (const GradientScheme scheme :
       {GradientScheme::losasso04, GradientScheme::losasso06, GradientScheme::losasso06s})
    for (int seed = 1; seed <= trees; ++seed) {
      const Case<Dim> c(static_cast<std::uint64_t>(seed));
      const auto pressure = random_field<LeafId>(c.mesh, 6);
      const auto p = c.part.values(c.part.leaves, pressure.view());
      const auto expected = gradients(c.whole, pressure.view(), {scheme});
      const auto found = gradients(c.view, View<const double>(p.data(), p.size()), {scheme});
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_EQ(found[i], c.view.is_owned(FaceId(i)) ? expected[c.part.faces[i]] : untouched);
    }
}

TYPED_TEST(GhostTest, NodalVelocitiesAreThoseOfTheWhole) {
  constexpr int Dim = TestFixture::dim;
  using V = Vec<Dim, double>;
  for (int seed = 1; seed <= trees; ++seed) {
    const Case<Dim> c(static_cast<std::uint64_t>(seed));
    const auto velocity = random_field<FaceId>(c.mesh, 7);
    std::vector<V> expected(c.whole.node_count()), found(c.view.node_count(), V::filled(untouched));
    nodal_velocity<Dim, double>(c.whole, velocity.view(), {expected.data(), expected.size()});
    const auto u = c.part.values(c.part.faces, velocity.view());
    nodal_velocity<Dim, double>(c.view, View<const double>(u.data(), u.size()),
                                {found.data(), found.size()});
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(found[i],
                c.view.is_owned(NodeId(i)) ? expected[c.part.nodes[i]] : V::filled(untouched));
  }
}

}  // namespace
}  // namespace octavo
