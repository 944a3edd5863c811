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
  Real open[side_count<Dim>][width];          // the open fraction to the cell of its size there,
  float side[side_count<Dim>][width];         // and to whatever is there;
  std::uint8_t beside[side_count<Dim>];       // members that have a cell of their own size there,
  std::uint8_t beside_leaf[side_count<Dim>];  // a leaf of their own size
  double dirichlet[width];                    // surface terms in units of h^(Dim-2)
  std::uint8_t leaves, active;                // liquid leaves; cells with liquid in them
  bool all_open;                              // to all active cells beside
  bool torn;                                  // the fluid is not in one piece
  std::uint64_t joints;                       // bit slot * 2 Dim + side: a large face
};

template <int Dim, class Real>
struct FaceMeasure {
  static constexpr int width = child_count<Dim>;
  using Place = FamiliesView<Dim>;

  PressureFaces<Dim, Real> faces;
  FamiliesView<Dim> families;
  const Fragments<Dim>* fragments;
  View<float> side_fraction, dirichlet;  // of every family's first part
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

  // Whether all members are full of fluid and all their faces open, as nearly everywhere; found out
  // without looking at a free surface.
  template <bool Plain>
  bool is_all_open(FamilyId family) const;

  template <bool Plain>
  FamilyFaces<Dim, Real> measure(FamilyId family) const;

  // Calls f(part of own, part of the cell across, open fraction) for a member and the cell of its
  // size across a side.
  template <class F>
  void for_each_coupling(FamilyId family, int slot, int side, F&& f) const;

 private:
  template <bool Plain>
  Real between(Cell own, Cell across, int side, double& surface_terms) const;
  Real measure_leaf(LeafId leaf, int side, double& surface_terms) const;
  float first_overlap(Cell own, Cell across, int side) const;
  static void drop_closed_leaves(FamilyFaces<Dim, Real>& r);
  static bool in_one_piece(const FamilyFaces<Dim, Real>& r);
};

template <int Dim, class Real>
template <bool Plain>
bool FaceMeasure<Dim, Real>::is_all_open(FamilyId family) const {
  if (family >= families.tree.branch_count() || faces.boundary.has_surface()) return false;
  const Cell* around = &faces.mesh.around.row[std::size_t{family} * direction_count<Dim>];
  for (int side = 0; side < side_count<Dim>; ++side)
    if (around[side_direction<Dim>(side)].is_outside()) return false;
  if (Plain) return true;
  for (int slot = 0; slot < width; ++slot) {
    const Cell own = families.member(family, slot);
    if (own.is_branch() && (active[own.branch()] != (1u << width) - 1 || is_split(own)))
      return false;
    for (int side = 0; side < side_count<Dim>; ++side) {
      if (own.is_branch()
              ? fraction_of(own, side) != 1
              : faces.boundary.open_fraction(faces.mesh.first_face(own.leaf(), side)) != 1)
        return false;
      const Cell across = member(beside(family, slot, side));
      if (across.is_branch() && (fraction_of(across, side ^ 1) != 1 || is_split(across)))
        return false;
    }
  }
  return true;
}

template <int Dim, class Real>
template <bool Plain>
FamilyFaces<Dim, Real> FaceMeasure<Dim, Real>::measure(FamilyId family) const {
  FamilyFaces<Dim, Real> r{};
  Cell own[width];
  auto add = [](std::uint8_t& set, int slot) { set = static_cast<std::uint8_t>(set | 1u << slot); };
  for (int slot = 0; slot < width; ++slot) {
    own[slot] = families.member(family, slot);
    if (!is_active(own[slot])) continue;
    add(r.active, slot);
    if (own[slot].is_leaf())
      add(r.leaves, slot);
    else
      r.dirichlet[slot] = static_cast<double>(dirichlet[own[slot].branch()]);
    if (!Plain && is_split(own[slot])) r.torn = true;
  }
  r.all_open = true;
  for (int side = 0; side < side_count<Dim>; ++side) {
    const FamilyId next = families.neighbor_of(family, side);
    for (int slot = 0; slot < width; ++slot) {
      if (((r.active >> slot) & 1) == 0) continue;
      const int other = Place::across(slot, side);
      const Cell across = !Place::is_outer(slot, side) ? own[other]
                          : next == families.nothing   ? Cell::outside()
                                                       : families.member(next, other);
      const Real open = between<Plain>(own[slot], across, side, r.dirichlet[slot]);
      r.open[side][slot] = open;
      r.side[side][slot] = static_cast<float>(open);
      if (own[slot].is_branch()) r.side[side][slot] = fraction_of(own[slot], side);
      if (across.is_outside()) continue;
      add(r.beside[side], slot);
      if (across.is_leaf()) {
        add(r.beside_leaf[side], slot);
      } else if (own[slot].is_leaf()) {
        if (!Plain && is_split(across)) r.side[side][slot] = split(across).side[side ^ 1];
        if (r.side[side][slot] > 0) r.joints |= std::uint64_t{1} << (slot * side_count<Dim> + side);
      }
      if (open != Real{1} && is_active(across)) r.all_open = false;
    }
  }
  if (!Plain) {
    drop_closed_leaves(r);
    if (!r.torn) r.torn = !in_one_piece(r);
  }
  return r;
}

