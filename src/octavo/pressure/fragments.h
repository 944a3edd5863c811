#pragma once

// Fragments are needed where a branch holds fluid in several parts that do not meet inside it, on the two sides
// of a thin wall, say. One correction for both would be wrong: the pressures have nothing to do with each
// other. The first part keeps the branch's cell; every further part is a fragment, an additional unknown of its
// level with index level_cell_count, level_cell_count + 1, ...
//
// A part of a branch is made of parts of its children, and what is known of it is the same as for a
// whole cell: the open fraction of each side, surface terms, and the open fraction to every part of
// the neighbours. Parts are found from the deepest level upward, each level from the one below. Under a
// free surface they count as full.

#include <vector>

#include "octavo/multigrid/sibling_blocks.h"

namespace octavo {

template <int Dim>
struct Fragment {
  LevelCellId cell;             // the branch it is a part of
  std::uint32_t parent;         // the part of the next coarser branch that it is a part of
  float side[side_count<Dim>];  // open fraction of the cell's side
  float dirichlet;              // surface terms
};

// This is a branch of several parts.
template <int Dim>
struct SplitBranch {
  SiblingBlockId sibling_block;
  std::uint32_t parts, first_fragment;  // part k > 0 is fragment first_fragment + k - 1
  std::uint8_t part[child_count<Dim>];  // of the children; fragments among them know theirs
  float side[side_count<Dim>];          // open fraction of all parts together
  std::uint32_t overlap[Dim + 1];       // those with the neighbour above along each axis
};

// This is the open fraction between part `low` of a split branch and part `high` of a split neighbour.
struct PartOverlap {
  std::uint32_t low, high;
  float open;
};

// This is a sibling block whose members do not all go into one part, or are not all whole.
template <int Dim>
struct SpecialSiblingBlock {
  SiblingBlockId sibling_block;
  std::uint32_t target[child_count<Dim>];      // the part each member goes into
  std::uint32_t fragment_begin, fragment_end;  // fragments that are members
};

// This is the open fraction from one part to another; at least one of them is not the first of its cell.
struct PartLink {
  std::uint32_t from, to;
  float open;
};

template <int Dim, class Real>
struct FaceMeasure;
template <int Dim, class Real>
struct DisconnectedFaces;  // a sibling block whose fluid is not in one piece

template <int Dim>
class Fragments {
 public:
  static constexpr int width = child_count<Dim>;

  void clear(const SiblingBlocksView<Dim>& sibling_blocks);
  bool empty() const { return special_.empty(); }
  std::size_t count() const { return fragment_.size(); }

  // These are called for each level, the deepest first: meet_surface finds what ties fragments to dry leaves of
  // their size; link_parts finds what is open between the level's parts; then find_parts, given the sibling blocks that are disconnected, finds the parts of their branches, which are
  // unknowns of the next level.
  template <class Real>
  void meet_surface(const FaceMeasure<Dim, Real>& measure, int depth);
  template <class Real>
  void link_parts(const FaceMeasure<Dim, Real>& measure, int depth);
  template <class Real>
  void find_parts(const FaceMeasure<Dim, Real>& measure, int depth,
                  std::vector<DisconnectedFaces<Dim, Real>> disconnected);

  bool is_split(SiblingBlockId sibling_block) const {
    return split_of_.size() > 0 && split_of_[sibling_block] != none;
  }
  const SplitBranch<Dim>& split(SiblingBlockId sibling_block) const {
    return split_[split_of_[sibling_block]];
  }
  const Fragment<Dim>& fragment(std::size_t k) const { return fragment_[k]; }
  View<const PartOverlap> overlaps(const SplitBranch<Dim>& low, int axis) const {
    return {overlap_.data() + low.overlap[axis], low.overlap[axis + 1] - low.overlap[axis]};
  }

