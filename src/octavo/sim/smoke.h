#pragma once

// Smoke on an octree that is rebuilt every step: Losasso, Gibou, Fedkiw 2004, sections 3 to 5.
//
//   u_t + (u . grad) u = -grad p + f,   div u = 0,   f = (-alpha rho + beta (T - T_amb)) z + f_confinement
//   rho_t + u . grad rho = -decay rho,  T_t + u . grad T = -cooling (T - T_amb)
//
//   SmokeParameters<3> p;
//   p.sources = {{.shape = sphere_shape<3>({.5, .5, .1}, .1), .density = 1, .temperature = 1}};
//   p.lift = 2;
//   Smoke<3> smoke(Domain<3>{}, p);
//   for (int frame = 1; frame <= 48; ++frame) smoke.advance(1.0 / 24);
//
// Velocity components are on faces, pressure on leaves, everything else on nodes, hanging ones
// constrained.

#include <functional>
#include <optional>

#include "octavo/mesh/grid.h"
#include "octavo/operators/forces.h"
#include "octavo/sim/refinement.h"
#include "octavo/sim/smoke_report.h"
#include "octavo/sim/smoke_saved.h"
#include "octavo/sim/solids.h"
#include "octavo/solvers/advection.h"
#include "octavo/solvers/projection.h"

namespace octavo {

template <int Dim, class Real = float>
class Smoke {
 public:
  // What there is at the beginning; functions of a point, called from many threads. The octree is adapted
  // to it.
  struct Start {
    std::function<double(const Vec<Dim>&)> density, temperature;
    std::function<Vec<Dim>(const Vec<Dim>&)> velocity;
    std::vector<std::function<double(const Vec<Dim>&)>> scalars;
  };

  // Throws InputError if parameters make no sense. Without a beginning there is no state until a start() or
  // restore().
  Smoke(const Domain<Dim>& domain, SmokeParameters<Dim> parameters,
        const std::optional<Start>& beginning = Start{});
  ~Smoke() = default;
  Smoke(const Smoke&) = delete;
  Smoke& operator=(const Smoke&) = delete;

  void start(const Start& start);

  // One time step of dt seconds. Throws SimulationError if a velocity is not a number; after any error
  // there is no state to go on from, only a new start() or restore().
  SmokeReport step(double dt);

  // A frame of `seconds`, in as many steps as the CFL number asks for; the report is about all of them.
  // `after_step` may stop it early by returning false.
  SmokeReport advance(double seconds,
                      const std::function<bool(const SmokeReport&)>& after_step = {});

  // How many steps a frame needs now, and how many leaves will be passed in it, at most.
  int substeps_for(double seconds) const;
  double leaves_passed_in(double seconds) const;

  // Why the octree is as it is, by what there is now.
  RefinementReasons refinement_reasons();

  // All that the next steps depend on, beside domain and parameters; valid until the next change.
  SmokeState<Dim, Real> state() const;

  // Goes on from a state. What is not one of this domain and these parameters, or not finite, is an
  // InputError; after it there is no state, as after a step that has failed.
  void restore(const SmokeState<Dim, Real>& state);

  const SmokeParameters<Dim>& parameters() const { return parameters_; }
  const Grid<Dim>& grid() const { return grid_; }
  const Mesh<Dim>& mesh() const { return grid_.mesh(); }
  double time() const { return time_; }
  std::uint64_t steps() const { return steps_; }
  const FaceField<Real>& velocity() const { return velocity_; }
  const LeafField<Real>& pressure() const { return pressure_; }
  const NodeField<Real>& density() const { return density_; }
  const NodeField<Real>& temperature() const { return temperature_; }
  const NodeField<Real>& scalar(std::size_t i) const { return scalars_[i]; }
  const Solids<Dim, Real>& solids() const { return solids_; }
  // The velocity on nodes, as smoke is carried: nothing flows into solids.
  void nodal_velocity(NodeField<Vec<Dim, Real>>& out) const;
  FlowBoundary<Dim, Real> boundary() const;
  std::size_t bytes() const;

 private:
  // A mesh, with the solids on it and, if it follows another, where its leaves come from.
  struct Place {
    const Mesh<Dim>& mesh;
    const Solids<Dim, Real>& solids;
    View<const LeafId> origin{};
  };

  void sample(const Start& start);
  void require_finite() const;
  void require_ready() const;
  void decide_leaves(double dt);
  template <class Carry>
  void onto_next_mesh(double dt, Carry&& carry);
  template <class Carry>
  void on_this_mesh(double begin, double end, Carry&& carry);
  void advect(const Place& from, const Place& to, double dt, const NodeField<Vec<Dim, Real>>& nodal,
              FaceField<Real>& velocity);
  void reflect();
  void emit_sources(double from, double to);
  void share_velocities();
  void add_forces(double dt);
  void decay(double dt);
  void project(double dt);
  void impose_boundary();
  void find_nodal_velocity(const FaceField<Real>& velocity, NodeField<Vec<Dim, Real>>& out) const;
  template <class F>
  void for_each_nodal(F&& f) {
    f(density_);
    f(temperature_);
    for (auto& s : scalars_) f(s);
  }
  OpenWalls<Dim> open_walls() const;
  double courant_number() const;  // leaves passed per second, at most
  void measure(double dt);

  SmokeParameters<Dim> parameters_;
  Grid<Dim> grid_;
  FaceField<Real> velocity_, reflected_;
  LeafField<Real> pressure_;
  NodeField<Real> density_, temperature_;
  std::vector<NodeField<Real>> scalars_;
  double time_ = 0;
  std::uint64_t steps_ = 0;

  NodeField<Vec<Dim, Real>> nodal_velocity_, reflected_nodal_;
  Solids<Dim, Real> solids_, next_solids_;  // of the mesh and time now, and of the next
  SolidFaces<Dim, Real> solid_faces_;
  Advection<Dim, Real> advection_;
  Projection<Dim, Real> projection_;
  Confinement<Dim, Real> confinement_;
  Refinement<Dim, Real> refinement_;
  SmokeReport report_;  // of the step that is being made
  bool ready_ = false;  // the last start, step or restore has come to its end
};

extern template class Smoke<2, float>;
extern template class Smoke<3, float>;
extern template class Smoke<2, double>;
extern template class Smoke<3, double>;

}  // namespace octavo
