#pragma once

// A row is a whole large face, or a face by itself, as far as it is open. This is what its weight follows from: with
// a_j the open area of face j, delta_j the distance of the centres of its leaves, and psi a function that is linear
// where the fluid is at rest,
//
//   V = sum a_j delta_j                      volume
//   B p = sum a_j (p_high - p_low)           over liquid leaves only: what p drives through the row, times V
//   m = d psi / dn                           slope: from all leaves of the large face, wet or dry, by whole areas,
//                                            so that solids do not spoil it
//   d = B psi                                moment
//
// and W = V m / d is the weight with which the row is right for a pressure proportional to psi.

#include "octavo/operators/pressure_gradient.h"

namespace octavo {

struct RowMeasure {
  double volume = 0, slope = 0, moment = 0;
  double area = 0, wet_area = 0;  // of open faces; of those whose smaller leaf is liquid
  std::uint32_t wet_leaves = 0;   // behind open faces
  bool large_is_wet = false, dry = false;
  bool is_even = true;  // it is all of its large face, whose faces are open to the same part

  bool is_cut() const { return wet_leaves > 0 && dry; }
  double weight() const { return volume * slope / moment; }
};

// These are the leaves of a face by size; of two equal ones, the upper one is called the larger.
template <int Dim>
struct LeavesBySize {
  LeafId small, large;
  bool large_is_high;

  LeavesBySize(const MeshView<Dim>& mesh, FaceId face) {
    const auto finer = mesh.finer(face);
    small = finer.leaf;
    large_is_high = finer.side % 2 == 1;
    large = large_is_high ? mesh.face_leaf[face].high : mesh.face_leaf[face].low;
  }
  double distance(const MeshView<Dim>& mesh) const {
    return 0.5 * (mesh.tree.size(small) + mesh.tree.size(large));
  }
};

// Calls f(face, leaves, open area) for the open faces of a row.
template <int Dim, class Real, class F>
void for_each_open_face(const PressureFaces<Dim, Real>& faces, const FaceRange& row, F&& f) {
  for (const FaceId face : row)
    if (faces.is_passage(face))
      f(face, LeavesBySize<Dim>(faces.mesh, face),
        static_cast<double>(faces.boundary.open_fraction(face)) * faces.mesh.area(face));
}

template <int Dim, class Real, class Psi>
RowMeasure measure_row(const PressureFaces<Dim, Real>& faces, const FaceRange& row, Psi&& psi) {
  const MeshView<Dim>& mesh = faces.mesh;
  const LeavesBySize<Dim> first(mesh, row.first);
  const double sign = first.large_is_high ? 1 : -1, psi_large = psi(first.large);
  RowMeasure r;
  r.large_is_wet = faces.is_liquid(first.large);
  for_each_open_face(faces, row, [&](FaceId, const LeavesBySize<Dim>& leaves, double area) {
    r.volume += area * leaves.distance(mesh);
    r.area += area;
    const bool wet = faces.is_liquid(leaves.small);
    if (wet) r.wet_area += area;
    if (wet) r.moment -= sign * area * psi(leaves.small);
    if (wet) ++r.wet_leaves;
    if (!wet || !r.large_is_wet) r.dry = true;
  });
  if (r.large_is_wet && r.area > 0) ++r.wet_leaves;
  if (r.large_is_wet) r.moment += sign * r.area * psi_large;

  double rise = 0, volume = 0;
  const Real open = faces.boundary.open_fraction(row.first);
  const FaceRange large_face = mesh.large_face(row.first);
  r.is_even = row.size() == large_face.size();
  for (const FaceId face : large_face) {
    const LeavesBySize<Dim> leaves(mesh, face);
    rise += mesh.area(face) * (psi_large - psi(leaves.small));
    volume += mesh.area(face) * leaves.distance(mesh);
    if (faces.boundary.open_fraction(face) != open) r.is_even = false;
  }
  r.slope = sign * rise / volume;
  return r;
}

}  // namespace octavo
