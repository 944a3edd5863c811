// The mesh against brute force: everything it lists is found again by comparing all leaves with
// all.

#include "octavo/mesh/mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "support/random_tree.h"

namespace octavo {
namespace {

template <class D>
class MeshTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(MeshTest, test::Dims);

// low leaf, high leaf (none at a wall), axis, level of the finer one
using Contact = std::tuple<std::uint32_t, std::uint32_t, int, int>;

template <int Dim>
struct LatticeBox {
  Lattice<Dim> lo;
  std::uint32_t size;
  int level;
};

template <int Dim>
std::vector<LatticeBox<Dim>> boxes(const OctreeView<Dim>& tree) {
  std::vector<LatticeBox<Dim>> r;
  for (std::size_t i = 0; i < tree.leaf_count(); ++i)
    r.push_back({tree.lo(LeafId(i)), tree.leaf_key[i].size(), tree.level(LeafId(i))});
  return r;
}

// The axis along which q follows p, sharing a piece of a side with it; -1 if it does not.
template <int Dim>
int follows(const LatticeBox<Dim>& p, const LatticeBox<Dim>& q) {
  int axis = -1;
  for (int a = 0; a < Dim; ++a) {
    if (p.lo[a] + p.size == q.lo[a]) {
      if (axis >= 0) return -1;
      axis = a;
    } else if (p.lo[a] + p.size < q.lo[a] || q.lo[a] + q.size <= p.lo[a]) {
      return -1;
    }
  }
  return axis;
}

template <int Dim>
std::vector<Contact> brute_force_contacts(const OctreeView<Dim>& tree) {
  const auto box = boxes(tree);
  const std::uint32_t none = LeafId::none();
  std::vector<Contact> found;
  for (std::uint32_t i = 0; i < box.size(); ++i) {
    for (std::uint32_t j = 0; j < box.size(); ++j) {
      const int axis = follows(box[i], box[j]);
      if (axis >= 0) found.emplace_back(i, j, axis, std::max(box[i].level, box[j].level));
    }
    for (int a = 0; a < Dim; ++a) {
      if (box[i].lo[a] == 0) found.emplace_back(none, i, a, box[i].level);
      if (box[i].lo[a] + box[i].size == tree.domain.extent()[a])
        found.emplace_back(i, none, a, box[i].level);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

template <int Dim>
void expect_same_contacts(const Octree<Dim>& tree) {
  const Mesh<Dim> mesh(tree);
  const MeshView<Dim> m = mesh.view();
  std::vector<Contact> listed;
  for (std::size_t f = 0; f < m.face_count(); ++f) {
    const FaceLeaves l = m.face_leaf[f];
    listed.emplace_back(l.low, l.high, m.axis(FaceId(f)), m.level(FaceId(f)));
  }
  std::sort(listed.begin(), listed.end());
  ASSERT_EQ(listed, brute_force_contacts(tree.view()));
  ASSERT_EQ(mesh.validate(), "");
}

TYPED_TEST(MeshTest, EveryContactExactlyOnce) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(
      test::tree_count, [](const Octree<Dim>& tree, std::uint64_t) { expect_same_contacts(tree); });
}

TYPED_TEST(MeshTest, FacesOfEveryLeafClose) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(test::tree_count, [](const Octree<Dim>& tree, std::uint64_t) {
    const Mesh<Dim> mesh(tree);
    const MeshView<Dim> m = mesh.view();
    for (std::size_t i = 0; i < m.leaf_count(); ++i) {
      const double side_area = std::pow(tree.view().size(LeafId(i)), Dim - 1);
      Vec<Dim> closure{};
      for (int side = 0; side < side_count<Dim>; ++side) {
        double area = 0;
        for (const FaceId f : m.faces(LeafId(i), side)) {
          area += m.area(f);
          closure[m.axis(f)] += m.face_leaf[f].low == i ? m.area(f) : -m.area(f);
        }
        ASSERT_NEAR(area, side_area, 1e-12 * side_area);
      }
      for (int a = 0; a < Dim; ++a) ASSERT_NEAR(closure[a], 0, 1e-12 * side_area);
    }
  });
}

TYPED_TEST(MeshTest, PartsOfALargeFaceStandTogether) {
  constexpr int Dim = TestFixture::dim;
  std::size_t large = 0;
  test::for_random_trees<Dim>(300, [&](const Octree<Dim>& tree, std::uint64_t) {
    const Mesh<Dim> mesh(tree);
    const MeshView<Dim> m = mesh.view();
    // By leaf and side, all faces that touch it there, from the list of faces alone.
    std::map<std::pair<std::uint32_t, int>, std::vector<std::uint32_t>> parts;
    for (std::uint32_t f = 0; f < m.face_count(); ++f) {
      const FaceLeaves l = m.face_leaf[f];
      if (!l.low.is_none()) parts[{l.low, 2 * m.axis(FaceId(f)) + 1}].push_back(f);
      if (!l.high.is_none()) parts[{l.high, 2 * m.axis(FaceId(f))}].push_back(f);
    }
    for (const auto& [key, faces] : parts) {
      const FaceRange range = m.faces(LeafId(key.first), key.second);
      ASSERT_EQ(range.size(), faces.size());
      ASSERT_EQ(range.first, faces.front());
      ASSERT_EQ(range.last, faces.back() + 1);
      if (faces.size() < 2) continue;
      ++large;
      for (const std::uint32_t f : faces) {
        ASSERT_EQ(m.large_face(FaceId(f)).first, range.first);
        ASSERT_EQ(m.large_face(FaceId(f)).last, range.last);
      }
    }
  });
  EXPECT_GT(large, 1000u);
}

TYPED_TEST(MeshTest, FaceCentersLieBetweenTheirLeaves) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(100, [](const Octree<Dim>& tree, std::uint64_t) {
    const Mesh<Dim> mesh(tree);
    const MeshView<Dim> m = mesh.view();
    const double tiny = 1e-12 * tree.domain().root_size;
    for (std::uint32_t f = 0; f < m.face_count(); ++f) {
      const Vec<Dim> c = m.center(FaceId(f));
      for (const LeafId leaf : {m.face_leaf[f].low, m.face_leaf[f].high}) {
        if (leaf.is_none()) continue;
        const Vec<Dim> d = c - m.tree.center(leaf);
        const double half = 0.5 * m.tree.size(leaf);
        for (int a = 0; a < Dim; ++a) {
          if (a == m.axis(FaceId(f))) {
            ASSERT_NEAR(std::abs(d[a]), half, tiny);
          } else {
            ASSERT_LT(std::abs(d[a]), half);
          }
        }
      }
    }
  });
}

TYPED_TEST(MeshTest, NodesAreUniqueAndComplete) {
  constexpr int Dim = TestFixture::dim;
  using Point = std::array<std::uint32_t, Dim>;
  auto point = [](const Lattice<Dim>& p) {
    Point r{};
    for (int a = 0; a < Dim; ++a) r[static_cast<std::size_t>(a)] = p[a];
    return r;
  };
  test::for_random_trees<Dim>(test::tree_count, [&](const Octree<Dim>& tree, std::uint64_t) {
    const Mesh<Dim> mesh(tree);
    const MeshView<Dim> m = mesh.view();
    std::set<Point> expected, listed;
    for (const auto& b : boxes(tree.view()))
      for (int c = 0; c < child_count<Dim>; ++c) {
        Lattice<Dim> p = b.lo;
        for (int a = 0; a < Dim; ++a) p[a] += ((c >> a) & 1) != 0 ? b.size : 0;
        expected.insert(point(p));
      }
    for (std::size_t n = 0; n < m.node_count(); ++n) listed.insert(point(m.lattice(NodeId(n))));
    ASSERT_EQ(listed.size(), m.node_count()) << "two nodes at one place";
    ASSERT_EQ(listed, expected);
    for (std::size_t i = 0; i < m.leaf_count(); ++i)
      for (int c = 0; c < child_count<Dim>; ++c)
        ASSERT_EQ(m.lattice(m.node(LeafId(i), c)), m.lattice(LeafId(i), c));
  });
}

// A node hangs if any leaf holds it without having it as a corner. The stencil must be that of the
// largest such leaf, its sources resolved before it, and exact for linear functions.
TYPED_TEST(MeshTest, HangingNodesByBruteForce) {
  constexpr int Dim = TestFixture::dim;
  std::size_t total = 0, largest_factor = 1;
  test::for_random_trees<Dim>(test::tree_count, [&](const Octree<Dim>& tree, std::uint64_t) {
    const Mesh<Dim> mesh(tree);
    const MeshView<Dim> m = mesh.view();
    const auto all_boxes = boxes(tree.view());
    std::map<std::uint32_t, std::uint32_t> expected;  // node -> size of the leaf it hangs on
    for (std::uint32_t n = 0; n < m.node_count(); ++n) {
      const Lattice<Dim> p = m.lattice(NodeId(n));
      for (const auto& b : all_boxes) {
        bool holds = true, corner = true;
        for (int a = 0; a < Dim; ++a) {
          holds = holds && b.lo[a] <= p[a] && p[a] - b.lo[a] <= b.size;
          corner = corner && (p[a] == b.lo[a] || p[a] - b.lo[a] == b.size);
        }
        if (holds && !corner) expected[n] = std::max(expected[n], b.size);
      }
    }
    ASSERT_EQ(mesh.hanging_count(), expected.size());
    total += expected.size();

    std::set<std::uint32_t> resolved;
    for (const HangingNode<Dim>& h : m.hanging) {
      ASSERT_TRUE(expected.count(h.node)) << "node " << h.node << " does not hang";
      Vec<Dim> sum{};
      std::uint32_t span = 0;
      for (int j = 0; j < HangingNode<Dim>::source_count; ++j) {
        ASSERT_TRUE(!expected.count(h.source[j]) || resolved.count(h.source[j]));
        const Lattice<Dim> s = m.lattice(h.source[j]), first = m.lattice(h.source[0]);
        sum += s.template cast<double>() * h.template weight<double>(j);
        for (int a = 0; a < Dim; ++a) span = std::max(span, s[a] - first[a]);
      }
      ASSERT_EQ(sum, m.lattice(h.node).template cast<double>());
      ASSERT_EQ(span, expected[h.node]) << "not the largest leaf around the node";
      const auto at = m.corner_of(h.node);
      largest_factor =
          std::max<std::size_t>(largest_factor, span / m.tree.leaf_key[at.leaf].size());
      resolved.insert(h.node);
    }
  });
  EXPECT_GT(total, 10000u);
  EXPECT_GE(largest_factor, 64u) << "no jump of six levels was tested";
}

TYPED_TEST(MeshTest, FourteenLevelsInOneCorner) {
  constexpr int Dim = TestFixture::dim;
  Domain<Dim> domain;
  domain.roots[0] = 2;
  // The corner in the middle of the box, where tiny leaves touch a root cell.
  const auto tree = Octree<Dim>::build(domain, [](const Leaf<Dim>& l) {
    bool in_corner = l.center[0] < 1 && l.center[0] > 1 - l.size;
    for (int a = 1; a < Dim; ++a) in_corner = in_corner && l.center[a] < l.size;
    return in_corner && l.level < 14;
  });
  EXPECT_EQ(tree.deepest_level(), 14);
  EXPECT_EQ(tree.validate(), "");
  expect_same_contacts(tree);
}

TEST(MeshView, IsTriviallyCopyable) {
  static_assert(std::is_trivially_copyable_v<MeshView<2>> &&
                std::is_trivially_copyable_v<MeshView<3>>);
  static_assert(sizeof(HangingNode<2>) == 16 && sizeof(HangingNode<3>) == 28);
}

// A uniform tree has the numbers of a uniform grid.
TYPED_TEST(MeshTest, UniformCounts) {
  constexpr int Dim = TestFixture::dim;
  Domain<Dim> domain;
  domain.roots[0] = 2;
  const auto tree = Octree<Dim>::build(domain, [](const Leaf<Dim>& l) { return l.level < 3; });
  const Mesh<Dim> mesh(tree);
  EXPECT_EQ(mesh.leaf_count(), Dim == 2 ? 16u * 8 : 16u * 8 * 8);
  EXPECT_EQ(mesh.node_count(), Dim == 2 ? 17u * 9 : 17u * 9 * 9);
  EXPECT_EQ(mesh.face_count(), Dim == 2 ? 17u * 8 + 16 * 9 : 17u * 64 + 2 * 16 * 9 * 8);
  EXPECT_EQ(mesh.hanging_count(), 0u);
}

TYPED_TEST(MeshTest, RebuildingReusesMemoryAndForgetsThePast) {
  constexpr int Dim = TestFixture::dim;
  const auto large = Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 4; });
  const auto small = test::random_tree<Dim>(11);
  Mesh<Dim> mesh(large);
  mesh.build(small);
  EXPECT_EQ(mesh.validate(), "");
  mesh.build(large);
  EXPECT_EQ(mesh.validate(), "");
  const std::size_t bytes = mesh.bytes();
  for (int i = 0; i < 3; ++i) {
    mesh.build(small);
    mesh.build(large);
    EXPECT_EQ(mesh.bytes(), bytes);
  }
}

