#pragma once

// A part of a mesh as another machine or a page of memory would have it: a stretch of leaves of its own, a ring of
// ghosts after them, and nothing known beyond. All arrays are made anew, with numbers of their own.

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "octavo/mesh/leaves_at_node.h"

namespace octavo::test {

template <int Dim>
class MeshPart {
 public:
  // Owns leaves [begin, end) of the whole.
  MeshPart(const MeshView<Dim>& whole, std::size_t begin, std::size_t end) : whole_(whole) {
    for (std::size_t i = begin; i < end; ++i) leaves.push_back(LeafId(i));
    add_ring();
    for (std::size_t i = 0; i < leaves.size(); ++i) part_leaf_[leaves[i]] = LeafId(i);
    take_faces(end - begin);
    take_nodes(end - begin);
    take_tree();
  }

  MeshView<Dim> view() const {
    OctreeView<Dim> tree = whole_.tree;
    tree.leaf_key = span(leaf_key_);
    tree.leaf_parent = span(leaf_parent_);
    tree.child = span(child_);
    tree.root = span(root_);
    tree.table = span(table_);
    return {tree,
            {tree, span(row_), span(root_row_)},
            span(leaf_node_),
            span(leaf_face_),
            span(face_leaf_),
            span(face_info_),
            span(extra_node_),
            {},
            owned_leaves_,
            owned_faces_,
            owned_extra_nodes_};
  }

  // What each of its leaves, faces and nodes is in the whole.
  std::vector<LeafId> leaves;
  std::vector<FaceId> faces;
  std::vector<NodeId> nodes;

  template <class Ids, class T>
  static std::vector<T> values(const Ids& ids, View<const T> of_whole) {
    std::vector<T> all;
    for (const auto id : ids) all.push_back(of_whole[id]);
    return all;
  }

 private:
  template <class T>
  static View<const T> span(const std::vector<T>& v) {
    return {v.data(), v.size()};
  }

  // All that touch a leaf of its own, and whatever is in a cell as large as the coarsest leaf there: the velocity of a
  // node is a mean over squares of that size.
  void add_ring() {
    const std::set<std::uint32_t> own(leaves.begin(), leaves.end());
    std::set<std::uint32_t> ring;
    for (std::size_t n = 0; n < whole_.node_count(); ++n) {
      bool touches = false;
      int coarsest = max_level;
      for_each_leaf_at(whole_, NodeId(n), [&](LeafId l) {
        touches = touches || own.contains(l);
        coarsest = std::min(coarsest, whole_.tree.level(l));
      });
      if (touches)
        for_each_leaf_at(whole_, NodeId(n), [&](LeafId l) { add_cell_around(l, coarsest, ring); });
    }
    owned_leaves_ = leaves.size();
    for (const std::uint32_t l : ring)
      if (!own.contains(l)) leaves.push_back(LeafId(l));
  }
  void add_cell_around(LeafId leaf, int level, std::set<std::uint32_t>& ring) const {
    ring.insert(leaf);
    BranchId cell = BranchId::none();
    for (int l = whole_.tree.level(leaf); l > level; --l)
      cell = cell.is_none() ? whole_.tree.leaf_parent[leaf] : whole_.tree.branch_parent[cell];
    if (!cell.is_none()) add_leaves_in(Cell::branch(cell.value), ring);
  }
  void add_leaves_in(Cell cell, std::set<std::uint32_t>& ring) const {
    if (cell.is_leaf()) {
      ring.insert(cell.leaf());
      return;
    }
    for (int c = 0; c < child_count<Dim>; ++c)
      add_leaves_in(whole_.tree.child_of(cell.branch(), c), ring);
  }

  LeafId here(LeafId whole) const {
    if (whole.is_none()) return whole;
    const auto at = part_leaf_.find(whole);
    return at == part_leaf_.end() ? LeafId::elsewhere() : at->second;
  }
  Cell here(Cell cell) const {
    if (!cell.is_leaf()) return cell;
    const LeafId leaf = here(cell.leaf());
    return leaf.is_elsewhere() ? Cell::elsewhere() : Cell::leaf(leaf.value);
  }
  std::vector<Cell> here(View<const Cell> cells) const {
    std::vector<Cell> all;
    for (const Cell c : cells) all.push_back(here(c));
    return all;
  }

