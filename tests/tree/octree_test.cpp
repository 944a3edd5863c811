#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "octavo/tree/change.h"
#include "octavo/tree/locator.h"
#include "octavo/tree/surroundings.h"
#include "support/random_tree.h"

namespace octavo {
namespace {

template <class D>
class OctreeTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(OctreeTest, test::Dims);

template <int Dim>
std::vector<Key<Dim>> key_list(const Octree<Dim>& tree) {
  return {tree.keys().begin(), tree.keys().end()};
}

// The leaf that holds a lattice position, by asking all of them.
template <int Dim>
std::size_t linear_search(const OctreeView<Dim>& tree, const Lattice<Dim>& p) {
  for (std::size_t i = 0; i < tree.leaf_count(); ++i) {
    bool in = true;
    const Lattice<Dim> lo = tree.lo(LeafId(i));
    for (int a = 0; a < Dim; ++a)
      in = in && lo[a] <= p[a] && p[a] - lo[a] < tree.leaf_key[i].size();
    if (in) return i;
  }
  return tree.leaf_count();
}

TYPED_TEST(OctreeTest, RandomTreesAreValidAndFillTheBox) {
  constexpr int Dim = TestFixture::dim;
  int deep_jumps = 0, single_leaves = 0;
  test::for_random_trees<Dim>(test::tree_count, [&](const Octree<Dim>& tree, std::uint64_t) {
    EXPECT_EQ(tree.validate(), "");
    double volume = 0;
    for (std::size_t i = 0; i < tree.leaf_count(); ++i)
      volume += std::pow(tree.view().size(LeafId(i)), Dim);
    EXPECT_NEAR(volume, tree.domain().volume(), 1e-12 * tree.domain().volume());
    deep_jumps += largest_jump(tree) >= 6 ? 1 : 0;
    single_leaves += tree.leaf_count() == 1 ? 1 : 0;
  });
  EXPECT_GE(deep_jumps, test::tree_count / 2);
  EXPECT_GE(single_leaves, test::sanitized ? 3 : 20);
}

TYPED_TEST(OctreeTest, LeafAtPointAgreesWithLinearSearch) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(test::tree_count, [](const Octree<Dim>& tree, std::uint64_t seed) {
    const OctreeView<Dim> view = tree.view();
    const Random random(seed);
    for (std::uint64_t i = 0; i < 20; ++i) {
      // Half of the points are corners of leaves, where the smallest mistake shows.
      Lattice<Dim> p{};
      const auto leaf =
          static_cast<std::size_t>(random.below(static_cast<int>(tree.leaf_count()), i));
      for (int a = 0; a < Dim; ++a)
        p[a] =
            i % 2 == 0
                ? view.lo(LeafId(leaf))[a]
                : static_cast<std::uint32_t>(random.uniform(i, 1, static_cast<std::uint32_t>(a)) *
                                             tree.domain().extent()[a]);
      EXPECT_EQ(view.leaf_at(p), linear_search(view, p));
      EXPECT_EQ(
          view.leaf_at(tree.domain().position(p) + Vec<Dim>::filled(0.5 * tree.domain().unit())),
          linear_search(view, p));
    }
  });
}

// A Locator gives the same answers whatever it was asked before.
TYPED_TEST(OctreeTest, LocatorForgetsNothingItShouldNot) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(300, [](const Octree<Dim>& tree, std::uint64_t seed) {
    const OctreeView<Dim> view = tree.view();
    const Random random(seed);
    Locator<Dim> locator(view);
    for (std::uint64_t i = 0; i < 200; ++i) {
      // A walk in small steps, with a jump to a leaf's corner now and then.
      const auto count = static_cast<int>(tree.leaf_count());
      const LeafId leaf(i % 20 < 10 ? random.below(count, i / 20) : random.below(count, i, 1));
      Lattice<Dim> p = view.lo(leaf);
      for (int a = 0; a < Dim; ++a)
        p[a] += static_cast<std::uint32_t>(random.uniform(i, 2, static_cast<std::uint32_t>(a)) *
                                           view.leaf_key[leaf].size());
      ASSERT_EQ(locator.leaf_at(p), leaf);
      const Vec<Dim> x = tree.domain().position(p) + Vec<Dim>::filled(0.5 * tree.domain().unit());
      const auto at = locator.template locate<double>(x);
      ASSERT_EQ(at.leaf, leaf);
      for (int a = 0; a < Dim; ++a)
        ASSERT_NEAR(view.domain.position(view.lo(leaf))[a] + at.local[a] * view.size(leaf), x[a],
                    1e-12);
    }
  });
}

