#pragma once

// Trees to test on: random, unrestricted, of many kinds; the same tree for the same seed
// everywhere.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "octavo/base/random.h"
#include "octavo/tree/octree.h"
#include "support/sanitized.h"

namespace octavo::test {

// A number for a cell that depends on nothing but the cell and the seed.
template <int Dim>
double cell_noise(const Random& random, const Leaf<Dim>& leaf) {
  std::uint64_t place = 0;
  for (int a = 0; a < Dim; ++a)
    place = place * 1000003 +
            static_cast<std::uint64_t>(std::llround(leaf.center[a] * 1048576.0) + (1ll << 40));
  return random.uniform(place, static_cast<std::uint32_t>(leaf.level), 77);
}

// Kinds, by seed: scattered refinement with jumps of a level or two; needles (every leaf that holds
// one of a few points is split, down to level 16, so that tiny leaves stand beside root cells);
// both; single leaves. Root boxes of all shapes. About `size` leaves or fewer.
template <int Dim>
Octree<Dim> random_tree(std::uint64_t seed, double size = 150) {
  const Random random(seed * 7919 + Dim);
  Domain<Dim> domain;
  const int kind = random.below(8, 1);
  for (int a = 0; a < Dim; ++a) {
    domain.origin[a] = random.uniform(2, static_cast<std::uint32_t>(a)) * 4 - 2;
    domain.roots[a] =
        kind == 0 ? 1 : 1 + random.below(a == 0 ? 4 : 3, 3, static_cast<std::uint32_t>(a));
  }
  domain.root_size = 0.25 + random.uniform(4);

  // Half of the needles end exactly beside a corner of the root lattice, where jumps are largest.
  const int needles = kind == 0 || kind == 2 ? 0 : 1 + random.below(3, 5);
  const int needle_level = 6 + random.below(11, 6);
  std::array<Vec<Dim>, 3> point;
  for (std::uint32_t n = 0; n < 3; ++n)
    for (int a = 0; a < Dim; ++a) {
      const auto axis = static_cast<std::uint32_t>(a);
      double x = random.uniform(7, n, axis) * domain.roots[a];
      if (n % 2 == 0) x = std::floor(x) + (random.below(2, 8, n, axis) == 0 ? 1e-9 : 1 - 1e-9);
      point[n][a] = domain.origin[a] + x * domain.root_size;
    }
  auto pierced = [&](const Leaf<Dim>& leaf) {
    for (std::size_t n = 0; n < static_cast<std::size_t>(needles); ++n) {
      bool in = true;
      for (int a = 0; a < Dim; ++a) in = in && std::abs(point[n][a] - leaf.center[a]) < leaf.reach;
      if (in) return leaf.level < needle_level;
    }
    return false;
  };

  // Scattered: the chance to split falls so that the number of leaves stays near `size`.
  const double growth = 0.8 + random.uniform(9) * 0.6;
  const double root_chance = std::min(1.0, 0.2 * size / (domain.root_count() * child_count<Dim>));
  auto scattered = [&](const Leaf<Dim>& leaf) {
    if (kind == 0 || kind == 1 || leaf.level > 6) return false;
    const double chance = leaf.level == 0 ? root_chance : growth / child_count<Dim>;
    return cell_noise(random, leaf) < chance;
  };
  return Octree<Dim>::build(domain, [&](const Leaf<Dim>& l) { return pierced(l) || scattered(l); });
}

// How many random trees the tests of identities use. Each kind is among the first few dozen, which have to do where
// sanitizers look on.
inline constexpr int few_trees = 60, tree_count = sanitized ? few_trees : 1000;

// Calls f(tree) for many random trees and says which one a failure is about.
template <int Dim, class F>
void for_random_trees(int count, F&& f) {
  for (int seed = 0; seed < (sanitized ? std::min(count, few_trees) : count); ++seed) {
    SCOPED_TRACE("random tree " + std::to_string(seed));
    f(random_tree<Dim>(static_cast<std::uint64_t>(seed)), static_cast<std::uint64_t>(seed));
    if (::testing::Test::HasFailure()) return;
  }
}

// For tests that are written once and run in both dimensions.
template <class DimType>
class BothDims : public ::testing::Test {
 public:
  static constexpr int dim = DimType::value;
};
using Dims = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;

}  // namespace octavo::test
