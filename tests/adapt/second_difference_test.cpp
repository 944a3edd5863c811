// The criterion that needs no search for most leaves, beside one that samples for all of them.

#include <gtest/gtest.h>

#include "octavo/adapt/field_criteria.h"
#include "octavo/mesh/interpolate.h"
#include "support/random_tree.h"

namespace octavo {
namespace {

template <class D>
class SecondDifferenceTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(SecondDifferenceTest, test::Dims);

template <int Dim>
double by_sampling(const Mesh<Dim>& mesh, const NodeField<double>& field, LeafId leaf) {
  const MeshView<Dim> m = mesh.view();
  const double h = m.tree.size(leaf);
  const Box<Dim> box = m.tree.domain.box();
  double largest = 0;
  for (int c = 0; c < child_count<Dim>; ++c)
    for (int a = 0; a < Dim; ++a) {
      const Vec<Dim> at = m.tree.domain.position(m.lattice(leaf, c));
      Vec<Dim> low = at, high = at;
      low[a] -= h;
      high[a] += h;
      if (low[a] < box.lo[a] - 1e-6 * h || high[a] > box.hi[a] + 1e-6 * h) continue;
      auto value = [&](const Vec<Dim>& p) { return sample<double>(m, field.view(), p); };
      largest = std::max(largest, std::abs(value(low) + value(high) - 2 * value(at)));
    }
  return largest;
}

TYPED_TEST(SecondDifferenceTest, IsWhatSamplingFinds) {
  constexpr int Dim = TestFixture::dim;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Octree<Dim> tree = test::random_tree<Dim>(seed);
    const Mesh<Dim> mesh(tree);
    NodeField<double> field(mesh);
    const Random random(seed);
    for (std::size_t i = 0; i < mesh.node_count(); ++i) field[NodeId(i)] = random.uniform(i);
    constrain(mesh, field);
    const View<const double> nodal = std::as_const(field).view();
    for (std::size_t i = 0; i < mesh.leaf_count(); ++i) {
      const double c =
          second_difference(mesh.view(), nodal, LeafId(i), [](double v, int) { return v; });
      ASSERT_NEAR(c, by_sampling(mesh, field, LeafId(i)), 1e-6) << seed << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace octavo
