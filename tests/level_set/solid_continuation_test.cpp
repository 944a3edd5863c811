// The level set inside of solids: planes go straight on; at a contact angle their slope is mirrored.

#include "octavo/level_set/solid_continuation.h"

#include <gtest/gtest.h>

#include <numbers>

#include "level_set/surface_cases.h"

namespace octavo {
namespace {

template <class D>
class SolidContinuationTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(SolidContinuationTest, test::Dims);

TYPED_TEST(SolidContinuationTest, PlanesGoStraightOnInAnyTree) {
  constexpr int Dim = TestFixture::dim;
  SolidContinuation<Dim, double> go_on;
  std::size_t reached = 0;
  double tried = 0, exact = 0;
  test::for_random_trees<Dim>(test::tree_count / 10, [&](const auto& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    const test::Plane<Dim> surface(tree.domain().box(), seed), wall(tree.domain().box(), seed + 7);
    const auto solid = test::nodal_field(mesh, wall);

    // Nodes inside begin with nonsense.
    auto phi = test::nodal_field(mesh, surface);
    std::size_t inside = 0;
    for (std::size_t i = 0; i < mesh.node_count(); ++i)
      if (solid[NodeId(i)] < 0) {
        phi[NodeId(i)] = 1e3;
        ++inside;
      }
    const std::size_t count = go_on(mesh, solid, phi, {.band = {.everywhere = true}});
    if (inside == mesh.node_count()) return;
    EXPECT_EQ(count, inside);
    reached += count;
    double worst = 0;
    for (std::size_t i = 0; i < mesh.node_count(); ++i)
      worst = std::max(worst, std::abs(phi[NodeId(i)] - surface(mesh.view().position(NodeId(i)))));
    if (mesh.leaf_count() < 8 || 2 * inside > mesh.node_count()) return;
    ++tried;
    if (worst < 1e-8) ++exact;
  });
  EXPECT_GT(reached, 1000u);

  // Where the fluid is a wedge with nodes on one line only, there is no slope across the line.
  EXPECT_GT(exact, 0.95 * tried) << exact << " of " << tried;
}

TYPED_TEST(SolidContinuationTest, SlopesAreMirroredAtTheContactAngle) {
  constexpr int Dim = TestFixture::dim;
  const auto tree = Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 4; });
  const Mesh<Dim> mesh(tree);
  const double floor = 0.27;
  const auto solid = test::nodal_field(mesh, [&](const Vec<Dim>& x) { return x[Dim - 1] - floor; });
  SolidContinuation<Dim, double> go_on;
  for (const double now : {60.0, 90.0, 110.0})
    for (const double wanted : {60.0, 90.0, 110.0}) {
      const double degree = std::numbers::pi / 180;
      Vec<Dim> outside{}, through = Vec<Dim>::filled(0.5);
      outside[0] = std::sin(now * degree);
      outside[Dim - 1] = std::cos(now * degree);
      through[Dim - 1] = floor;
      auto phi = test::nodal_field(mesh, [&](const Vec<Dim>& x) {
        return x[Dim - 1] < floor ? 0.0 : dot(outside, x - through);
      });
      go_on(mesh, solid, phi, {.contact_angle = wanted * degree, .band = {.leaves = 3}});

      Vec<Dim> inside = outside;
      inside[Dim - 1] = std::clamp(2 * std::cos(wanted * degree) - outside[Dim - 1], -1.0, 1.0);
      for (std::size_t i = 0; i < mesh.node_count(); ++i) {
        const Vec<Dim> x = mesh.view().position(NodeId(i));
        if (x[Dim - 1] > floor || x[Dim - 1] < floor - 3.0 / 16) continue;
        EXPECT_NEAR(phi[NodeId(i)], dot(inside, x - through), 1e-12)
            << now << " degrees, wanted " << wanted;
      }
    }
}

TEST(SolidContinuationInput, MistakesGetASentence) {
  const Octree<2> tree;
  const Mesh<2> mesh(tree);
  const NodeField<float> solid(mesh, 1.0f);
  NodeField<float> phi(mesh, 1.0f);
  SolidContinuation<2, float> go_on;
  EXPECT_THROW(go_on(mesh, solid, phi, {.contact_angle = 4.0}), InputError);
  EXPECT_THROW(go_on(mesh, solid, phi, {.contact_angle = std::nan("")}), InputError);
  EXPECT_EQ(go_on(mesh, solid, phi), 0u);
}

}  // namespace
}  // namespace octavo
