#pragma once

// This finds what is open around the cells of a level, once the levels below are known: it is the step from the
// faces of the mesh to the fractions of the pressure matrix.

#include "octavo/pressure/cut_rows.h"
#include "octavo/pressure/fragments.h"

namespace octavo {

// This holds, for every side of every member of one sibling block, what is open there.
template <int Dim, class Real>
struct SiblingBlockFaces {
  static constexpr int width = child_count<Dim>;
  Cell member[width];
  // The coefficient to the cell of its size there is the open fraction, and more
  // of it where cells are full to a part.
  Real open[side_count<Dim>][width];
  Real side[side_count<Dim>][width] = {};     // the open fraction to whatever is there;
  std::uint8_t beside_leaf[side_count<Dim>];  // members that have a leaf of their own size there
  double dirichlet[width] = {};               // surface terms in units of h^(Dim-2)
  double exact[width] = {};                   // of leaves: those that are so in the matrix as well
  std::uint8_t leaves, active;                // liquid leaves; cells with liquid in them
  bool all_open = true;                       // 1 is the coefficient to all active cells beside
  bool disconnected = false;                  // the fluid is not in one piece
  std::uint64_t hanging_faces = 0;            // bit slot * 2 Dim + side: a large face

  // This tells whether all sides of all leaves have this open fraction.
  bool leaves_are_all(Real fraction) const {
    bool same = true;
    for (const auto& of_side : side)
      for (int slot = 0; slot < width; ++slot)
        same &= ((leaves >> slot) & 1) == 0 || of_side[slot] == fraction;
    return same;
  }
};

template <int Dim, class Real>
struct DisconnectedFaces {
  SiblingBlockId sibling_block;
  SiblingBlockFaces<Dim, Real> faces;
};

template <int Dim, class Real>
struct FaceMeasure {
  static constexpr int width = child_count<Dim>;
  using Blocks = SiblingBlocksView<Dim>;

  PressureFaces<Dim, Real> faces;
  SiblingBlocksView<Dim> sibling_blocks;
  const Fragments<Dim>* fragments;
  View<const std::uint8_t> wet;  // of every sibling block: members that are leaves with liquid
  View<float> side_fraction, dirichlet;  // of every sibling block's first part
  View<float> filled;         // of every sibling block: the part of its volume that is liquid
  View<std::uint8_t> active;  // of every sibling block: members with liquid
  CutRowsView cut_rows;

  bool is_active(Cell c) const {
    if (c.is_outside()) return false;
    return c.is_leaf() ? faces.is_liquid(c.leaf()) : active[c.branch()] != 0;
  }
  bool is_split(Cell c) const {
    return c.is_branch() && fragments->is_split(SiblingBlockId(c.branch().value));
  }
  const SplitBranch<Dim>& split(Cell c) const {
    return fragments->split(SiblingBlockId(c.branch().value));
  }
  float& fraction_of(SiblingBlockId branch, int side) const {
    return side_fraction[std::size_t{branch} * side_count<Dim> + static_cast<std::size_t>(side)];
  }
  float fraction_of(Cell branch, int side) const {
    return fraction_of(SiblingBlockId(branch.branch().value), side);
  }

  // This is the member across a side of a member, if there is a cell of its size: its sibling block and slot.
  struct Beside {
    SiblingBlockId sibling_block;
    int slot;
  };
  Beside beside(SiblingBlockId sibling_block, int slot, int side) const {
    return {Blocks::is_outer(slot, side) ? sibling_blocks.neighbor_of(sibling_block, side)
                                         : sibling_block,
            Blocks::across(slot, side)};
  }
  Cell member(const Beside& b) const {
    return b.sibling_block == sibling_blocks.nothing
               ? Cell::outside()
               : sibling_blocks.member(b.sibling_block, b.slot);
  }
  // These members of a sibling block have a member of a set across their side, in
  // their own sibling block or beside it.
  unsigned across(const View<const std::uint8_t>& set, SiblingBlockId sibling_block,
                  int side) const {
    const unsigned outer = Blocks::on_side(side);
    return (Blocks::mirrored(set[sibling_block], side / 2) & ~outer) |
           (Blocks::mirrored(set[sibling_blocks.neighbor_of(sibling_block, side)], side / 2) &
            outer);
  }

  // This is the part of a cell's volume, and of a sibling block's, that is liquid; what is outside the box is not.
  float filled_part(Cell c) const {
    if (c.is_outside()) return 0;
    return c.is_leaf() ? (faces.is_liquid(c.leaf()) ? 1.0f : 0.0f) : filled[c.branch()];
  }
  float filled_part(SiblingBlockId sibling_block) const {
    if (!faces.boundary.has_surface()) return 1;
    auto sum = static_cast<float>(std::popcount(wet[sibling_block]));
    for_each_in(Blocks::all_members & ~unsigned{sibling_blocks.leaf_members[sibling_block]},
                [&](int slot) { sum += filled_part(sibling_blocks.member(sibling_block, slot)); });
    return sum / static_cast<float>(width);
  }

  // This is the leaf across a side of a sibling block, if it is larger than the members.
  Cell larger_leaf(SiblingBlockId sibling_block, int side) const {
    if (sibling_block >= sibling_blocks.tree.branch_count()) return Cell::outside();
    const Cell c = faces.mesh.around.row[std::size_t{sibling_block} * direction_count<Dim> +
                                         static_cast<std::size_t>(side_direction<Dim>(side))];
    return c.is_leaf() ? c : Cell::outside();
  }

