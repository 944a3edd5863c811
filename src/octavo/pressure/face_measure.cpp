#include "octavo/pressure/face_measure.h"

namespace octavo {

template <int Dim, class Real>
bool FaceMeasure<Dim, Real>::is_dry(SiblingBlockId sibling_block) const {
  bool dry = wet[sibling_block] == 0;
  if (dry)
    for_each_in(
        Blocks::all_members & ~unsigned{sibling_blocks.leaf_members[sibling_block]},
        [&](int slot) { dry = dry && !is_active(sibling_blocks.member(sibling_block, slot)); });
  return dry;
}

template <int Dim, class Real>
bool FaceMeasure<Dim, Real>::is_full(Cell branch) const {
  return active[branch.branch()] == Blocks::all_members && filled[branch.branch()] == 1 &&
         !is_split(branch);
}

template <int Dim, class Real>
bool FaceMeasure<Dim, Real>::is_full_around(SiblingBlockId sibling_block) const {
  if (sibling_block >= sibling_blocks.tree.branch_count() ||
      wet[sibling_block] != sibling_blocks.leaf_members[sibling_block])
    return false;
  bool open = true;
  for (int side = 0; side < side_count<Dim> && open; ++side) {
    const SiblingBlockId next = sibling_blocks.neighbor_of(sibling_block, side);
    if (next == sibling_blocks.nothing) {
      open = is_active(larger_leaf(sibling_block, side));
      continue;
    }
    const unsigned beside = Blocks::on_side(side ^ 1), leaves = sibling_blocks.leaf_members[next];
    open = (leaves & ~unsigned{wet[next]} & beside) == 0;
    for_each_in(beside & ~leaves, [&](int slot) {
      const Cell c = sibling_blocks.member(next, slot);
      open = open && is_full(c) && fraction_of(c, side ^ 1) == 1;
    });
  }
  for_each_in(Blocks::all_members & ~unsigned{sibling_blocks.leaf_members[sibling_block]},
              [&](int slot) {
                const Cell c = sibling_blocks.member(sibling_block, slot);
                open = open && is_full(c) && dirichlet[c.branch()] == 0;
                for (int side = 0; side < side_count<Dim>; ++side)
                  open = open && fraction_of(c, side) == 1;
              });
  return open;
}

template <int Dim, class Real>
bool FaceMeasure<Dim, Real>::has_smaller_cells(SiblingBlockId sibling_block) const {
  unsigned smaller = Blocks::all_members & ~unsigned{sibling_blocks.leaf_members[sibling_block]};
  for (int side = 0; side < side_count<Dim>; ++side) {
    const SiblingBlockId next = sibling_blocks.neighbor_of(sibling_block, side);
    if (next != sibling_blocks.nothing)
      smaller |= Blocks::on_side(side ^ 1) & ~unsigned{sibling_blocks.leaf_members[next]};
  }
  return smaller != 0;
}

template <int Dim, class Real>
void FaceMeasure<Dim, Real>::look_at_faces(SiblingBlockId sibling_block,
                                           SiblingBlockFaces<Dim, Real>& r) const {
  r.leaves = r.active = wet[sibling_block];
  for (int slot = 0; slot < width; ++slot)
    r.member[slot] = sibling_blocks.member(sibling_block, slot);
  for_each_in(r.leaves, [&](int slot) {
    for (int side = 0; side < side_count<Dim>; ++side)
      r.side[side][slot] =
          faces.boundary.open_fraction(faces.mesh.first_face(r.member[slot].leaf(), side));
  });
}

template <int Dim, class Real>
void FaceMeasure<Dim, Real>::look_around(SiblingBlockId sibling_block,
                                         SiblingBlockFaces<Dim, Real>& r) const {
  for_each_in(Blocks::all_members & ~unsigned{sibling_blocks.leaf_members[sibling_block]},
              [&](int slot) {
                const Cell own = r.member[slot];
                if (!is_active(own)) return;
                r.active = static_cast<std::uint8_t>(r.active | 1u << slot);
                r.dirichlet[slot] = static_cast<double>(dirichlet[own.branch()]);
                r.disconnected = r.disconnected || is_split(own);
                for (int side = 0; side < side_count<Dim>; ++side)
                  r.side[side][slot] = static_cast<Real>(fraction_of(own, side));
              });
  // A leaf that solids cover on all sides is inside of them, and has no equation. One that walls close
  // in as well is a component of its own.
  unsigned covered = faces.boundary.has_solids() ? closed_members(r) & r.leaves : 0;
  for (int side = 0; side < side_count<Dim>; ++side) measure_side(sibling_block, side, r);
  if (covered != 0) covered &= closed_members(r);
  r.leaves = static_cast<std::uint8_t>(r.leaves & ~covered);
  r.active = static_cast<std::uint8_t>(r.active & ~covered);
  if (!r.disconnected) r.disconnected = !in_one_piece(r);
}

// Between liquid leaves of one size the face says it all; to a larger leaf nothing is to be done. The other
// faces are looked at one by one.
template <int Dim, class Real>
void FaceMeasure<Dim, Real>::measure_side(SiblingBlockId sibling_block, int side,
                                          SiblingBlockFaces<Dim, Real>& r) const {
  const SiblingBlockId next = sibling_blocks.neighbor_of(sibling_block, side);
  r.beside_leaf[side] =
      static_cast<std::uint8_t>(across(sibling_blocks.leaf_members, sibling_block, side));
  const unsigned simple = r.leaves & across(wet, sibling_block, side);
  bool closed = false;
  for (int slot = 0; slot < width; ++slot) {
    const bool is_simple = ((simple >> slot) & 1) != 0;
    r.open[side][slot] = static_cast<Real>(is_simple) * r.side[side][slot];
    closed |= is_simple & (r.side[side][slot] != Real{1});
  }
  r.all_open = r.all_open && !closed;
  unsigned others = r.active & ~simple;
  if (next == sibling_blocks.nothing && is_active(larger_leaf(sibling_block, side)))
    others &= ~(unsigned{r.leaves} & Blocks::on_side(side));
  for_each_in(others, [&](int slot) { measure_face(sibling_block, slot, side, r); });
}

template <int Dim, class Real>
void FaceMeasure<Dim, Real>::measure_face(SiblingBlockId sibling_block, int slot, int side,
                                          SiblingBlockFaces<Dim, Real>& r) const {
  const Cell own = r.member[slot];
  const Cell across = member(beside(sibling_block, slot, side));
  Real &open = r.open[side][slot], &to_side = r.side[side][slot];
  if (const CutRow* row = own.is_branch() ? dry_row(across, side ^ 1) : nullptr) {
    r.dirichlet[slot] += dry_term(*row, across.leaf(), static_cast<double>(to_side));
    to_side = 0;
  } else if (own.is_branch()) {
    if (!across.is_outside())
      open = between_branches(own, across, side) * nearness(own, across, side);
    if (across.is_leaf()) open *= row_weight(across.leaf(), side ^ 1);
  } else if (across.is_branch()) {
    if (faces.boundary.has_surface()) (void)measure_leaf(slot, side, r);
    open = static_cast<Real>(fraction_of(across, side ^ 1));
    to_side = is_split(across) ? static_cast<Real>(split(across).side[side ^ 1]) : open;
    open *= nearness(own, across, side);
    open *= row_weight(own.leaf(), side);
    if (to_side > 0) r.hanging_faces |= std::uint64_t{1} << (slot * side_count<Dim> + side);
  } else if (across.is_leaf()) {
    (void)measure_leaf(slot, side, r);
    to_side = 0;
  } else {
    to_side = measure_leaf(slot, side, r);
  }
  if (open != Real{1} && is_active(across)) r.all_open = false;
}

// This is the open fraction between the first parts of a branch and a cell of its size. Two branches may have
// summed it up in different orders; that of the lower one counts, for both.
template <int Dim, class Real>
Real FaceMeasure<Dim, Real>::between_branches(Cell own, Cell across, int side) const {
  if (!is_split(across)) {
    if (is_split(own) || !across.is_branch()) return static_cast<Real>(fraction_of(own, side));
    return static_cast<Real>(side % 2 == 1 ? fraction_of(own, side)
                                           : fraction_of(across, side ^ 1));
  }
  return static_cast<Real>(is_split(own) ? first_overlap(own, across, side)
                                         : fraction_of(across, side ^ 1));
}

// Looks at the faces of a leaf on a side; returns the open fraction of the last of them that leads to liquid, or that
// lies in a row with other liquid leaves.
template <int Dim, class Real>
Real FaceMeasure<Dim, Real>::measure_leaf(int slot, int side,
                                          SiblingBlockFaces<Dim, Real>& r) const {
  const LeafId leaf = r.member[slot].leaf();
  double open = 0;
  for (const FaceId face : faces.mesh.faces(leaf, side)) {
    const FaceLink l = faces.link(face);
    const LeavesBySize<Dim> leaves(faces.mesh, face);
    const bool is_tied =
        leaves.large != leaf &&
        dry_row(leaves.large.is_none() ? Cell::outside() : Cell::leaf(leaves.large), side ^ 1) !=
            nullptr;
    if (l.kind == FaceLink::surface && !is_tied) add_surface(face, l, leaf, slot, r);
    if (l.kind == FaceLink::pair || is_tied) open = l.area / faces.mesh.area(face);
  }
  return static_cast<Real>(open);
}

// A large row that is cut stands in the matrix as a whole, unless it has one liquid leaf only; on the level of its larger
// leaf, its faces to the surface have a term each.
template <int Dim, class Real>
void FaceMeasure<Dim, Real>::add_surface(FaceId face, const FaceLink& link, LeafId leaf, int slot,
                                         SiblingBlockFaces<Dim, Real>& r) const {
  const double unit = Dim == 2 ? 1.0 : faces.mesh.tree.size(leaf);
  const CutRow* row = faces.has_cut_rows() ? cut_rows.find(face) : nullptr;
  const double term =
      (row == nullptr ? link.area / link.distance : row->conductance(link.area)) / unit;
  r.dirichlet[slot] += term;
  if (row == nullptr || row->is_one_term()) r.exact[slot] += term;
}

// This is the weight of the row on a side of a leaf that is larger than those across.
template <int Dim, class Real>
Real FaceMeasure<Dim, Real>::row_weight(LeafId large, int side) const {
  if (cut_rows.empty()) return 1;
  const CutRow* row = cut_rows.find(faces.mesh.first_face(large, side));
  return row != nullptr && row->is_cut && row->is_large() ? static_cast<Real>(row->weight()) : 1;
}

// This is how thick the liquid of a cell is behind one of its sides, in sizes of the cell.
template <int Dim, class Real>
Real FaceMeasure<Dim, Real>::thickness(Cell c, int side) const {
  if (!c.is_branch() || is_split(c)) return 1;
  const float open = fraction_of(c, side);
  return open > 0 ? static_cast<Real>(std::min(1.0f, filled[c.branch()] / open)) : Real{1};
}

// Branches that are full to a part only have the centres of their liquid closer to each other than
// those of the cells, and to the surface: on coarser levels that is what a pressure belongs to.
template <int Dim, class Real>
Real FaceMeasure<Dim, Real>::nearness(Cell own, Cell across, int side) const {
  if (!faces.boundary.has_surface()) return 1;
  return 2 / (thickness(own, side) + thickness(across, side ^ 1));
}

template <int Dim, class Real>
float FaceMeasure<Dim, Real>::first_overlap(Cell own, Cell across, int side) const {
  const SplitBranch<Dim>& low = split(side % 2 == 1 ? own : across);
  for (const PartOverlap& o : fragments->overlaps(low, side / 2))
    if (o.low == 0 && o.high == 0) return o.open;
  return 0;
}

// These are the members that have no open side.
template <int Dim, class Real>
unsigned FaceMeasure<Dim, Real>::closed_members(const SiblingBlockFaces<Dim, Real>& r) {
  double open[width];
  for (int slot = 0; slot < width; ++slot) open[slot] = r.dirichlet[slot];
  for (int side = 0; side < side_count<Dim>; ++side)
    for (int slot = 0; slot < width; ++slot) open[slot] += static_cast<double>(r.side[side][slot]);
  unsigned closed = 0;
  for (int slot = 0; slot < width; ++slot) closed |= static_cast<unsigned>(open[slot] <= 0) << slot;
  return closed;
}

// This tells whether all active members can be reached from the first through open faces between siblings.
template <int Dim, class Real>
bool FaceMeasure<Dim, Real>::in_one_piece(const SiblingBlockFaces<Dim, Real>& r) {
  std::array<unsigned, Dim> passable{};
  for (int axis = 0; axis < Dim; ++axis)
    for (int slot = 0; slot < width; ++slot) {
      const int inner = 2 * axis + (Blocks::is_outer(slot, 2 * axis) ? 1 : 0);
      const Real open = r.open[inner][slot];
      passable[static_cast<std::size_t>(axis)] |= (open > 0 ? 1u : 0u) << slot;
    }
  return Blocks::is_connected(r.active, passable);
}

template struct FaceMeasure<2, float>;
template struct FaceMeasure<3, float>;
template struct FaceMeasure<2, double>;
template struct FaceMeasure<3, double>;

}  // namespace octavo