// The validator notices that a mesh no longer belongs to its tree.
TYPED_TEST(MeshTest, ValidateNoticesAnotherTree) {
  constexpr int Dim = TestFixture::dim;
  auto refined_at = [](double x) {
    return Octree<Dim>::build({}, [=](const Leaf<Dim>& l) {
      return l.level < 1 || (l.level == 1 && std::abs(l.center[0] - x) < 0.1 && l.center[1] < 0.5);
    });
  };
  auto tree = refined_at(0.25);
  const Mesh<Dim> mesh(tree);
  ASSERT_EQ(mesh.validate(), "");
  Buffer<Key<Dim>> as_many = refined_at(0.75).take_leaves();
  ASSERT_EQ(as_many.size(), tree.leaf_count());
  tree.replace(as_many);
  EXPECT_NE(mesh.validate(), "");
  Buffer<Key<Dim>> more =
      Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 3; }).take_leaves();
  tree.replace(more);
  EXPECT_NE(mesh.validate(), "");
}

// Each array, damaged alone; the validator names the rule.
TYPED_TEST(MeshTest, ValidateNamesTheBrokenRule) {
  constexpr int Dim = TestFixture::dim;
  using V = MeshView<Dim>;
  const auto tree = test::random_tree<Dim>(7);  // has hanging nodes that depend on hanging nodes
  const Mesh<Dim> mesh(tree);
  const V good = mesh.view();
  ASSERT_EQ(mesh.validate(), "");
  ASSERT_GT(mesh.hanging_count(), 10u);
  auto damaged = [&](auto member, auto damage) {
    V view = good;
    using T = std::remove_cvref_t<decltype((view.*member)[0])>;
    std::vector<T> copy((view.*member).begin(), (view.*member).end());
    damage(copy);
    view.*member = View<const T>(copy.data(), copy.size());
    return Mesh<Dim>::validate(view, mesh.hanging_begin());
  };
  auto expect = [](const std::string& said, const char* rule) {
    EXPECT_NE(said.find(rule), std::string::npos) << "said: " << said;
  };
  std::size_t early = 0, late = 0;
  for (std::size_t h = 0; h < mesh.hanging_count(); ++h)
    for (std::size_t k = 0; k < h; ++k)
      for (const NodeId source : good.hanging[h].source)
        if (source == good.hanging[k].node) early = k, late = h;
  ASSERT_LT(early, late);
  expect(damaged(&V::leaf_face, [](auto& v) { std::swap(v[0], v[1]); }), "do not cover its sides");
  expect(damaged(&V::leaf_face, [](auto& v) { v[3] = FaceId(); }), "a side has no face");
  expect(damaged(&V::face_leaf, [](auto& v) { std::swap(v[1].low, v[1].high); }),
         "not the contact");
  expect(damaged(&V::face_leaf,
                 [](auto& v) {
                   v[1] = {LeafId(), LeafId()};
                 }),
         "a face has no leaves");
  expect(damaged(&V::face_info, [](auto& v) { v[2] = static_cast<std::uint8_t>(v[2] ^ 4); }),
         "not the contact");
  expect(damaged(&V::leaf_node, [](auto& v) { std::swap(v[0], v[1]); }), "not the node it names");
  expect(damaged(&V::leaf_node, [](auto& v) { v[1] = NodeId(); }), "a corner is no node");
  expect(damaged(&V::extra_node, [](auto& v) { std::swap(v[0], v[1]); }), "not the node it names");
  expect(damaged(&V::extra_node, [](auto& v) { v[0] = ~0u; }), "an extra node is no corner");
  expect(damaged(&V::extra_node, [](auto& v) { v.push_back(v[0]); }), "do not agree on it");
  expect(damaged(&V::hanging, [](auto& v) { v[0].fraction[0] += 0.125f; }), "not exact for linear");
  expect(damaged(&V::hanging, [](auto& v) { v[0].source[0] = NodeId(); }),
         "a stencil names no node");
  expect(damaged(&V::hanging, [](auto& v) { v[1] = v[0]; }), "listed twice");
  expect(damaged(&V::hanging, [](auto& v) { v[1] = v[0]; }), "hangs without a stencil");
  expect(damaged(&V::hanging, [=](auto& v) { std::swap(v[early], v[late]); }), "comes before one");
  expect(damaged(&V::leaf_node, [](auto& v) { v.pop_back(); }), "do not belong to this tree");
}

}  // namespace
}  // namespace octavo
