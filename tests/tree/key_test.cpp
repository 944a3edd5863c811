#include <gtest/gtest.h>

#include "support/random_tree.h"

namespace octavo {
namespace {

template <class D>
class KeyTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(KeyTest, test::Dims);

// A random cell and its coordinates.
template <int Dim>
struct RandomCell {
  std::uint32_t root;
  int level;
  Lattice<Dim> local;
  Key<Dim> key;

  RandomCell(const Random& random, std::uint64_t i) {
    root = static_cast<std::uint32_t>(random.below(max_roots, i, 0));
    level = random.below(max_level + 1, i, 1);
    for (int a = 0; a < Dim; ++a) {
      const auto x = static_cast<std::uint32_t>(
          random.below(1 << max_level, i, 2, static_cast<std::uint32_t>(a)));
      local[a] = x >> (max_level - level) << (max_level - level);
    }
    key = Key<Dim>::at(root, local, level);
  }
};

TYPED_TEST(KeyTest, KeepsRootLevelAndCoordinates) {
  constexpr int Dim = TestFixture::dim;
  const Random random(3);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const RandomCell<Dim> c(random, i);
    EXPECT_EQ(c.key.root_index(), c.root);
    EXPECT_EQ(c.key.level(), c.level);
    EXPECT_EQ(c.key.local(), c.local);
    EXPECT_EQ(c.key.size(), 1u << (max_level - c.level));
  }
}

TYPED_TEST(KeyTest, ParentsAndChildren) {
  constexpr int Dim = TestFixture::dim;
  const Random random(4);
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const RandomCell<Dim> c(random, i);
    if (c.level == max_level) continue;
    Key<Dim> before = c.key.first();
    for (int d = 0; d < child_count<Dim>; ++d) {
      const Key<Dim> child = c.key.child(d);
      EXPECT_EQ(child.parent(), c.key);
      EXPECT_EQ(child.ancestor(0), Key<Dim>::root(c.root));
      EXPECT_EQ(child.digit(), d);
      EXPECT_EQ(child.level(), c.level + 1);
      EXPECT_TRUE(c.key.contains(child));
      EXPECT_FALSE(child.contains(c.key));
      for (int a = 0; a < Dim; ++a)
        EXPECT_EQ(child.local()[a], c.local[a] + (((d >> a) & 1) != 0 ? child.size() : 0u));
      EXPECT_EQ(child.first(), before);  // children follow each other without a gap
      before = Key<Dim>{child.last().bits + 2};
    }
    EXPECT_EQ(before.bits, c.key.last().bits + 2);
  }
}

// Interleaving bit by bit, as in the definition, beside the fast way.
TYPED_TEST(KeyTest, MortonCodeBitByBit) {
  constexpr int Dim = TestFixture::dim;
  const Random random(5);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const RandomCell<Dim> c(random, i);
    std::uint64_t slow = 0;
    for (int bit = 0; bit < max_level; ++bit)
      for (int a = 0; a < Dim; ++a)
        slow |= std::uint64_t{(c.local[a] >> bit) & 1u} << (Dim * bit + a);
    const std::uint64_t marker = std::uint64_t{1} << (Dim * (max_level - c.level));
    EXPECT_EQ(c.key.bits, (std::uint64_t{c.root} << (Dim * max_level + 1)) | slow << 1 | marker);
  }
}

TYPED_TEST(KeyTest, DomainGoesBackAndForth) {
  constexpr int Dim = TestFixture::dim;
  Domain<Dim> domain;
  for (int a = 0; a < Dim; ++a) domain.roots[a] = std::array{8, 5, 3}[static_cast<std::size_t>(a)];
  for (std::uint32_t r = 0; r < domain.root_count(); ++r)
    EXPECT_EQ(domain.root_index(domain.root_position(r)), r);
  const Key<Dim> key = domain.key_at(domain.extent() - Lattice<Dim>::filled(1), 3);
  EXPECT_EQ(domain.lo(key), domain.extent() - Lattice<Dim>::filled(root_lattice / 8));
  EXPECT_EQ(domain.box().hi, domain.roots.template cast<double>());
}

TYPED_TEST(KeyTest, BadDomainsAreRefused) {
  constexpr int Dim = TestFixture::dim;
  Domain<Dim> domain;
  domain.roots[0] = 0;
  EXPECT_THROW(domain.check(), InputError);
  domain.roots[0] = max_roots + 1;
  EXPECT_THROW(domain.check(), InputError);
  domain.roots[0] = max_roots;
  domain.check();
  domain.root_size = -1;
  EXPECT_THROW(domain.check(), InputError);
  domain.root_size = std::nan("");
  EXPECT_THROW(domain.check(), InputError);
  domain.root_size = 1;
  domain.origin[1] = INFINITY;
  EXPECT_THROW(domain.check(), InputError);
  for (const double size : {1e308, 1e-320}) {
    domain = {};
    domain.roots[0] = 100;
    domain.root_size = size;
    EXPECT_THROW(domain.check(), InputError) << size;
  }
  domain = {};
  domain.origin[0] = 1e17;  // cells would be smaller than what can be added to it
  EXPECT_THROW(domain.check(), InputError);
}

}  // namespace
}  // namespace octavo
