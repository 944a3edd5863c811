#pragma once

#include "octavo/solvers/joints.h"

namespace octavo {

// Who is across a large face, and with which weight.
template <int Dim, class Real>
struct JointGeometry {
  using Place = FamiliesView<Dim>;
  FaceMeasure<Dim, Real> measure;
  bool plain;  // all faces between leaves are open
  std::array<double, max_level + 1> size, area;

  explicit JointGeometry(const FaceMeasure<Dim, Real>& m)
      : measure(m), plain(!m.faces.boundary.has_solids() && !m.faces.boundary.has_surface()) {
    for (int depth = 0; depth <= max_level; ++depth) {
      const auto d = static_cast<std::size_t>(depth);
      size[d] = m.families.tree.domain.size(depth);
      area[d] = Dim == 2 ? size[d] : size[d] * size[d];
    }
  }

  // The branch across a large face.
  FamilyId across(const Joint& joint) const {
    const FamilyId family(joint.large.value / child_count<Dim>);
    const int slot = static_cast<int>(joint.large.value % child_count<Dim>);
    return FamilyId(measure.member(measure.beside(family, slot, joint.side)).branch().value);
  }

  // Calls f(slot, cell) for the members of a family on one of its sides.
  template <class F>
  void for_each_on_side(FamilyId family, int side, F&& f) const {
    for (int slot = 0; slot < child_count<Dim>; ++slot)
      if (Place::is_outer(slot, side)) f(slot, measure.families.member(family, slot));
  }
  template <class F>
  void for_each_of_depth(FamilyId family, int at, int side, int depth, F&& f) const {
    for_each_on_side(family, side, [&](int slot, Cell c) {
      if (at + 1 == depth)
        f(Place::place(family, slot), c);
      else if (c.is_branch())
        for_each_of_depth(FamilyId(c.branch().value), at + 1, side, depth, f);
    });
  }
  int deepest(FamilyId family, int at, int side) const {
    int depth = at + 1;
    for_each_on_side(family, side, [&](int, Cell c) {
      if (c.is_branch()) depth = std::max(depth, deepest(FamilyId(c.branch().value), at + 1, side));
    });
    return depth;
  }

  // How many parts the fluid of a cell has, and the open fraction of a side of each.
  std::uint32_t parts(Cell c) const {
    return !plain && measure.is_split(c) ? measure.split(c).parts : 1;
  }
  double open(Cell c, int side) const {
    if (c.is_branch()) return static_cast<double>(measure.fraction_of(c, side));
    if (plain) return 1;
    const FaceId face = measure.faces.mesh.first_face(c.leaf(), side);
    const FaceLink l = measure.faces.link(face);
    return l.kind == FaceLink::pair ? l.area / measure.faces.mesh.area(face) : 0;
  }

  // The part of the larger leaf's face, and the weight stored for it.
  double part_of_face(double open_fraction, int depth, int large) const {
    return open_fraction * area[static_cast<std::size_t>(depth)] /
           area[static_cast<std::size_t>(large)];
  }
  double distance(int depth, int large) const {
    return 0.5 * (size[static_cast<std::size_t>(depth)] + size[static_cast<std::size_t>(large)]);
  }
  bool is_whole(const Joint& joint) const {
    if (plain) return measure.faces.scheme.whole_faces();
    const Cell large =
        measure.families.member(FamilyId(joint.large.value / child_count<Dim>),
                                static_cast<int>(joint.large.value % child_count<Dim>));
    return measure.faces.is_whole(measure.faces.mesh.faces(large.leaf(), joint.side));
  }
  Real weight(bool whole, Cell c, int side, double open_fraction, int depth, int large) const {
    if (whole) return static_cast<Real>(part_of_face(open_fraction, depth, large));
    double delta = distance(depth, large);
    if (c.is_leaf() && open_fraction > 0)
      delta = measure.faces.link(measure.faces.mesh.first_face(c.leaf(), side)).distance;
    return static_cast<Real>(open_fraction * area[static_cast<std::size_t>(depth)] / delta);
  }

  // Calls f(index, cell, open fraction) for all parts of the members of one depth.
  template <class F>
  void for_each_part(const Joint& joint, int depth, F&& f) const {
    const int side = joint.side ^ 1;
    for_each_of_depth(across(joint), joint.depth, side, depth, [&](PlaceId place, Cell c) {
      f(place.value, c, open(c, side));
      for (std::uint32_t k = 1; k < parts(c); ++k) {
        const std::size_t fragment = measure.split(c).first_fragment + k - 1;
        f(measure.fragments->index(fragment), c,
          static_cast<double>(measure.fragments->fragment(fragment).side[side]));
      }
    });
  }
};

}  // namespace octavo
