#pragma once

// Velocities of the liquid are carried into the air, constant along the normals of its surface, in the order of the
// distance (Enright et al. 2002; Losasso, Gibou, Fedkiw 2004, section 6):
//
//   grad u . grad phi = 0,   u_i = sum w_d u_d / sum w_d,   w_d = (phi_i - phi_d) / h_d^2
//
// over the known neighbours d that are nearer to the liquid. A node that has none, as happens at T-junctions, is left out
// until one of its neighbours is known, and takes the mean of those by 1 / h_d^2. Constants are exact, the rest is of
// first order. Nodes are taken one after the other, equals by their number.
//
//   Extrapolation<3, float> extrapolate;
//   mark_liquid_faces(mesh, boundary, known);            // faces that have a velocity
//   extrapolate(mesh, phi, known.view(), velocity);      // and now the others near them have one too
//
// On the octree, faces of the two sides of a large face are neighbours of nobody along an axis, and components at
// different places cannot be turned into each other; nodes have whole vectors and rows of neighbours. So velocities go
// from known faces to the nodes that have a known face of every axis, as nodal_velocity() does with weights; from these
// nodes to those in the air; and from there to the faces in the air, each of which takes the mean of its corners.
// Known faces keep what they have.

#include "octavo/level_set/distance_band.h"
#include "octavo/level_set/distance_order.h"
#include "octavo/mesh/nodal_velocity.h"
#include "octavo/operators/pressure_gradient.h"

namespace octavo {

struct ExtrapolationReport {
  std::size_t known = 0;     // nodes that had a value
  std::size_t reached = 0;   // nodes that got one
  std::size_t deferred = 0;  // of these, for want of a known neighbour nearer to the liquid
};

template <int Dim, class Real>
class Extrapolation {
 public:
  using Vector = Vec<Dim, Real>;

  // Nodes whose mark is not zero are known; others within the band are reached from them, the rest is zero. A hanging
  // node counts as known if all are from which it is interpolated.
  ExtrapolationReport operator()(const Mesh<Dim>& mesh, const NodeField<Real>& phi,
                                 View<const std::uint8_t> known, NodeField<Vector>& value,
                                 const DistanceBand& band = {});

  // This does the same for velocities on faces. The parts of a large face share one velocity, unless they are asked not
  // to, as the scheme losasso04 has it.
  ExtrapolationReport operator()(const Mesh<Dim>& mesh, const NodeField<Real>& phi,
                                 View<const std::uint8_t> known, FaceField<Real>& velocity,
                                 const DistanceBand& band = {}, bool shared = true);

  std::size_t bytes() const {
    return graph_.bytes() + state_.bytes() + known_.bytes() + order_.bytes() + weight_.bytes() +
           nodal_.bytes();
  }

 private:
  struct Kernel;

  void mark_states(const Mesh<Dim>& mesh, View<const Real> phi, View<const std::uint8_t> known,
                   const DistanceBand& band);
  void find_known_nodes(const Mesh<Dim>& mesh, View<const std::uint8_t> known_faces);

  NodeGraph<Dim> graph_;
  Buffer<std::uint8_t> state_, known_;
  DistanceOrder<Dim, Real> order_;
  FaceField<Real> weight_;
  NodeField<Vector> nodal_;
};

// This marks the faces that the projection gives a velocity: those of liquid leaves, all parts of a large face if one of
// them is, and closed walls. Which leaves are liquid depends on how rows at the surface are made.
template <int Dim, class Real>
void mark_liquid_faces(const Mesh<Dim>& mesh, const FlowBoundary<Dim, Real>& boundary,
                       Buffer<std::uint8_t>& known,
                       const PressureScheme& scheme = {.surface_rows = SurfaceRows::ghost_fluid});

extern template class Extrapolation<2, float>;
extern template class Extrapolation<2, double>;
extern template class Extrapolation<3, float>;
extern template class Extrapolation<3, double>;

}  // namespace octavo
