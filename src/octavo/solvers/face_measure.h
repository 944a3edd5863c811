#pragma once

// What is open around the cells of a level, once the levels below are known: the step from the faces
// of the mesh to the fractions of the pressure matrix.

#include "octavo/operators/pressure_faces.h"
#include "octavo/solvers/fragments.h"

namespace octavo {

// One family: for every side of every member, ...
template <int Dim, class Real>
struct FamilyFaces {
  static constexpr int width = child_count<Dim>;
  Cell member[width];
  // the coefficient to the cell of its size there: the open fraction, more of it where cells are full
  // to a part;
  Real open[side_count<Dim>][width];
  Real side[side_count<Dim>][width] = {};     // the open fraction to whatever is there;
  std::uint8_t beside_leaf[side_count<Dim>];  // members that have a leaf of their own size there
  double dirichlet[width] = {};               // surface terms in units of h^(Dim-2)
  std::uint8_t leaves, active;                // liquid leaves; cells with liquid in them
  bool all_open = true;                       // 1 is the coefficient to all active cells beside
  bool torn = false;                          // the fluid is not in one piece
  std::uint64_t joints = 0;                   // bit slot * 2 Dim + side: a large face

  // Whether all sides of all leaves have this open fraction.
  bool leaves_are_all(Real fraction) const {
    bool same = true;
    for (const auto& of_side : side)
      for (int slot = 0; slot < width; ++slot)
        same &= ((leaves >> slot) & 1) == 0 || of_side[slot] == fraction;
    return same;
  }
};

template <int Dim, class Real>
struct TornFaces {
  FamilyId family;
  FamilyFaces<Dim, Real> faces;
};

template <int Dim, class Real>
struct FaceMeasure {
  static constexpr int width = child_count<Dim>;
  using Place = FamiliesView<Dim>;

  PressureFaces<Dim, Real> faces;
  FamiliesView<Dim> families;
  const Fragments<Dim>* fragments;
  View<const std::uint8_t> wet;          // of every family: members that are leaves with liquid
  View<float> side_fraction, dirichlet;  // of every family's first part
  View<float> filled;                    // of every family: the part of its volume that is liquid
  View<std::uint8_t> active;             // of every family: members with liquid

  bool is_active(Cell c) const {
    if (c.is_outside()) return false;
    return c.is_leaf() ? faces.boundary.is_liquid(c.leaf()) : active[c.branch()] != 0;
  }
  bool is_split(Cell c) const {
    return c.is_branch() && fragments->is_split(FamilyId(c.branch().value));
  }
  const SplitBranch<Dim>& split(Cell c) const {
    return fragments->split(FamilyId(c.branch().value));
  }
  float& fraction_of(FamilyId branch, int side) const {
    return side_fraction[std::size_t{branch} * side_count<Dim> + static_cast<std::size_t>(side)];
  }
  float fraction_of(Cell branch, int side) const {
    return fraction_of(FamilyId(branch.branch().value), side);
  }

  // The member across a side of a member, if there is a cell of its size: its family and slot.
  struct Beside {
    FamilyId family;
    int slot;
  };
  Beside beside(FamilyId family, int slot, int side) const {
    return {Place::is_outer(slot, side) ? families.neighbor_of(family, side) : family,
            Place::across(slot, side)};
  }
  Cell member(const Beside& b) const {
    return b.family == families.nothing ? Cell::outside() : families.member(b.family, b.slot);
  }
  // The members of a family across whose side is a member of a set, in their own family or beside it.
  unsigned across(const View<const std::uint8_t>& set, FamilyId family, int side) const {
    const unsigned outer = Place::on_side(side);
    return (Place::mirrored(set[family], side / 2) & ~outer) |
           (Place::mirrored(set[families.neighbor_of(family, side)], side / 2) & outer);
  }

  // The part of a cell's volume, and of a family's, that is liquid; what is outside the box is not.
  float filled_part(Cell c) const {
    if (c.is_outside()) return 0;
    return c.is_leaf() ? (faces.boundary.is_liquid(c.leaf()) ? 1.0f : 0.0f) : filled[c.branch()];
  }
  float filled_part(FamilyId family) const {
    if (!faces.boundary.has_surface()) return 1;
    auto sum = static_cast<float>(std::popcount(wet[family]));
    for_each_in(Place::all_members & ~unsigned{families.leaf_members[family]},
                [&](int slot) { sum += filled_part(families.member(family, slot)); });
    return sum / static_cast<float>(width);
  }

  // The leaf across a side of a family, if it is larger than the members.
  Cell larger_leaf(FamilyId family, int side) const {
    if (family >= families.tree.branch_count()) return Cell::outside();
    const Cell c = faces.mesh.around.row[std::size_t{family} * direction_count<Dim> +
                                         static_cast<std::size_t>(side_direction<Dim>(side))];
    return c.is_leaf() ? c : Cell::outside();
  }

  // Two cases that are nearly everywhere and quickly found: no member holds liquid; or all are full
  // of it, and so is what is beside them, all faces open.
  bool is_dry(FamilyId family) const;
  bool is_full_around(FamilyId family) const;     // except for the faces of its leaves
  bool has_smaller_cells(FamilyId family) const;  // among its members, or beside them

  // Measures a family in two steps: first what the faces of leaves say, then what is beside them.
  void look_at_faces(FamilyId family, FamilyFaces<Dim, Real>& r) const;
  void look_around(FamilyId family, FamilyFaces<Dim, Real>& r) const;

  // Calls f(part of own, part of the cell across, open fraction) for a member and the cell of its
  // size across a side.
  template <class F>
  void for_each_coupling(FamilyId family, int slot, int side, F&& f) const;

 private:
  bool is_full(Cell branch) const;
  void measure_side(FamilyId family, int side, FamilyFaces<Dim, Real>& r) const;
  void measure_face(FamilyId family, int slot, int side, FamilyFaces<Dim, Real>& r) const;
  Real measure_leaf(LeafId leaf, int side, double& surface_terms) const;
  Real between_branches(Cell own, Cell across, int side) const;
  Real thickness(Cell c, int side) const;
  Real nearness(Cell own, Cell across, int side) const;
  float first_overlap(Cell own, Cell across, int side) const;
  static unsigned closed_members(const FamilyFaces<Dim, Real>& r);
  static bool in_one_piece(const FamilyFaces<Dim, Real>& r);
};

template <int Dim, class Real>
template <class F>
void FaceMeasure<Dim, Real>::for_each_coupling(FamilyId family, int slot, int side, F&& f) const {
  const Beside b = beside(family, slot, side);
  const Cell own = families.member(family, slot), across = member(b);
  if (!is_active(own) || !is_active(across)) return;
  const std::uint32_t here = Place::place(family, slot), there = Place::place(b.family, b.slot);
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
