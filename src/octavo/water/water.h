#pragma once

// This simulates a liquid with a free surface on an octree that is rebuilt every step: Losasso, Gibou, Fedkiw 2004,
// section 6.
//
//   u_t + (u . grad) u = -grad p / rho + g,   div u = 0     where phi < 0
//   p = sigma kappa                                         where phi = 0
//   phi_t + u . grad phi = 0
//
//   WaterParameters<3> p;
//   Water<3> water(Domain<3>{}, p, FlowStart<3>{.values = {{"liquid", distance_to_a_drop}}});
//   for (int frame = 1; frame <= 48; ++frame) water.advance(1.0 / 24);
//
// A step carries surface and velocity to the next octree, adds forces, projects in the liquid, where the air is at a
// constant pressure, and continues the velocity into the air, five leaves far. Air has no equation. What it has in common with other flows is its Flow: flow/flow.h.

#include <functional>
#include <optional>

#include "octavo/flow/flow.h"
#include "octavo/level_set/bodies.h"
#include "octavo/level_set/contour.h"
#include "octavo/level_set/curvature.h"
#include "octavo/level_set/extrapolation.h"
#include "octavo/level_set/volume_feedback.h"
#include "octavo/simulation/simulation.h"
#include "octavo/water/water_parameters.h"

namespace octavo {

template <int Dim, class Real = float>
class Water {
 public:
  using Start = FlowStart<Dim>;

  // This throws InputError if parameters make no sense. Without a beginning there is no state until a start()
  // or restore().
  Water(const Domain<Dim>& domain, WaterParameters<Dim> parameters,
        const std::optional<Start>& beginning = Start{});
  ~Water() = default;
  Water(const Water&) = delete;
  Water& operator=(const Water&) = delete;

  // The value "liquid" of the beginning is the signed distance to the surface, or anything with its sign that is nearly
  // so beside it; without one there is no liquid.
  void start(const Start& start);

  // This makes one time step of dt seconds. It throws SimulationError if a velocity is not a number;
  // after any error there is no state to go on from, only a new start() or restore().
  StepReport step(double dt);
  StepReport advance(double seconds,
                     const std::function<bool(const StepReport&)>& after_step = {}) {
    return advance_frame(*this, seconds, after_step);
  }

  // These say how many steps a frame needs now, and how many leaves will be passed in it, at most.
  int substeps_for(double seconds) const;
  double leaves_passed_in(double seconds) const;

  RefinementReasons refinement_reasons() { return flow_.refinement_reasons(); }
  SavedState<Dim> state() const;
  void restore(const SavedState<Dim>& state);

  // This is the surface as a closed mesh, with normals and velocities; in 2D there is none.
  std::vector<FrameMesh> meshes() const;

  const WaterParameters<Dim>& parameters() const { return parameters_; }
  const Flow<Dim, Real>& flow() const { return flow_; }
  const Mesh<Dim>& mesh() const { return flow_.mesh(); }
  double time() const { return flow_.time(); }
  const NodeField<Real>& level_set() const { return level_set_; }
  const LiquidVolume<Dim, Real>& volume() const { return volume_; }
  std::span<const Body> bodies() const { return bodies_.list(); }
  const VolumeFeedback& feedback() const { return feedback_; }
  std::size_t bytes() const { return flow_.bytes() + own_bytes(); }

 private:
  using MeshAndSolids = typename Flow<Dim, Real>::MeshAndSolids;

  void step_by_projection(double dt);
  void step_by_reflection(double dt);
  void carry_surface(const MeshAndSolids& from, const MeshAndSolids& to, double dt);
  TrackedSolids<Dim, Real> tracked_solids(const Mesh<Dim>& mesh, const Solids<Dim, Real>& solids);
  void take_surface(const Mesh<Dim>& mesh);
  using Paths = Characteristics<Dim, Real, SolidsInTheWay<Dim>>;

  void share_out(double booked);
  void book_outflow(const Mesh<Dim>& mesh, const Paths& paths);
  void pour(double from, double to);
  void book_emptied(const LeafField<double>& volume_before);
  void book_poured(const LeafField<double>& volume_before);
  void mark_free_bodies();
  void add_gravity(double dt);
  void bound_pressure();
  void project(double dt);
  void extrapolate(FaceField<Real>& velocity);
  void open_ledger();
  void close_ledger();
  void keep_accounts();
  void restore_accounts(View<const double> saved);
  StepReport report(StepReport flow_report) const;
  std::size_t own_bytes() const;

  WaterParameters<Dim> parameters_;
  Flow<Dim, Real> flow_;
  NodeField<Real>& level_set_;  // of the flow: as the tracker has it
  ParticleLevelSet<Dim, Real> tracker_;
  TrackerReport tracked_;  // of the last part of a step

  LeafField<Real> level_set_at_centers_, surface_pressure_;
  Curvature<Dim, Real> curvature_;
  NodeField<Real> solid_distance_;  // of the mesh of the tracker
  bool has_solids_ = false;
  SurfaceLeaves<Dim, Real> surface_;
  LiquidVolume<Dim, Real> volume_;
  Bodies<Dim, Real> bodies_;
  VolumeFeedback feedback_;
  LeafField<BodyId> bodies_before_,
      former_;  // of leaves: of the last mesh; of this one, as they were then
  LeafField<Real> wanted_divergence_;
  Extrapolation<Dim, Real> extrapolation_;
  Buffer<std::uint8_t> known_faces_;
  LedgerLine ledger_;
  double most_booked_ = 0;        // so far
  std::vector<double> accounts_;  // as they are saved
};

extern template class Water<2, float>;
extern template class Water<3, float>;
extern template class Water<2, double>;
extern template class Water<3, double>;

}  // namespace octavo
