#pragma once

// This simulates smoke on an octree that is rebuilt every step: Losasso, Gibou, Fedkiw 2004, sections 3 to 5.
//
//   u_t + (u . grad) u = -grad p + f,   div u = 0,   f = (-alpha rho + beta (T - T_amb)) z + f_confinement
//   rho_t + u . grad rho = -decay rho,  T_t + u . grad T = -cooling (T - T_amb)
//
//   SmokeParameters<3> p;
//   p.sources = {{.shape = sphere_shape<3>({.5, .5, .1}, .1), .values = {{"density", 1}, {"temperature", 1}}}};
//   p.lift = 2;
//   Smoke<3> smoke(Domain<3>{}, p);
//   for (int frame = 1; frame <= 48; ++frame) smoke.advance(1.0 / 24);
//
// What it has in common with other flows is its Flow: flow/flow.h.

#include <functional>
#include <optional>

#include "octavo/flow/flow.h"
#include "octavo/operators/forces.h"
#include "octavo/smoke/smoke_parameters.h"

namespace octavo {

template <int Dim, class Real = float>
class Smoke {
 public:
  using Start = FlowStart<Dim>;

  // This throws InputError if parameters make no sense. Without a beginning there is no state until a start()
  // or restore().
  Smoke(const Domain<Dim>& domain, SmokeParameters<Dim> parameters,
        const std::optional<Start>& beginning = Start{});
  ~Smoke() = default;
  Smoke(const Smoke&) = delete;
  Smoke& operator=(const Smoke&) = delete;

  void start(const Start& start) { flow_.start(start); }

  // This makes one time step of dt seconds. It throws SimulationError if a velocity is not a number;
  // after any error there is no state to go on from, only a new start() or restore().
  StepReport step(double dt);

  // This makes a frame of `seconds`, in as many steps as the CFL number asks for; the report is about
  // all of them. `after_step` may stop it early by returning false.
  StepReport advance(double seconds,
                     const std::function<bool(const StepReport&)>& after_step = {}) {
    return advance_frame(*this, seconds, after_step);
  }

  // These say how many steps a frame needs now, and how many leaves will be passed in it, at most.
  int substeps_for(double seconds) const { return parameters_.substeps(leaves_passed_in(seconds)); }
  double leaves_passed_in(double seconds) const;

  // This says why the octree is as it is, by what there is now.
  RefinementReasons refinement_reasons() { return flow_.refinement_reasons(); }

  // The state has all that the next steps depend on, beside domain and parameters; it is valid until the next change.
  SavedState<Dim> state() const { return flow_.state(); }

  // This goes on from a state. What is not one of this domain and these parameters, or not finite,
  // is an InputError; after it there is no state, as after a step that has failed.
  void restore(const SavedState<Dim>& state) { flow_.restore(state); }

  const SmokeParameters<Dim>& parameters() const { return parameters_; }
  const Flow<Dim, Real>& flow() const { return flow_; }
  const Grid<Dim>& grid() const { return flow_.grid(); }
  const Mesh<Dim>& mesh() const { return flow_.mesh(); }
  double time() const { return flow_.time(); }
  std::uint64_t steps() const { return flow_.steps(); }
  const FaceField<Real>& velocity() const { return flow_.velocity(); }
  const LeafField<Real>& pressure() const { return flow_.pressure(); }
  const NodeField<Real>& density() const { return density_; }
  const NodeField<Real>& temperature() const { return temperature_; }
  const NodeField<Real>& scalar(std::size_t i) const {
    return flow_.number(parameters_.scalars[i].name);
  }
  const Solids<Dim, Real>& solids() const { return flow_.solids(); }
  void nodal_velocity(NodeField<Vec<Dim, Real>>& out) const { flow_.nodal_velocity(out); }
  FlowBoundary<Dim, Real> boundary() const { return flow_.boundary(); }
  std::size_t bytes() const { return flow_.bytes() + confinement_.bytes(); }

 private:
  using MeshAndSolids = typename Flow<Dim, Real>::MeshAndSolids;

  void step_by_projection(double dt);
  void step_by_reflection(double dt);
  void add_forces(double dt);
  double largest_acceleration() const;
  void find_visibility(const Mesh<Dim>& mesh, View<Visibility> visibility) const;

  SmokeParameters<Dim> parameters_;
  Flow<Dim, Real> flow_;
  NodeField<Real>&density_, &temperature_;  // of the flow
  Confinement<Dim, Real> confinement_;
};

extern template class Smoke<2, float>;
extern template class Smoke<3, float>;
extern template class Smoke<2, double>;
extern template class Smoke<3, double>;

}  // namespace octavo
