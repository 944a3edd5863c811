#pragma once

// The pressure operator is put together face by face. With D the sum of fluxes out of a leaf and G the gradient
// of a scheme, the projection of a velocity u* solves
//
//   sum_f area_f (u*_f - (G q)_f) n_f = 0   for every liquid leaf,     q = dt p / rho,
//
// which is the matrix D W^-1 D^T, W = area * distance for each gradient: symmetric, positive
// semidefinite, on any octree. FaceLink says how a face takes part; for_each_gradient() applies a
// scheme. Everything that needs to know the discretisation asks these two; the pressure
// matrix, which has no time to ask about every face, comes to the same answers on its own, and tests
// compare them. Rows that a free surface cuts are not linked face by face; unless there is a ghost fluid, they are
// left to pressure/cut_rows.h.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "octavo/mesh/mesh.h"
#include "octavo/operators/flow_boundary.h"
#include "octavo/operators/pressure_scheme.h"

namespace octavo {

struct FaceLink {
  enum Kind : std::uint8_t {
    none,     // no liquid on either side
    unknown,  // a side is elsewhere: the part of the mesh that has it knows
    closed,   // a wall, or a solid over the whole face: no pressure acts, the velocity is given
    pair,     // liquid on both sides
    surface,  // liquid on one side, a known pressure on the other
  };
  Kind kind = none;
  bool liquid_is_low = false;  // surface: the side the liquid is on
  double area = 0;             // of the part open to the fluid: m^2, in 2D m
  double distance = 0;         // between the pressures, m
  double beyond = 0;           // surface: the known pressure, Pa
};

template <int Dim, class Real>
struct PressureFaces {
  // A ghost fluid's surface closer to a leaf's centre than this part of the distance to the next is put there.
  static constexpr double least_theta = 1e-3;
  // Elsewhere a leaf is liquid only if its centre is that deep below the surface, in sizes of the leaf. Exactness
  // does not depend on which leaves are, and the ratios between its rows stay right.
  static constexpr double least_depth = 0.01;

  MeshView<Dim> mesh;
  FlowBoundary<Dim, Real> boundary;
  PressureScheme scheme;

  // This tells whether the rows at the surface are those of pressure/cut_rows.h.
  constexpr bool has_cut_rows() const {
    return boundary.has_surface() && !scheme.has_ghost_fluid();
  }
  constexpr bool is_liquid(LeafId leaf) const {
    if (!has_cut_rows()) return boundary.is_liquid(leaf);
    return static_cast<double>(boundary.level_set[leaf]) < -least_depth * mesh.tree.size(leaf);
  }

  constexpr FaceLink link(FaceId face) const {
    const auto [low, high] = mesh.face_leaf[face];
    FaceLink l;
    if (low.is_elsewhere() || high.is_elsewhere()) {
      l.kind = FaceLink::unknown;
      return l;
    }
    const bool wet_low = !low.is_none() && is_liquid(low);
    const bool wet_high = !high.is_none() && is_liquid(high);
    if (!wet_low && !wet_high) return l;
    l.kind = FaceLink::closed;
    l.liquid_is_low = wet_low;
    l.area = static_cast<double>(boundary.open_fraction(face)) * mesh.area(face);
    if (l.area <= 0) return l;
    if (low.is_none() || high.is_none()) {
      const int side = 2 * mesh.axis(face) + (high.is_none() ? 1 : 0);
      if (!boundary.wall[static_cast<std::size_t>(side)].is_open) return l;
      l.kind = FaceLink::surface;
      l.distance = 0.5 * mesh.size(face);
      return l;
    }
    if (wet_low && wet_high) {
      l.kind = FaceLink::pair;
      l.distance = distance(low, high, mesh.axis(face));
      return l;
    }
    return to_surface(l, wet_low ? low : high, wet_low ? high : low);
  }