TEST(Views, AreTriviallyCopyable) {
  static_assert(std::is_trivially_copyable_v<OctreeView<2>> &&
                std::is_trivially_copyable_v<OctreeView<3>>);
  static_assert(std::is_trivially_copyable_v<ColleaguesView<2>>);
  static_assert(std::is_trivially_copyable_v<ColleaguesView<3>>);
  static_assert(sizeof(Key<3>) == 8 && sizeof(Cell) == 4);
}

TYPED_TEST(OctreeTest, PointsOutsideGoToTheNearestLeaf) {
  constexpr int Dim = TestFixture::dim;
  const auto tree = test::random_tree<Dim>(5);
  const OctreeView<Dim> view = tree.view();
  const Box<Dim> box = tree.domain().box();
  EXPECT_EQ(view.leaf_at(box.lo - Vec<Dim>::filled(1e30)), 0u);
  EXPECT_EQ(view.leaf_at(box.hi + Vec<Dim>::filled(1e30)), tree.leaf_count() - 1);
  EXPECT_EQ(view.leaf_at(box.hi), tree.leaf_count() - 1);
  EXPECT_EQ(view.leaf_at(Vec<Dim>::filled(std::nan(""))), 0u);
}

// The colleague table and the plain descent find the same cell across every side.
TYPED_TEST(OctreeTest, NeighboursAcrossAFaceByTwoRoutes) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(200, [](const Octree<Dim>& tree, std::uint64_t) {
    Colleagues<Dim> colleagues;
    colleagues.build(tree);
    const auto around = colleagues.view(tree);
    for (std::size_t i = 0; i < tree.leaf_count(); ++i)
      for (int side = 0; side < 2 * Dim; ++side)
        ASSERT_EQ(LeafSurroundings<Dim>(around, LeafId(i)).cell(side_direction<Dim>(side)),
                  tree.view().across(LeafId(i), side));
  });
}

TYPED_TEST(OctreeTest, ColleaguesInEveryDirection) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(100, [](const Octree<Dim>& tree, std::uint64_t) {
    Colleagues<Dim> colleagues;
    colleagues.build(tree);
    const auto around = colleagues.view(tree);
    const OctreeView<Dim> view = tree.view();
    for (std::size_t i = 0; i < tree.leaf_count(); ++i) {
      const Key<Dim> key = view.leaf_key[i];
      for (int d = 0; d < direction_count<Dim>; ++d) {
        Lattice<Dim> p = view.lo(key);
        bool inside = true;
        for (int a = 0; a < Dim; ++a) {
          p[a] += (static_cast<std::uint32_t>(d / power_of_3(a) % 3) - 1u) * key.size();
          inside = inside && p[a] < tree.domain().extent()[a];
        }
        const Cell expected = inside ? view.cell_at(p, key.level()) : Cell::outside();
        ASSERT_EQ(LeafSurroundings<Dim>(around, LeafId(i)).cell(d), expected);
      }
    }
  });
}

TYPED_TEST(OctreeTest, RefineThenCoarsenIsTheIdentity) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(test::tree_count, [](const Octree<Dim>& before, std::uint64_t seed) {
    const Random random(seed);
    Octree<Dim> tree(before);
    std::vector<Mark> marks(tree.leaf_count());
    for (std::size_t i = 0; i < marks.size(); ++i)
      marks[i] = random.below(2, i) == 0 ? Mark::refine : Mark::keep;
    change<Dim>(tree, View<const Mark>(marks.data(), marks.size()));
    EXPECT_EQ(tree.validate(), "");
    EXPECT_EQ(tree.revision(), before.revision() + 1);

    // Mark exactly the children that were made.
    const std::vector<Key<Dim>> old_keys = key_list(before);
    std::vector<Mark> back(tree.leaf_count());
    for (std::size_t i = 0; i < back.size(); ++i)
      back[i] = std::binary_search(old_keys.begin(), old_keys.end(), tree.keys()[i])
                    ? Mark::keep
                    : Mark::coarsen;
    change<Dim>(tree, View<const Mark>(back.data(), back.size()));
    EXPECT_EQ(key_list(tree), old_keys);
  });
}