// The open fraction between the first parts of two cells of one size, or from a leaf to a larger one;
// and what surfaces add.
template <int Dim, class Real>
template <bool Plain>
Real FaceMeasure<Dim, Real>::between(Cell own, Cell across, int side, double& surface_terms) const {
  if (own.is_branch()) {
    if (Plain || !is_split(across)) return static_cast<Real>(fraction_of(own, side));
    return static_cast<Real>(is_split(own) ? first_overlap(own, across, side)
                                           : fraction_of(across, side ^ 1));
  }
  if (across.is_branch()) {
    if (!Plain && faces.boundary.has_surface()) (void)measure_leaf(own.leaf(), side, surface_terms);
    return static_cast<Real>(fraction_of(across, side ^ 1));
  }
  if (across.is_leaf() && !faces.boundary.has_surface())
    return Plain ? Real{1} : faces.boundary.open_fraction(faces.mesh.first_face(own.leaf(), side));
  return measure_leaf(own.leaf(), side, surface_terms);
}

template <int Dim, class Real>
Real FaceMeasure<Dim, Real>::measure_leaf(LeafId leaf, int side, double& surface_terms) const {
  const MeshView<Dim>& mesh = faces.mesh;
  const double h = mesh.tree.size(leaf);
  double open = 0;
  for (const FaceId face : mesh.faces(leaf, side)) {
    const FaceLink l = faces.link(face);
    if (l.kind == FaceLink::surface) surface_terms += l.area / l.distance / (Dim == 2 ? 1.0 : h);
    if (l.kind == FaceLink::pair) open = l.area / mesh.area(face);
  }
  return static_cast<Real>(open);
}

template <int Dim, class Real>
float FaceMeasure<Dim, Real>::first_overlap(Cell own, Cell across, int side) const {
  const SplitBranch<Dim>& low = split(side % 2 == 1 ? own : across);
  for (const PartOverlap& o : fragments->overlaps(low, side / 2))
    if (o.low == 0 && o.high == 0) return o.open;
  return 0;
}

// A leaf with no open face, inside a solid, has no equation.
template <int Dim, class Real>
void FaceMeasure<Dim, Real>::drop_closed_leaves(FamilyFaces<Dim, Real>& r) {
  for (int slot = 0; slot < width; ++slot) {
    if (((r.leaves >> slot) & 1) == 0 || r.dirichlet[slot] > 0) continue;
    bool open = false;
    for (int side = 0; side < side_count<Dim>; ++side) open = open || r.side[side][slot] > 0;
    if (open) continue;
    const auto others = static_cast<std::uint8_t>(~(1u << slot));
    r.leaves &= others;
    r.active &= others;
  }
}

// Whether all active members can be reached from the first through open faces between siblings.
template <int Dim, class Real>
bool FaceMeasure<Dim, Real>::in_one_piece(const FamilyFaces<Dim, Real>& r) {
  unsigned passable[Dim] = {};
  for (int axis = 0; axis < Dim; ++axis)
    for (int slot = 0; slot < width; ++slot) {
      const int inner = 2 * axis + (Place::is_outer(slot, 2 * axis) ? 1 : 0);
      if (r.open[inner][slot] > 0) passable[axis] |= 1u << slot;
    }
  unsigned reached = r.active & (~unsigned{r.active} + 1), before = 0;
  while (reached != before) {
    before = reached;
    for (int axis = 0; axis < Dim; ++axis)
      reached |= Place::mirrored(reached & passable[axis], axis);
    reached &= r.active;
  }
  return reached == r.active;
}

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
  } else {
    double ignored = 0;
    f(here, there, static_cast<float>(between<false>(own, across, side, ignored)));
  }
}

}  // namespace octavo
