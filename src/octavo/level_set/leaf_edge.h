#pragma once

// Smaller leaves around an edge of a leaf put nodes on it, which cut it into segments.

#include <array>

#include "octavo/mesh/mesh.h"
#include "octavo/tree/surroundings.h"

namespace octavo {

// This is an edge on a side of a leaf across which no leaf is smaller, so that two cells are left that may put nodes
// on the edge: the one beside the leaf, and the one beside that across the side.
class LeafEdge {
 public:
  // The edge goes along `axis`, on the side `end` of the leaf, which is neither across `side` nor along the axis.
  LeafEdge(const LeafSurroundings<3>& leaf, int side, int end, int axis) : axis_(axis) {
    const int beside = side_direction<3>(end);
    const int across = beside + side_direction<3>(side) - center_direction<3>;
    const int low_end = 1 - end % 2;
    cell_ = {leaf.cell(beside), leaf.cell(across)};
    touching_ = {low_end << (end / 2) | side % 2 << (side / 2),
                 low_end << (end / 2) | (1 - side % 2) << (side / 2)};
  }

  bool is_cut() const { return cell_[0].is_branch() || cell_[1].is_branch(); }

  // This is the node in the middle of an edge that is cut.
  NodeId middle(const MeshView<3>& mesh) const {
    const std::size_t k = cell_[0].is_branch() ? 0 : 1;
    const int corner = touching_[k] | 1 << axis_;
    const Cell lower = mesh.tree.child_of(cell_[k].branch(), touching_[k]);
    return mesh.node(mesh.tree.leaf_in_corner(lower, corner), corner);
  }

  LeafEdge half(const MeshView<3>& mesh, int which) const {
    LeafEdge h = *this;
    for (std::size_t k = 0; k < 2; ++k)
      if (cell_[k].is_branch())
        h.cell_[k] = mesh.tree.child_of(cell_[k].branch(), touching_[k] | which << axis_);
    return h;
  }

 private:
  std::array<Cell, 2> cell_;
  std::array<int, 2> touching_;  // which children touch the lower half
  int axis_;
};

// This calls f(from, to, length) for the segments of an edge one after the other, from one end to the other.
template <class F>
void for_each_segment(const MeshView<3>& mesh, const LeafEdge& edge, NodeId from, NodeId to,
                      bool downwards, double length, F&& f) {
  if (!edge.is_cut()) return f(from, to, length);
  const NodeId middle = edge.middle(mesh);
  const int first = downwards ? 1 : 0;
  for_each_segment(mesh, edge.half(mesh, first), from, middle, downwards, 0.5 * length, f);
  for_each_segment(mesh, edge.half(mesh, 1 - first), middle, to, downwards, 0.5 * length, f);
}

}  // namespace octavo