TYPED_TEST(OctreeTest, OnlyWholeFamiliesAreMerged) {
  constexpr int Dim = TestFixture::dim;
  auto tree = Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 2; });
  std::vector<Mark> marks(tree.leaf_count(), Mark::coarsen);
  marks[3] = Mark::keep;
  change<Dim>(tree, View<const Mark>(marks.data(), marks.size()));
  const std::size_t families = child_count<Dim>;
  EXPECT_EQ(tree.leaf_count(), families - 1 + child_count<Dim>);
  EXPECT_EQ(tree.validate(), "");
}

// Do two leaves share a face, an edge or a corner?
template <int Dim>
bool touch(const OctreeView<Dim>& tree, std::size_t i, std::size_t j) {
  const Lattice<Dim> p = tree.lo(LeafId(i)), q = tree.lo(LeafId(j));
  for (int a = 0; a < Dim; ++a)
    if (p[a] + tree.leaf_key[i].size() < q[a] || q[a] + tree.leaf_key[j].size() < p[a])
      return false;
  return true;
}

// By comparing all leaves with all: the leaves that touch one finer than themselves by more than `limit`.
template <int Dim>
std::vector<Mark> too_coarse(const Octree<Dim>& octree, int limit) {
  const OctreeView<Dim> tree = octree.view();
  std::vector<Mark> marks(tree.leaf_count(), Mark::keep);
  for (std::size_t i = 0; i < marks.size(); ++i)
    for (std::size_t j = 0; j < marks.size(); ++j)
      if (tree.level(LeafId(j)) - tree.level(LeafId(i)) > limit && touch(tree, i, j))
        marks[i] = Mark::refine;
  return marks;
}

// Splitting exactly the leaves that are too coarse, again and again, is the least that can be done.
TYPED_TEST(OctreeTest, GradingAgreesWithBruteForce) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(
      test::sanitized ? 6 : 40, [](const Octree<Dim>& before, std::uint64_t seed) {
        const int limit = 1 + static_cast<int>(seed % 3);
        Octree<Dim> tree(before), expected(before);
        grade(tree, limit);
        if (tree.leaf_count() > 4000) return;  // all with all would take too long
        for (auto marks = too_coarse(expected, limit);
             std::count(marks.begin(), marks.end(), Mark::refine) > 0;
             marks = too_coarse(expected, limit))
          change<Dim>(expected, View<const Mark>(marks.data(), marks.size()));
        EXPECT_EQ(key_list(tree), key_list(expected));
        EXPECT_EQ(tree.validate(), "");
        EXPECT_LE(largest_jump(tree), limit);
      });
}

TYPED_TEST(OctreeTest, LargestJumpAgreesWithBruteForce) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(
      test::sanitized ? 20 : 100, [](const Octree<Dim>& tree, std::uint64_t) {
        const OctreeView<Dim> view = tree.view();
        int jump = 0;
        for (std::size_t i = 0; i < tree.leaf_count(); ++i)
          for (std::size_t j = 0; j < tree.leaf_count(); ++j)
            if (touch(view, i, j))
              jump = std::max(jump, view.level(LeafId(j)) - view.level(LeafId(i)));
        EXPECT_EQ(largest_jump(tree), jump);
      });
}

TYPED_TEST(OctreeTest, SillyGradingLimits) {
  constexpr int Dim = TestFixture::dim;
  Octree<Dim> tree = test::random_tree<Dim>(3);
  const auto before = key_list(tree);
  EXPECT_THROW(grade(tree, 0), InputError);
  grade(tree, std::numeric_limits<int>::max());
  EXPECT_EQ(key_list(tree), before);
}

TYPED_TEST(OctreeTest, SixteenLevelsInOneCorner) {
  constexpr int Dim = TestFixture::dim;
  const auto tree = Octree<Dim>::build({}, [](const Leaf<Dim>& l) {
    bool in_corner = true;
    for (int a = 0; a < Dim; ++a) in_corner = in_corner && l.center[a] < l.size;
    return in_corner;
  });
  EXPECT_EQ(tree.deepest_level(), max_level);
  EXPECT_EQ(tree.leaf_count(), static_cast<std::size_t>(max_level * (child_count<Dim> - 1) + 1));
  EXPECT_EQ(tree.validate(), "");
}

