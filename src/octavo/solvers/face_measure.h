#pragma once

// What is open around the cells of a level, once the levels below are known: the step from the faces
// of the mesh to the fractions of the pressure matrix.

#include "octavo/operators/pressure_faces.h"
#include "octavo/solvers/fragments.h"

namespace octavo {

// Calls f(member) for the members of a set.
template <class F>
void for_each_in(unsigned set, F&& f) {
  for (; set != 0; set &= set - 1) f(std::countr_zero(set));
}

// One family: for every side of every member, ...
template <int Dim, class Real>
struct FamilyFaces {
  static constexpr int width = child_count<Dim>;
  Cell member[width];
  Real open[side_count<Dim>][width];          // the open fraction to the cell of its size there,
  Real side[side_count<Dim>][width] = {};     // and to whatever is there;
  std::uint8_t beside_leaf[side_count<Dim>];  // members that have a leaf of their own size there
  double dirichlet[width] = {};               // surface terms in units of h^(Dim-2)
  std::uint8_t leaves, active;                // liquid leaves; cells with liquid in them
  bool all_open = true;                       // to all active cells beside
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
  // The part of a cell's volume, and of a family's, that is liquid.
  float filled_part(Cell c) const {
    if (c.is_outside()) return 0;
    return c.is_leaf() ? (faces.boundary.is_liquid(c.leaf()) ? 1.0f : 0.0f) : filled[c.branch()];
  }
  float filled_part(FamilyId family) const {
    if (!faces.boundary.has_surface()) return 1;
    float sum = static_cast<float>(std::popcount(wet[family]));
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
bool FaceMeasure<Dim, Real>::is_dry(FamilyId family) const {
  bool dry = wet[family] == 0;
  if (dry)
    for_each_in(Place::all_members & ~unsigned{families.leaf_members[family]},
                [&](int slot) { dry = dry && !is_active(families.member(family, slot)); });
  return dry;
}

template <int Dim, class Real>
bool FaceMeasure<Dim, Real>::is_full(Cell branch) const {
  return active[branch.branch()] == Place::all_members && filled[branch.branch()] == 1 &&
         !is_split(branch);
}

template <int Dim, class Real>
bool FaceMeasure<Dim, Real>::is_full_around(FamilyId family) const {
  if (family >= families.tree.branch_count() || wet[family] != families.leaf_members[family])
    return false;
  bool open = true;
  for (int side = 0; side < side_count<Dim> && open; ++side) {
    const FamilyId next = families.neighbor_of(family, side);
    if (next == families.nothing) {
      open = is_active(larger_leaf(family, side));
      continue;
    }
    const unsigned beside = Place::on_side(side ^ 1), leaves = families.leaf_members[next];
    open = (leaves & ~unsigned{wet[next]} & beside) == 0;
    for_each_in(beside & ~leaves, [&](int slot) {
      const Cell c = families.member(next, slot);
      open = open && is_full(c) && fraction_of(c, side ^ 1) == 1;
    });
  }
  for_each_in(Place::all_members & ~unsigned{families.leaf_members[family]}, [&](int slot) {
    const Cell c = families.member(family, slot);
    open = open && is_full(c) && dirichlet[c.branch()] == 0;
    for (int side = 0; side < side_count<Dim>; ++side) open = open && fraction_of(c, side) == 1;
  });
  return open;
}

template <int Dim, class Real>
bool FaceMeasure<Dim, Real>::has_smaller_cells(FamilyId family) const {
  unsigned smaller = Place::all_members & ~unsigned{families.leaf_members[family]};
  for (int side = 0; side < side_count<Dim>; ++side) {
    const FamilyId next = families.neighbor_of(family, side);
    if (next != families.nothing)
      smaller |= Place::on_side(side ^ 1) & ~unsigned{families.leaf_members[next]};
  }
  return smaller != 0;
}

template <int Dim, class Real>
void FaceMeasure<Dim, Real>::look_at_faces(FamilyId family, FamilyFaces<Dim, Real>& r) const {
  r.leaves = r.active = wet[family];
  for (int slot = 0; slot < width; ++slot) r.member[slot] = families.member(family, slot);
  for_each_in(r.leaves, [&](int slot) {
    for (int side = 0; side < side_count<Dim>; ++side)
      r.side[side][slot] =
          faces.boundary.open_fraction(faces.mesh.first_face(r.member[slot].leaf(), side));
  });
}

template <int Dim, class Real>
void FaceMeasure<Dim, Real>::look_around(FamilyId family, FamilyFaces<Dim, Real>& r) const {
  for_each_in(Place::all_members & ~unsigned{families.leaf_members[family]}, [&](int slot) {
    const Cell own = r.member[slot];
    if (!is_active(own)) return;
    r.active = static_cast<std::uint8_t>(r.active | 1u << slot);
    r.dirichlet[slot] = static_cast<double>(dirichlet[own.branch()]);
    r.torn = r.torn || is_split(own);
    for (int side = 0; side < side_count<Dim>; ++side)
      r.side[side][slot] = static_cast<Real>(fraction_of(own, side));
  });
  // A leaf that solids cover on all sides is inside of them, and has no equation. One that walls close
  // in as well is a component of its own.
  unsigned covered = faces.boundary.has_solids() ? closed_members(r) & r.leaves : 0;
  for (int side = 0; side < side_count<Dim>; ++side) measure_side(family, side, r);
  if (covered != 0) covered &= closed_members(r);
  r.leaves = static_cast<std::uint8_t>(r.leaves & ~covered);
  r.active = static_cast<std::uint8_t>(r.active & ~covered);
  if (!r.torn) r.torn = !in_one_piece(r);
}

// Between liquid leaves of one size, to a larger one, and from a branch to one whose fluid is in one
// piece, the fraction is known; the other faces are looked at one by one.
template <int Dim, class Real>
void FaceMeasure<Dim, Real>::measure_side(FamilyId family, int side,
                                          FamilyFaces<Dim, Real>& r) const {
  const FamilyId next = families.neighbor_of(family, side);
  auto across = [&](const View<const std::uint8_t>& set) {
    const unsigned outer = Place::on_side(side);
    return (Place::mirrored(set[family], side / 2) & ~outer) |
           (Place::mirrored(set[next], side / 2) & outer);
  };
  r.beside_leaf[side] = static_cast<std::uint8_t>(across(families.leaf_members));
  unsigned simple = r.leaves & across(wet);
  if (family < families.tree.branch_count()) {
    const unsigned there = next == families.nothing ? ~Place::on_side(side) : ~0u;
    const unsigned in_parts = fragments->empty() ? 0 : across(fragments->split_members());
    if (!faces.boundary.has_surface()) simple |= r.active & ~unsigned{r.leaves} & there & ~in_parts;
  }
  bool closed = false;
  for (int slot = 0; slot < width; ++slot) {
    const bool is_simple = ((simple >> slot) & 1) != 0;
    r.open[side][slot] = static_cast<Real>(is_simple) * r.side[side][slot];
    closed |= is_simple & (r.side[side][slot] != Real{1});
  }
  r.all_open = r.all_open && !closed;
  unsigned others = r.active & ~simple;
  if (next == families.nothing && is_active(larger_leaf(family, side)))
    others &= ~(unsigned{r.leaves} & Place::on_side(side));
  for_each_in(others, [&](int slot) { measure_face(family, slot, side, r); });
}

template <int Dim, class Real>
void FaceMeasure<Dim, Real>::measure_face(FamilyId family, int slot, int side,
                                          FamilyFaces<Dim, Real>& r) const {
  const Cell own = r.member[slot];
  const Cell across = member(beside(family, slot, side));
  Real &open = r.open[side][slot], &to_side = r.side[side][slot];
  if (own.is_branch()) {
    if (!across.is_outside())
      open = between_branches(own, across, side) * nearness(own, across, side);
  } else if (across.is_branch()) {
    if (faces.boundary.has_surface()) (void)measure_leaf(own.leaf(), side, r.dirichlet[slot]);
    open = static_cast<Real>(fraction_of(across, side ^ 1));
    to_side = is_split(across) ? static_cast<Real>(split(across).side[side ^ 1]) : open;
    open *= nearness(own, across, side);
    if (to_side > 0) r.joints |= std::uint64_t{1} << (slot * side_count<Dim> + side);
  } else if (across.is_leaf()) {
    r.dirichlet[slot] +=
        static_cast<double>(to_side) / faces.surface_position(own.leaf(), across.leaf());
    to_side = 0;
  } else {
    to_side = measure_leaf(own.leaf(), side, r.dirichlet[slot]);
  }
  if (open != Real{1} && is_active(across)) r.all_open = false;
}

// The open fraction between the first parts of a branch and a cell of its size.
template <int Dim, class Real>
Real FaceMeasure<Dim, Real>::between_branches(Cell own, Cell across, int side) const {
  if (!is_split(across)) return static_cast<Real>(fraction_of(own, side));
  return static_cast<Real>(is_split(own) ? first_overlap(own, across, side)
                                         : fraction_of(across, side ^ 1));
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

// How thick the liquid of a cell is behind one of its sides, in sizes of the cell.
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

// The members that have no open side.
template <int Dim, class Real>
unsigned FaceMeasure<Dim, Real>::closed_members(const FamilyFaces<Dim, Real>& r) {
  double open[width];
  for (int slot = 0; slot < width; ++slot) open[slot] = r.dirichlet[slot];
  for (int side = 0; side < side_count<Dim>; ++side)
    for (int slot = 0; slot < width; ++slot) open[slot] += static_cast<double>(r.side[side][slot]);
  unsigned closed = 0;
  for (int slot = 0; slot < width; ++slot) closed |= static_cast<unsigned>(open[slot] <= 0) << slot;
  return closed;
}

// Whether all active members can be reached from the first through open faces between siblings.
template <int Dim, class Real>
bool FaceMeasure<Dim, Real>::in_one_piece(const FamilyFaces<Dim, Real>& r) {
  unsigned passable[Dim] = {};
  for (int axis = 0; axis < Dim; ++axis)
    for (int slot = 0; slot < width; ++slot) {
      const int inner = 2 * axis + (Place::is_outer(slot, 2 * axis) ? 1 : 0);
      passable[axis] |= static_cast<unsigned>(r.open[inner][slot] > 0) << slot;
    }
  unsigned reached = r.active & (~unsigned{r.active} + 1), before = 0;
  while (reached != before && reached != r.active) {
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
  } else if (own.is_branch() || across.is_branch()) {
    f(here, there, own.is_branch() ? fraction_of(own, side) : fraction_of(across, side ^ 1));
  } else {
    const FaceId face = faces.mesh.first_face(own.leaf(), side);
    f(here, there, static_cast<float>(faces.boundary.open_fraction(face)));
  }
}

}  // namespace octavo