  // The members on a side of a sibling block may lie in a hanging face: that of a larger leaf with liquid, or of a
  // dry one on a side where the surface cuts a row that ties several liquid leaves.
  bool meets_hanging_face(SiblingBlockId sibling_block, int side) const {
    const Cell larger = larger_leaf(sibling_block, side);
    return is_active(larger) || dry_row(larger, side ^ 1) != nullptr;
  }
  const CutRow* dry_row(Cell large, int side) const {
    if (cut_rows.empty() || !large.is_leaf() || is_active(large)) return nullptr;
    const CutRow* row = cut_rows.find(faces.mesh.first_face(large.leaf(), side));
    return row != nullptr && row->is_cut && row->is_large() && !row->is_one_term() ? row : nullptr;
  }
  // This is what ties cells of the size of such a dry leaf to the surface: all that are open to it by a part.
  double dry_term(const CutRow& row, LeafId large, double open) const {
    const double h = faces.mesh.tree.size(large);
    return row.conductance(open * (Dim == 2 ? h : h * h)) / (Dim == 2 ? 1.0 : h);
  }

  // Two cases are found quickly and hold nearly everywhere: no member holds liquid; or all are full of it, and
  // so is what is beside them, and all faces are open.
  bool is_dry(SiblingBlockId sibling_block) const;
  bool is_full_around(SiblingBlockId sibling_block) const;     // except for the faces of its leaves
  bool has_smaller_cells(SiblingBlockId sibling_block) const;  // among its members, or beside them

  // Measures a sibling block in two steps: first what the faces of leaves say, then what is beside them.
  void look_at_faces(SiblingBlockId sibling_block, SiblingBlockFaces<Dim, Real>& r) const;
  void look_around(SiblingBlockId sibling_block, SiblingBlockFaces<Dim, Real>& r) const;

  // Calls f(part of own, part of the cell across, open fraction) for a member and the cell of its
  // size across a side.
  template <class F>
  void for_each_coupling(SiblingBlockId sibling_block, int slot, int side, F&& f) const;

 private:
  bool is_full(Cell branch) const;
  void measure_side(SiblingBlockId sibling_block, int side, SiblingBlockFaces<Dim, Real>& r) const;
  void measure_face(SiblingBlockId sibling_block, int slot, int side,
                    SiblingBlockFaces<Dim, Real>& r) const;
  Real measure_leaf(int slot, int side, SiblingBlockFaces<Dim, Real>& r) const;
  void add_surface(FaceId face, const FaceLink& link, LeafId leaf, int slot,
                   SiblingBlockFaces<Dim, Real>& r) const;
  Real row_weight(LeafId large, int side) const;
  Real between_branches(Cell own, Cell across, int side) const;
  Real thickness(Cell c, int side) const;
  Real nearness(Cell own, Cell across, int side) const;
  float first_overlap(Cell own, Cell across, int side) const;
  static unsigned closed_members(const SiblingBlockFaces<Dim, Real>& r);
  static bool in_one_piece(const SiblingBlockFaces<Dim, Real>& r);
};

template <int Dim, class Real>
template <class F>
void FaceMeasure<Dim, Real>::for_each_coupling(SiblingBlockId sibling_block, int slot, int side,
                                               F&& f) const {
  const Beside b = beside(sibling_block, slot, side);
  const Cell own = sibling_blocks.member(sibling_block, slot), across = member(b);
  if (!is_active(own) || !is_active(across)) return;
  const std::uint32_t here = Blocks::level_cell(sibling_block, slot),
                      there = Blocks::level_cell(b.sibling_block, b.slot);
  if (is_split(own) && is_split(across)) {
    const bool up = side % 2 == 1;
    const SplitBranch<Dim>&low = split(up ? own : across), &high = split(up ? across : own);
    for (const PartOverlap& o : fragments->overlaps(low, side / 2)) {
      const std::uint32_t p = fragments->index(low, o.low), q = fragments->index(high, o.high);
      up ? f(p, q, o.open) : f(q, p, o.open);
    }
  } else if (is_split(own)) {
    const SplitBranch<Dim>& s = split(own);
    f(here, there, fraction_of(own, side));
    for (std::uint32_t k = 1; k < s.parts; ++k)
      f(fragments->index(s, k), there, fragments->fragment(s.first_fragment + k - 1).side[side]);
  } else if (is_split(across)) {
    const SplitBranch<Dim>& s = split(across);
    f(here, there, fraction_of(across, side ^ 1));
    for (std::uint32_t k = 1; k < s.parts; ++k)
      f(here, fragments->index(s, k), fragments->fragment(s.first_fragment + k - 1).side[side ^ 1]);
  } else if (own.is_branch() || across.is_branch()) {
    f(here, there, own.is_branch() ? fraction_of(own, side) : fraction_of(across, side ^ 1));
  } else {
    const FaceId face = faces.mesh.first_face(own.leaf(), side);
    f(here, there, static_cast<float>(faces.boundary.open_fraction(face)));
  }
}

extern template struct FaceMeasure<2, float>;
extern template struct FaceMeasure<3, float>;
extern template struct FaceMeasure<2, double>;
extern template struct FaceMeasure<3, double>;

}  // namespace octavo