  // These give the index of a part among the unknowns, whether it is a fragment, and which.
  std::uint32_t index(const SplitBranch<Dim>& s, std::uint32_t part) const {
    return part == 0 ? sibling_blocks_.parent[s.sibling_block].value
                     : index(s.first_fragment + part - 1);
  }
  std::uint32_t index(std::size_t fragment) const {
    return static_cast<std::uint32_t>(sibling_blocks_.level_cell_count() + fragment);
  }
  bool is_fragment(std::uint32_t index) const {
    return index >= sibling_blocks_.level_cell_count();
  }
  std::size_t fragment_of(std::uint32_t index) const {
    return index - sibling_blocks_.level_cell_count();
  }

  // A depth has the fragments and rows of links of that depth, and the sibling blocks with members of that
  // depth which are special.
  struct Level {
    IndexRange fragments, splits, special;
    std::array<IndexRange, 2> rows;  // of the two colours
  };
  const Level& level(int depth) const { return level_[number(depth)]; }
  const SpecialSiblingBlock<Dim>& special(std::size_t k) const { return special_[k]; }
  std::size_t special_count() const { return special_.size(); }
  // Parts without an open side, and those of the topmost sibling block, have no parent: they are components.
  bool has_parent(std::size_t k) const { return fragment_[k].parent != none; }
  static constexpr std::uint32_t everything =
      0xfffffffeu;  // first part of the topmost sibling block

  // The colour of a part is the parity of its cell's position.
  int color(std::uint32_t index) const {
    const std::uint32_t cell =
        is_fragment(index) ? fragment_[fragment_of(index)].cell.value : index;
    return SiblingBlocksView<Dim>::color(cell);
  }

  // Row k belongs to part row(k)[0].from.
  std::size_t row_count() const { return row_begin_.size() - 1; }
  View<const PartLink> row(std::size_t k) const {
    return {link_.data() + row_begin_[k], row_begin_[k + 1] - row_begin_[k]};
  }
  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr int offset = max_level;  // root cells may be grouped 15 times

  static std::size_t number(int depth) {
    const int from_top = depth + offset;
    return static_cast<std::size_t>(from_top);
  }
  Level& level(int depth) { return level_[number(depth)]; }
  struct DisconnectedParts;
  static constexpr std::size_t disconnected_block = 64;
  template <class Real>
  DisconnectedParts find_parts_of(
      const FaceMeasure<Dim, Real>& measure, int depth,
      const DisconnectedFaces<Dim, Real>& disconnected_sibling_block) const;
  template <class Real>
  void add_parts(const FaceMeasure<Dim, Real>& measure, const DisconnectedParts& found);
  template <class Real>
  std::vector<PartOverlap> overlaps_above(const FaceMeasure<Dim, Real>& measure,
                                          const SplitBranch<Dim>& low, int axis) const;
  template <class Real>
  void find_overlaps(const FaceMeasure<Dim, Real>& measure, IndexRange splits);
  template <class Real>
  void find_links(const FaceMeasure<Dim, Real>& measure, const SplitBranch<Dim>& branch,
                  std::vector<PartLink>& links) const;
  IndexRange fragments_in(int depth, SiblingBlockId sibling_block) const;
  // This is the part of a split branch that a member of its sibling block belongs to.
  std::uint32_t part_of(const SplitBranch<Dim>& s, std::uint32_t member) const {
    if (!is_fragment(member)) return s.part[member % width];
    const std::uint32_t parent = fragment_[fragment_of(member)].parent;
    return is_fragment(parent)
               ? static_cast<std::uint32_t>(fragment_of(parent)) - s.first_fragment + 1
               : 0;
  }

  SiblingBlocksView<Dim> sibling_blocks_;
  std::vector<Fragment<Dim>> fragment_;
  std::vector<SplitBranch<Dim>> split_;
  std::vector<PartOverlap> overlap_;
  std::vector<SpecialSiblingBlock<Dim>> special_;
  std::vector<PartLink> link_;
  std::vector<std::uint32_t> row_begin_{0};
  Buffer<std::uint32_t>
      split_of_;  // of each sibling block; empty as long as nothing is disconnected
  std::array<Level, offset + max_level + 1> level_{};
};

extern template class Fragments<2>;
extern template class Fragments<3>;

}  // namespace octavo
