#pragma once

// These tell what surrounds a leaf, and a corner of a leaf.

#include <bit>

#include "octavo/tree/colleagues.h"

namespace octavo {

// LeafSurroundings are the colleagues of one leaf, with what all look-ups share loaded once.
template <int Dim>
class LeafSurroundings {
 public:
  LeafSurroundings(const ColleaguesView<Dim>& around, LeafId leaf)
      : tree_(around.tree), key_(tree_.leaf_key[leaf]), parent_(tree_.leaf_parent[leaf]) {
    const bool is_root = parent_.is_none();
    row_ = is_root ? &around.root_row[std::size_t{key_.root_index()} * direction_count<Dim>]
                   : &around.row[std::size_t{parent_} * direction_count<Dim>];
    steps_ = is_root ? nullptr
                     : detail::colleague_step<Dim>[static_cast<std::size_t>(key_.digit())].data();
  }

  constexpr Key<Dim> key() const { return key_; }
  constexpr int level() const { return key_.level(); }

  // This is the cell of the leaf's own size in a direction, or the leaf that covers that place, or outside.
  constexpr Cell cell(int direction) const {
    const auto d = static_cast<std::size_t>(direction);
    if (steps_ == nullptr) return row_[d];
    const Cell c = row_[steps_[d].parent_direction];
    return c.is_branch() ? tree_.child_of(c.branch(), steps_[d].digit) : c;
  }

 private:
  const OctreeView<Dim>& tree_;
  Key<Dim> key_;
  BranchId parent_;
  const Cell* row_;
  const detail::ColleagueStep* steps_;
};

namespace detail {

template <int Dim>
constexpr auto octant_directions() {
  std::array<std::array<int, child_count<Dim>>, child_count<Dim>> table{};
  for (int from = 0; from < child_count<Dim>; ++from)
    for (int to = 0; to < child_count<Dim>; ++to)
      table[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)] =
          octant_direction<Dim>(from, to);
  return table;
}

template <int Dim>
inline constexpr auto octant_direction_table = octant_directions<Dim>();

}  // namespace detail

// CornerSurroundings are the 2^Dim octants around a point that is a corner of a leaf. Octant o lies on the upper
// side of axis a if bit a of o is set; a leaf in octant o that has the point as a corner has it as corner ~o.
//
// Cells are aligned, so a leaf that touches the point has it as a corner exactly when the point is
// a multiple of the leaf's size: that is what `corner_level` says without looking at the leaf's
// position.
template <int Dim>
class CornerSurroundings {
 public:
  static constexpr int all = child_count<Dim> - 1;

  CornerSurroundings(const OctreeView<Dim>& tree, const LeafSurroundings<Dim>& leaf, int corner)
      : tree_(tree), leaf_(leaf), own_octant_(all ^ corner) {
    const Lattice<Dim> point = tree.corner(leaf.key(), corner);
    std::uint32_t bits = root_lattice;
    for (int a = 0; a < Dim; ++a) bits |= point[a];
    corner_level_ = max_level - std::countr_zero(bits);
  }

  constexpr int own_octant() const { return own_octant_; }

  // This is the cell in an octant: the leaf itself, a cell of its size, a larger leaf, or outside.
  constexpr Cell cell(int octant) const {
    return leaf_.cell(detail::octant_direction_table<Dim>[static_cast<std::size_t>(own_octant_)]
                                                         [static_cast<std::size_t>(octant)]);
  }

  // Leaves of this level and finer have the point as a corner; it hangs on coarser ones.
  constexpr int corner_level() const { return corner_level_; }
  constexpr bool hangs_on(Cell c) const {
    return c.is_leaf() && tree_.level(c.leaf()) < corner_level_;
  }

  // This is the leaf in the octant that touches the point; there is none outside of the box.
  constexpr LeafId leaf(int octant) const { return leaf_in(cell(octant), octant); }
  constexpr LeafId leaf_in(Cell c, int octant) const {
    return tree_.leaf_in_corner(c, all ^ octant);
  }

 private:
  const OctreeView<Dim>& tree_;
  const LeafSurroundings<Dim>& leaf_;
  int own_octant_, corner_level_;
};

}  // namespace octavo