  // This is where the surface is between the centres of a liquid leaf and one of air, 0 to 1.
  double surface_position(LeafId wet, LeafId dry) const {
    const auto inside = static_cast<double>(boundary.level_set[wet]);
    const auto outside = static_cast<double>(boundary.level_set[dry]);
    return std::max(inside / (inside - outside), least_theta);
  }

  // This tells whether link() says pair.
  constexpr bool is_pair(FaceId face) const {
    const auto [low, high] = mesh.face_leaf[face];
    return is_passage(face) && is_liquid(low) && is_liquid(high);
  }
  // This tells whether a face between two leaves is open, whatever is in them.
  constexpr bool is_passage(FaceId face) const {
    return mesh.is_inner(face) && boundary.open_fraction(face) > 0;
  }
  // This tells whether a face shares the gradient and the velocity of its row. What is dry on both sides does so, too,
  // unless a ghost fluid ends rows at the surface.
  constexpr bool is_in_row(FaceId face) const {
    return has_cut_rows() ? is_passage(face) : is_pair(face);
  }

  // Large faces are ranges of faces; these tell whether one begins here, and which it is. A face between equal
  // leaves, or at a wall, is a range of its own.
  constexpr bool begins_large_face(FaceId face) const { return mesh.begins_large_face(face); }
  constexpr FaceRange large_face_from(FaceId first) const {
    FaceId last = first;
    while (!mesh.ends_large_face(last)) ++last.value;
    return {first, FaceId(last.value + 1)};
  }

  // This tells whether the parts of a large face share one gradient. They do not if solids (or air, beside a ghost
  // fluid) keep the smaller leaves apart: one gradient could not serve two chambers, which each have their own net flow.
  constexpr bool is_whole(const FaceRange& range) const {
    if (range.size() == 1 || !scheme.whole_faces()) return false;
    const bool nothing_between =
        !boundary.has_solids() && (!boundary.has_surface() || has_cut_rows());
    return nothing_between || parts_meet(range);
  }
  // This is the row that holds a face.
  constexpr FaceRange row_of(FaceId face) const {
    const FaceRange range = mesh.large_face(face);
    return is_whole(range) ? range : FaceRange{face, FaceId(face.value + 1)};
  }
  // This tells whether a row has both liquid and dry leaves behind its open faces.
  constexpr bool is_cut(const FaceRange& row) const {
    if (!has_cut_rows()) return false;
    bool wet = false, dry = false;
    for (const FaceId face : row) {
      if (!is_passage(face)) continue;
      for (const LeafId leaf : {mesh.face_leaf[face].low, mesh.face_leaf[face].high})
        (is_liquid(leaf) ? wet : dry) = true;
    }
    return wet && dry;
  }

 private:
  // This tells whether all smaller leaves of a large face can be reached from the first, each through an open
  // face to another one of them. A set of so many faces needs no memory from the heap.
  constexpr bool parts_meet(const FaceRange& range) const {
    constexpr std::size_t usual = 4096;
    if (range.size() <= usual) {
      std::array<std::uint64_t, usual / 64> seen{};
      return parts_meet(range, seen.data());
    }
    std::vector<std::uint64_t> seen(range.size() / 64 + 1);
    return parts_meet(range, seen.data());
  }

  // `seen` is a set of faces, as bits. It grows until nothing new is reached.
  constexpr bool parts_meet(const FaceRange& range, std::uint64_t* seen) const {
    auto has = [&](FaceId f) {
      return (seen[(f - range.first) / 64] >> ((f - range.first) % 64) & 1) != 0;
    };
    auto add = [&](FaceId f) {
      seen[(f - range.first) / 64] |= std::uint64_t{1} << (f - range.first) % 64;
    };
    std::size_t parts = 0, reached = 0;
    for (const FaceId face : range)
      if (is_in_row(face) && parts++ == 0) {
        add(face);
        reached = 1;
      }
    for (std::size_t before = 0; before != reached && reached < parts;) {
      before = reached;
      for (const FaceId face : range)
        if (has(face))
          for_each_beside(range, face, [&](FaceId next) {
            if (has(next) || !is_in_row(next)) return;
            add(next);
            ++reached;
          });
    }
    return reached == parts;
  }