  // A large face belongs to the larger leaf, a face between equals to the lower of the two.
  LeafId owner(FaceId face) const {
    const auto [low, high] = whole_.face_leaf[face];
    if (low.is_none() || high.is_none()) return low.is_none() ? high : low;
    return whole_.tree.level(high) < whole_.tree.level(low) ? high : low;
  }

  // In the order of the whole, so that parts of a large face stay together; its own first.
  void take_faces(std::size_t own) {
    for (const bool owned : {true, false}) {
      for (std::size_t i = 0; i < whole_.face_count(); ++i) {
        const FaceId f(i);
        const LeafId of = here(owner(f));
        const bool is_owned = of.is_here() && of < own;
        const auto [low, high] = whole_.face_leaf[f];
        const bool known = here(low).is_here() || here(high).is_here();
        if (known && is_owned == owned) faces.push_back(f);
      }
      if (owned) owned_faces_ = faces.size();
    }
    std::map<std::uint32_t, FaceId> part_face;
    for (std::size_t i = 0; i < faces.size(); ++i) {
      part_face[faces[i]] = FaceId(i);
      const auto [low, high] = whole_.face_leaf[faces[i]];
      face_leaf_.push_back({here(low), here(high)});
      face_info_.push_back(whole_.face_info[faces[i]]);
    }
    for (const LeafId l : leaves)
      for (int side = 0; side < side_count<Dim>; ++side)
        leaf_face_.push_back(part_face.at(whole_.first_face(l, side)));
  }

  // Node i is the lowest corner of leaf i, as in any mesh; the others after them, its own first.
  void take_nodes(std::size_t own) {
    std::map<std::uint32_t, NodeId> part_node;
    auto take = [&](NodeId n) {
      if (part_node.try_emplace(n, NodeId(nodes.size())).second) nodes.push_back(n);
    };
    for (const LeafId l : leaves) {
      part_node[whole_.node(l, 0)] = NodeId(nodes.size());
      nodes.push_back(whole_.node(l, 0));
    }
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      for (int c = 1; c < child_count<Dim>; ++c) {
        const std::size_t before = nodes.size();
        take(whole_.node(leaves[i], c));
        if (nodes.size() > before)
          extra_node_.push_back(static_cast<std::uint32_t>(i * child_count<Dim>) +
                                static_cast<std::uint32_t>(c));
      }
      if (i + 1 == own) owned_extra_nodes_ = extra_node_.size();
    }
    for (const LeafId l : leaves)
      for (int c = 0; c < child_count<Dim>; ++c)
        leaf_node_.push_back(part_node.at(whole_.node(l, c)));
  }

  // Branches are as in the whole; what was a leaf of it is one of the part, or elsewhere.
  void take_tree() {
    for (const LeafId l : leaves) {
      leaf_key_.push_back(whole_.tree.leaf_key[l]);
      leaf_parent_.push_back(whole_.tree.leaf_parent[l]);
    }
    child_ = here(whole_.tree.child);
    root_ = here(whole_.tree.root);
    table_ = here(whole_.tree.table);
    row_ = here(whole_.around.row);
    root_row_ = here(whole_.around.root_row);
  }

  MeshView<Dim> whole_;
  std::map<std::uint32_t, LeafId> part_leaf_;
  std::size_t owned_leaves_ = 0, owned_faces_ = 0, owned_extra_nodes_ = 0;
  std::vector<Key<Dim>> leaf_key_;
  std::vector<BranchId> leaf_parent_;
  std::vector<Cell> child_, root_, table_, row_, root_row_;
  std::vector<NodeId> leaf_node_;
  std::vector<FaceId> leaf_face_;
  std::vector<FaceLeaves> face_leaf_;
  std::vector<std::uint8_t> face_info_;
  std::vector<std::uint32_t> extra_node_;
};

}  // namespace octavo::test
