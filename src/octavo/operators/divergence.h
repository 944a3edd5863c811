#pragma once

// The divergence of a velocity on faces (Losasso 2004, equation 5) counts solids by open area:
//
//   V div u = sum_f ( w_f A_f u_f + (1 - w_f) A_f u_solid,f ) n_f
//
// The parts of a large face get one shared velocity here, which the scheme losasso06s asks for.

#include "octavo/mesh/field.h"
#include "octavo/operators/pressure_gradient.h"

namespace octavo {

// This is what flows through a face along its axis, in m^3/s, in 2D m^2/s.
template <int Dim, class Real>
double flux(const MeshView<Dim>& mesh, const FlowBoundary<Dim, Real>& boundary,
            View<const Real> velocity, FaceId face) {
  const double u = static_cast<double>(velocity[face]), area = mesh.area(face);
  if (!boundary.has_solids()) return area * u;
  const auto open = static_cast<double>(boundary.open_fraction(face));
  return area * (open * u + (1 - open) * boundary.solid_speed(face));
}

// This is what flows out of a leaf, in m^3/s, in 2D m^2/s.
template <int Dim, class Real>
double outflow(const MeshView<Dim>& mesh, const FlowBoundary<Dim, Real>& boundary,
               View<const Real> velocity, LeafId leaf) {
  double sum = 0;
  for (int side = 0; side < side_count<Dim>; ++side) {
    double through = 0;
    for (const FaceId face : mesh.faces(leaf, side))
      through += flux(mesh, boundary, velocity, face);
    sum += side % 2 == 1 ? through : -through;
  }
  return sum;
}

template <int Dim>
double volume(const MeshView<Dim>& mesh, LeafId leaf) {
  const double h = mesh.tree.size(leaf);
  return Dim == 2 ? h * h : h * h * h;
}

// This is the divergence of each liquid leaf that the mesh owns, in 1/s; it is zero in air.
template <int Dim, class Real>
void divergence(const MeshView<Dim>& m, const FlowBoundary<Dim, Real>& boundary, View<const Real> u,
                View<Real> div) {
  parallel_for("divergence", m.owned_leaves, [=](std::size_t i) {
    const LeafId leaf(i);
    div[i] = boundary.is_liquid(leaf)
                 ? static_cast<Real>(outflow(m, boundary, u, leaf) / volume(m, leaf))
                 : Real{0};
  });
}
template <int Dim, class Real>
void divergence(const Mesh<Dim>& mesh, const FlowBoundary<Dim, Real>& boundary,
                const FaceField<Real>& velocity, LeafField<Real>& out) {
  out.resize(mesh);
  divergence<Dim, Real>(mesh.view(), boundary, velocity.view(), out.view());
}

// Gives the open parts of every large face that has one gradient their mean velocity.
template <int Dim, class Real>
void share_velocity(const PressureFaces<Dim, Real>& faces, View<Real> velocity) {
  parallel_for("share velocity", faces.mesh.owned_faces, [=](std::size_t i) {
    const FaceId first(i);
    if (!faces.begins_large_face(first) || faces.mesh.ends_large_face(first)) return;
    const FaceRange range = faces.large_face_from(first);
    if (!faces.is_whole(range)) return;
    double through = 0, area = 0;
    bool is_wet = false;
    for (const FaceId face : range) {
      if (!faces.is_in_row(face)) continue;
      const double open =
          static_cast<double>(faces.boundary.open_fraction(face)) * faces.mesh.area(face);
      through += open * static_cast<double>(velocity[face]);
      area += open;
      is_wet = is_wet || faces.link(face).kind != FaceLink::none;
    }
    if (!is_wet) return;
    for (const FaceId face : range)
      if (faces.is_in_row(face)) velocity[face] = static_cast<Real>(through / area);
  });
}

}  // namespace octavo
