#pragma once

// Sibling blocks hold the cells of all sizes, eight siblings (in 2D four) at a time.
//
// Sibling block f < branch_count holds the children of branch f of the octree; after them come sibling blocks
// that hold the root cells, then sibling blocks of those, up to a single one. *Cell* f * 2^Dim + slot is
// one cell: a leaf, a branch, or nothing outside the box. Sibling blocks of one depth stand together, in
// the order of the curve, so that a vector over cells is at once a vector over leaves and over the
// cells of every coarser level, siblings side by side: the twelve faces between siblings need no
// index, and the faces to other sibling blocks only one for each side. The last sibling block, `nothing`, is
// empty; it stands for all that is not there.
//
// Slots are numbered colour by colour: first the red members, whose position has an even sum, then
// the black ones, each in the order of y and z. Neighbours have different colours.

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "octavo/mesh/mesh.h"

namespace octavo {

using SiblingBlockId = Id<struct SiblingBlockTag>;
using LevelCellId = Id<struct LevelCellTag>;

struct IndexRange {
  std::size_t begin = 0, end = 0;
};

// Calls f(member) for the members of a set, which are its bits.
template <class F>
void for_each_in(unsigned set, F&& f) {
  for (; set != 0; set &= set - 1) f(std::countr_zero(set));
}

// A thread takes this many sibling blocks at a time.
inline constexpr std::size_t sibling_blocks_at_once = 512;

// A block holds the open fractions of a sibling block that is not all open. For each colour and each axis it
// has those of the faces of the members to their siblings, then to their neighbours in other sibling blocks.
inline constexpr std::uint32_t no_block = 0xffffffffu;
template <int Dim>
inline constexpr std::size_t block_size = 2 * Dim* child_count<Dim>;
template <int Dim>
constexpr std::size_t block_entry(std::size_t block, int slot, int axis, bool outer) {
  constexpr int half = child_count<Dim> / 2;
  const int row = (slot / half * Dim + axis) * 2 + (outer ? 1 : 0);
  return block * block_size<Dim> + static_cast<std::size_t>(row * half + slot % half);
}

// These are the sibling blocks whose members have one depth, which is that many levels below the root cells.
struct SiblingLevel {
  std::size_t begin, end;
  int depth;
  double size;  // of the members, m
};

template <int Dim>
struct SiblingBlocksView {
  static constexpr int width = child_count<Dim>, half = width / 2;

  OctreeView<Dim> tree;
  View<const Cell> root_member;  // members of the sibling blocks after those of the branches
  View<const SiblingBlockId>
      neighbor;                    // of each side; `nothing` at a wall and beside larger leaves
  View<const LevelCellId> parent;  // the cell that a sibling block fills one level up
  View<const std::uint8_t> leaf_members;  // which members of each sibling block are leaves
  View<const LevelCellId> root_cell;      // of each root cell
  SiblingBlockId nothing;

  std::size_t sibling_block_count() const { return nothing.value; }
  std::size_t level_cell_count() const {
    return (sibling_block_count() + 1) * width;
  }  // with `nothing`

  Cell member(SiblingBlockId sibling_block, int slot) const {
    if (sibling_block < tree.branch_count())
      return tree.child_of(BranchId(sibling_block.value), digit_at(slot));
    return root_member[(sibling_block - tree.branch_count()) * width +
                       static_cast<std::size_t>(slot)];
  }
  SiblingBlockId neighbor_of(SiblingBlockId sibling_block, int side) const {
    return neighbor[std::size_t{sibling_block} * side_count<Dim> + static_cast<std::size_t>(side)];
  }

  // Slots and the digits of keys are turned into each other; bit a of a digit says whether a member is the
  // upper one along axis a.
  static constexpr int slot_of(int digit) {
    return (std::popcount(static_cast<unsigned>(digit)) & 1) * half + digit / 2;
  }
  static constexpr int digit_at(int slot) {
    return 2 * (slot % half) + (std::popcount(static_cast<unsigned>(slot)) & 1);
  }
  static constexpr SiblingBlockId sibling_block_of(LevelCellId level_cell) {
    return SiblingBlockId(level_cell.value / width);
  }
  static constexpr int slot_of(LevelCellId level_cell) {
    return static_cast<int>(level_cell.value % width);
  }
  static constexpr int color(std::size_t level_cell) { return level_cell % width >= half ? 1 : 0; }

  static LevelCellId level_cell(SiblingBlockId sibling_block, int slot) {
    return LevelCellId(std::size_t{sibling_block} * width + static_cast<std::size_t>(slot));
  }
  LevelCellId level_cell(LeafId leaf) const {
    const BranchId parent_branch = tree.leaf_parent[leaf];
    const Key<Dim> key = tree.leaf_key[leaf];
    if (parent_branch.is_none()) return root_cell[key.root_index()];
    return level_cell(SiblingBlockId(parent_branch.value), slot_of(key.digit()));
  }

  // These tell whether a member touches a side of its sibling block, and find the
  // sibling, or cousin, across its own side.
  static constexpr bool is_outer(int slot, int side) {
    return ((digit_at(slot) >> (side / 2)) & 1) == side % 2;
  }
  static constexpr int across(int slot, int side) {
    return slot ^ (side < 2 ? half : half | 1 << (side / 2 - 1));
  }

  // Sets of members are bits; these are the members on a side of the sibling block, and a set with every member
  // moved to the cell of its sibling along an axis.
  static constexpr unsigned all_members = (1u << width) - 1;
  static constexpr unsigned on_side(int side) {
    unsigned set = 0;
    for (int slot = 0; slot < width; ++slot)
      if (is_outer(slot, side)) set |= 1u << slot;
    return set;
  }
  static constexpr unsigned mirrored(unsigned set, int axis) {
    const unsigned swapped = (set << half | set >> half) & all_members;
    if (axis == 0) return swapped;
    return axis == 1 ? (swapped & 0x55u) << 1 | (swapped & 0xaau) >> 1
                     : (swapped & 0x33u) << 2 | (swapped & 0xccu) >> 2;
  }
  // This tells whether all of a set can be reached from its first member without leaving it; `passable` has,
  // for each axis, the members from which one gets to their siblings.
  static bool is_connected(unsigned set, const std::array<unsigned, Dim>& passable) {
    unsigned reached = set & (~set + 1), before = 0;
    while (reached != before && reached != set) {
      before = reached;
      for (int axis = 0; axis < Dim; ++axis)
        reached |= mirrored(reached & passable[static_cast<std::size_t>(axis)], axis) & set;
    }
    return reached == set;
  }
};

template <int Dim>
class SiblingBlocks {
 public:
  void build(const Mesh<Dim>& mesh);

  SiblingBlocksView<Dim> view() const;
  const std::vector<SiblingLevel>& levels() const { return levels_; }  // the topmost first
  std::size_t bytes() const {
    return neighbor_.bytes() + parent_.bytes() + root_member_.bytes() + root_cell_.bytes() +
           leaf_members_.bytes();
  }

 private:
  void build_root_sibling_blocks(const Domain<Dim>& domain);

  const Mesh<Dim>* mesh_ = nullptr;
  Buffer<Cell> root_member_;
  Buffer<SiblingBlockId> neighbor_;
  Buffer<LevelCellId> parent_, root_cell_;
  Buffer<std::uint8_t> leaf_members_;
  SiblingBlockId nothing_;
  std::vector<SiblingLevel> levels_;
};

extern template class SiblingBlocks<2>;
extern template class SiblingBlocks<3>;

}  // namespace octavo