TYPED_TEST(OctreeTest, ValidateSaysWhatIsWrong) {
  constexpr int Dim = TestFixture::dim;
  const auto good = Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 2; });
  auto broken = [&](auto&& damage) {
    std::vector<Key<Dim>> keys = key_list(good);
    damage(keys);
    Buffer<Key<Dim>> buffer(keys.size());
    std::copy(keys.begin(), keys.end(), buffer.begin());
    return Octree<Dim>::validate_leaves(good.domain(), std::as_const(buffer).view());
  };
  auto drop = [](std::size_t place) {
    return [=](std::vector<Key<Dim>>& k) {
      std::copy(k.begin() + static_cast<std::ptrdiff_t>(place) + 1, k.end(),
                k.begin() + static_cast<std::ptrdiff_t>(place));
      k.resize(k.size() - 1);
    };
  };
  EXPECT_EQ(broken([](auto&) {}), "");
  EXPECT_NE(broken(drop(good.leaf_count() - 1)), "");
  EXPECT_NE(broken(drop(0)), "");
  EXPECT_NE(broken(drop(5)).find("gap (first at 5)"), std::string::npos);
  EXPECT_NE(broken([](auto& k) { std::swap(k[1], k[2]); }), "");
  EXPECT_NE(broken([](auto& k) { k[3] = k[3].parent(); }), "");
  EXPECT_NE(broken([](auto& k) { k[3].bits = 0; }), "");
  EXPECT_NE(broken([](auto& k) { k[3].bits = ~0ull; }), "");
  EXPECT_NE(broken([](auto& k) { k.clear(); }), "");
}

// Each array of the index, damaged alone.
TYPED_TEST(OctreeTest, ValidateNoticesADamagedIndex) {
  constexpr int Dim = TestFixture::dim;
  const auto tree =
      Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 3 && l.center[0] < 0.6; });
  const OctreeView<Dim> good = tree.view();
  ASSERT_EQ(Octree<Dim>::validate(good), "");
  auto damaged = [&](auto member, auto damage) {
    OctreeView<Dim> view = good;
    using T = std::remove_cvref_t<decltype((view.*member)[0])>;
    std::vector<T> copy((view.*member).begin(), (view.*member).end());
    damage(copy);
    view.*member = View<const T>(copy.data(), copy.size());
    return Octree<Dim>::validate(view);
  };
  using V = OctreeView<Dim>;
  EXPECT_NE(damaged(&V::leaf_parent, [](auto& v) { v[2] = BranchId(0); }), "");
  EXPECT_NE(damaged(&V::leaf_parent, [](auto& v) { v.pop_back(); }), "");
  EXPECT_NE(damaged(&V::branch_key, [](auto& v) { v[1] = v[1].child(1); }), "");
  EXPECT_NE(damaged(&V::branch_parent, [](auto& v) { v[1] = BranchId(); }), "");
  EXPECT_NE(damaged(&V::branch_first_leaf, [](auto& v) { v[1] = LeafId(v[1] + 1); }), "");
  EXPECT_NE(damaged(&V::child, [](auto& v) { std::swap(v[0], v[1]); }), "");
  EXPECT_NE(damaged(&V::child, [](auto& v) { v[0] = Cell::branch(0); }), "");
  EXPECT_NE(damaged(&V::child, [](auto& v) { v[3] = Cell::outside(); }), "");
  EXPECT_NE(damaged(&V::root, [](auto& v) { v[0] = Cell::leaf(0); }), "");
  EXPECT_NE(damaged(&V::table, [](auto& v) { v[0] = Cell::leaf(1u << 30); }), "");
}

TYPED_TEST(OctreeTest, LeavesThatDoNotCoverTheBoxAreRefused) {
  constexpr int Dim = TestFixture::dim;
  Buffer<Key<Dim>> keys(1);
  keys[0] = Key<Dim>::root(0).child(0);
  EXPECT_THROW(Octree<Dim>(Domain<Dim>{}, std::move(keys)), InputError);
}

TYPED_TEST(OctreeTest, EveryShapeOfRootBox) {
  constexpr int Dim = TestFixture::dim;
  for (const Vec<3, int> roots :
       {Vec<3, int>{8, 5, 3}, {1, 1, 1}, {100, 1, 1}, {1, 7, 1}, {2, 1, 9}, {32768, 1, 1}}) {
    Domain<Dim> domain;
    for (int a = 0; a < Dim; ++a) domain.roots[a] = roots[a];
    const auto tree = Octree<Dim>::build(domain, [](const Leaf<Dim>& l) { return l.level < 1; });
    EXPECT_EQ(tree.view().leaf_at(domain.box().hi), tree.leaf_count() - 1);
    EXPECT_EQ(tree.leaf_count(), domain.root_count() * static_cast<std::size_t>(child_count<Dim>));
    EXPECT_EQ(tree.validate(), "");
  }
}

}  // namespace
}  // namespace octavo