  // Calls f for the faces of a range whose smaller leaves meet that of `face` through an open face.
  template <class F>
  constexpr void for_each_beside(const FaceRange& range, FaceId face, F&& f) const {
    const auto [leaf, side] = mesh.finer(face);
    for (int along = 0; along < side_count<Dim>; ++along) {
      if (along / 2 == side / 2) continue;
      for (const FaceId between : mesh.faces(leaf, along)) {
        if (!is_in_row(between)) continue;
        const FaceLeaves leaves = mesh.face_leaf[between];
        const FaceId next = mesh.first_face(leaves.low == leaf ? leaves.high : leaves.low, side);
        if (next >= range.first && next < range.last) f(next);
      }
    }
  }

  double distance(LeafId low, LeafId high, int axis) const {
    const double h = mesh.tree.size(low), k = mesh.tree.size(high);
    const double normal = 0.5 * (h + k);
    if (h == k || scheme.whole_faces()) return normal;
    switch (scheme.delta) {
      case GradientDistance::orthogonal:
        return normal;
      case GradientDistance::large:
        return std::max(h, k);
      case GradientDistance::small:
        return std::min(h, k);
      case GradientDistance::euclidean:
        break;
    }
    Vec<Dim> apart = mesh.tree.center(high) - mesh.tree.center(low);
    apart[axis] = normal;
    return length(apart);
  }

  constexpr FaceLink to_surface(FaceLink l, LeafId wet, LeafId dry) const {
    const double theta = surface_position(wet, dry);
    l.kind = FaceLink::surface;
    l.distance = theta * 0.5 * (mesh.tree.size(wet) + mesh.tree.size(dry));
    if (boundary.surface_pressure.size() > 0)
      l.beyond = (1 - theta) * static_cast<double>(boundary.surface_pressure[wet]) +
                 theta * static_cast<double>(boundary.surface_pressure[dry]);
    return l;
  }
};

// Calls visit(face, link, gradient) for the faces of the large face that begins at `first`, but the open ones of rows
// that are cut (is_cut). The pressure of a leaf is pressure(leaf), and the known one of a surface is scale * its value in Pa.
template <int Dim, class Real, class Pressure, class Visit>
constexpr void for_each_gradient(const PressureFaces<Dim, Real>& faces, FaceId first, double scale,
                                 Pressure&& pressure, Visit&& visit) {
  auto difference = [&](FaceId face) {
    const auto [low, high] = faces.mesh.face_leaf[face];
    return pressure(high) - pressure(low);
  };

  // All pairs of the range have one gradient: G = sum area (p_high - p_low) / sum area distance.
  const FaceRange range = faces.large_face_from(first);
  const bool whole = faces.is_whole(range), cut = faces.is_cut(range);
  double rise = 0, weight = 0;
  if (whole && !cut)
    for (const FaceId face : range) {
      const FaceLink l = faces.link(face);
      if (l.kind != FaceLink::pair) continue;
      rise += l.area * difference(face);
      weight += l.area * l.distance;
    }

  for (const FaceId face : range) {
    const FaceLink l = faces.link(face);
    const auto [low, high] = faces.mesh.face_leaf[face];
    if (cut && faces.is_passage(face) && (whole || l.kind == FaceLink::surface)) continue;
    double gradient = 0;
    if (l.kind == FaceLink::pair)
      gradient = whole ? rise / weight : difference(face) / l.distance;
    else if (l.kind == FaceLink::surface)
      gradient = l.liquid_is_low ? (scale * l.beyond - pressure(low)) / l.distance
                                 : (pressure(high) - scale * l.beyond) / l.distance;
    visit(face, l, gradient);
  }
}

}  // namespace octavo
