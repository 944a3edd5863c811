#pragma once

// A Flow is what simulations of a flow have in common, to be a part of each: an octree that is rebuilt every step,
// solids in it, a velocity and the pressure that keeps it free of divergence, fields that are carried along, sources.
//
//   Flow<3> flow(domain, parameters, {{.name = "soot"}});      // the parameters must outlive it
//   flow.begin_step(dt);
//   flow.decide_leaves(view);
//   flow.onto_next_mesh(dt, [&](const auto& from, const auto& to) { flow.advect(from, to, dt); });
//   flow.emit_sources(flow.time(), flow.time() + dt);
//   flow.decay(dt);
//   flow.project(dt);
//   StepReport report = flow.end_step(dt);
//
// Velocity components are on faces, pressure on leaves, everything else on nodes, hanging ones constrained. What a
// simulation carries beside fields (particles, a surface) goes along in what it gives to onto_next_mesh().

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "octavo/advection/advection.h"
#include "octavo/flow/field_table.h"
#include "octavo/flow/flow_parameters.h"
#include "octavo/flow/saved_state.h"
#include "octavo/flow/step_report.h"
#include "octavo/flow/substeps.h"
#include "octavo/mesh/grid.h"
#include "octavo/mesh/transfer.h"
#include "octavo/obstacles/solids.h"
#include "octavo/pressure/projection.h"
#include "octavo/refinement/refinement.h"

namespace octavo {

// These functions of a point say what there is at the beginning; they are called from many threads. A field without
// one has the value that it has outside.
template <int Dim>
struct FlowStart {
  std::map<std::string, std::function<double(const Vec<Dim>&)>> values{};
  std::function<Vec<Dim>(const Vec<Dim>&)> velocity{};
};

// A timer adds the time until it is destroyed to the seconds of a stage.
class PhaseTimer {
 public:
  explicit PhaseTimer(double& seconds) : seconds_(seconds) {}
  ~PhaseTimer() { seconds_ += watch_.seconds(); }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  double& seconds_;
  Stopwatch watch_;
};

template <int Dim, class Real = float>
class Flow {
 public:
  // This is a mesh with the solids on it. If it follows another, `origin` says where its leaves come from.
  struct MeshAndSolids {
    const Mesh<Dim>& mesh;
    const Solids<Dim, Real>& solids;
    View<const LeafId> origin{};
  };

  // `carried` are fields of numbers beside the further scalars; they are on nodes and go along with the flow, or are
  // on leaves. The constructor throws InputError for sources of fields that are not there.
  Flow(const Domain<Dim>& domain, const FlowParameters<Dim>& parameters,
       const std::vector<FieldInfo>& carried);
  ~Flow() = default;
  Flow(const Flow&) = delete;
  Flow& operator=(const Flow&) = delete;

  // This makes the beginning: the octree is adapted to the fields, as far as rules that look at them want it.
  void start(const FlowStart<Dim>& start);

  // A step goes from the first of these to the last; whatever fails in between leaves nothing to go on
  // from. `more_bytes` are what the simulation itself has in memory.
  void begin_step(double dt, std::size_t more_bytes = 0);
  void decide_leaves(double dt);
  template <class Carry>
  void onto_next_mesh(double dt, Carry&& carry);
  template <class Carry>
  void on_this_mesh(double begin, double end, Carry&& carry);
  void advect(const MeshAndSolids& from, const MeshAndSolids& to, double dt) {
    advect(from, to, dt, nodal_velocity_, velocity_);
  }
  // All is carried along these paths; they are for what a simulation has beside fields. They go back through dt, or
  // on if it is negative.
  Characteristics<Dim, Real, SolidsInTheWay<Dim>> paths(const MeshAndSolids& from,
                                                        const MeshAndSolids& to, double dt) const;
  void emit_sources(double from, double to);
  void decay(double dt);
  // `wanted` is the divergence that leaves are to have, 1/s; there is none if it is empty.
  void project(double dt, View<const Real> wanted = {});
  void impose_boundary();
  // A free surface bounds the fluid until the mesh changes: it is where the level set at the centres of leaves
  // (m, negative in the fluid) is zero, and the pressure there is this one, Pa. The views must stay valid. Beside solids
  // it matters what gravity is, m/s^2.
  void set_free_surface(View<const Real> level_set, View<const Real> surface_pressure = {},
                        const Vec<Dim>& gravity = {}) {
    level_set_ = level_set;
    surface_pressure_ = surface_pressure;
    gravity_ = gravity;
  }
  StepReport end_step(double dt, std::size_t more_bytes = 0);

  // These are for advection-reflection: what the projection has taken away is turned round. A flow with a free surface
  // says how the reflected velocity goes on beyond it.
  void keep_for_reflection();
  void reflect(const std::function<void(FaceField<Real>&)>& go_on = {});
  void advect_reflected(const MeshAndSolids& from, const MeshAndSolids& to, double dt) {
    advect(from, to, dt, reflected_nodal_, reflected_);
  }
  void use_reflected();

  // At most this many leaves are passed in a frame, if the velocity grows by so much more than sources and
  // obstacles make of it.
  double leaves_passed_in(double seconds, double acceleration) const;

  RefinementReasons refinement_reasons();
  SavedState<Dim> state() const;
  void restore(const SavedState<Dim>& state);
  void require_ready() const;

  const Grid<Dim>& grid() const { return grid_; }
  const Mesh<Dim>& mesh() const { return grid_.mesh(); }
  double time() const { return time_; }
  std::uint64_t steps() const { return steps_; }
  const FieldTable<Dim, Real>& fields() const { return fields_; }
  FaceField<Real>& velocity() { return velocity_; }
  const FaceField<Real>& velocity() const { return velocity_; }
  const LeafField<Real>& pressure() const { return pressure_; }
  const Solids<Dim, Real>& solids() const { return solids_; }
  StepReport& report() { return report_; }
  // This is a field of numbers on nodes.
  NodeField<Real>& number(std::string_view name) const;
  FlowBoundary<Dim, Real> boundary() const;
  // This is the velocity on nodes, as fields are carried: nothing flows into solids.
  void nodal_velocity(NodeField<Vec<Dim, Real>>& out) const;
  std::size_t bytes() const;

  // Cameras see this of the flow; it looks at the current fields.
  FindVisibility<Dim> visibility{};

 private:
  using Column = typename FieldTable<Dim, Real>::Column;

  void add(const FieldInfo& info);
  // This puts fields on the next mesh that are not carried along.
  static void put_on(const Mesh<Dim>& next, const Transfer<Dim>& transfer, const Column& column);
  void find_nodal_velocity(const FaceField<Real>& velocity, NodeField<Vec<Dim, Real>>& out) const;
  void sample(const FlowStart<Dim>& start);
  void require_finite() const;
  void share_velocities();
  void advect(const MeshAndSolids& from, const MeshAndSolids& to, double dt,
              const NodeField<Vec<Dim, Real>>& nodal, FaceField<Real>& velocity);
  const PosedObstacles<Dim>& posed(double begin, double end);
  RefinementSubject<Dim, Real> refinement_subject(const PosedObstacles<Dim>& obstacles,
                                                  double dt) const;
  OpenWalls<Dim> open_walls() const;
  double courant_number() const;  // leaves passed per second, at most
  double kinetic_energy() const;
  double integral(const NodeField<Real>& field) const;
  double flow_out(const Mesh<Dim>& mesh, const FieldInfo& info, const NodeField<Real>& field,
                  double dt) const;
  std::vector<double> integrals() const;
  void open_ledger();
  void account(double LedgerLine::*column);

  const FlowParameters<Dim>& parameters_;
  Grid<Dim> grid_;
  FieldTable<Dim, Real> fields_;
  FaceField<Real>& velocity_;
  LeafField<Real>& pressure_;
  double time_ = 0;
  std::uint64_t steps_ = 0;

  FaceField<Real> reflected_;
  NodeField<Vec<Dim, Real>> nodal_velocity_, reflected_nodal_;
  View<const Real> level_set_, surface_pressure_;  // of the free surface, if there is one
  Vec<Dim> gravity_{};
  PosedObstacles<Dim> posed_;               // as last asked for
  Solids<Dim, Real> solids_, next_solids_;  // of the mesh and time now, and of the next
  SolidFaces<Dim, Real> solid_faces_;
  Advection<Dim, Real> advection_;
  std::unique_ptr<PressureMethod<Dim, Real>> pressure_method_;
  Refinement<Dim, Real> refinement_;
  StepReport report_;              // of the step that is being made
  std::vector<double> integrals_;  // of the fields with a ledger, as last accounted for
  Stopwatch watch_;
  std::size_t other_bytes_ = 0;
  bool ready_ = false;  // the last start, step or restore has come to its end
};

// This calls carry(from, to) with the current mesh and the next one, on which the solids are where they are after dt.
template <int Dim, class Real>
template <class Carry>
void Flow<Dim, Real>::onto_next_mesh(double dt, Carry&& carry) {
  auto carry_over = [&](const Mesh<Dim>& from, const Mesh<Dim>& to) {
    {
      const PhaseTimer phase(report_.seconds.obstacles);
      next_solids_.measure(to, posed(time_, time_ + dt));
      solid_faces_.measure(to, next_solids_, parameters_.treatment);
    }
    std::optional<Transfer<Dim>> transfer;
    if (&from != &to) {
      const PhaseTimer phase(report_.seconds.mesh);
      transfer.emplace(from, to);
      for (const auto& column : fields_.columns()) put_on(to, *transfer, column);
      set_free_surface({});
    }
    carry(MeshAndSolids{from, solids_},
          MeshAndSolids{to, next_solids_, transfer ? transfer->origin() : View<const LeafId>{}});
    solids_.swap(next_solids_);
  };
  if (report_.changed_tree) {
    const Stopwatch watch;
    double carried = 0;
    grid_.replace([&](const Mesh<Dim>& from, const Mesh<Dim>& to) {
      const Stopwatch inside;
      carry_over(from, to);
      carried = inside.seconds();
    });
    report_.seconds.mesh += watch.seconds() - carried;
  } else {
    carry_over(mesh(), mesh());
  }
  account(&LedgerLine::advection);
  impose_boundary();
}

// This does the same with the current mesh, for solids that move between two moments.
template <int Dim, class Real>
template <class Carry>
void Flow<Dim, Real>::on_this_mesh(double begin, double end, Carry&& carry) {
  const MeshAndSolids here{mesh(), solids_};
  if (!solids_.posed().any_moves()) {
    carry(here, here);
  } else {
    {
      const PhaseTimer phase(report_.seconds.obstacles);
      next_solids_.measure(mesh(), posed(begin, end));
      solid_faces_.measure(mesh(), next_solids_, parameters_.treatment);
    }
    carry(here, MeshAndSolids{mesh(), next_solids_});
    solids_.swap(next_solids_);
  }
  account(&LedgerLine::advection);
}

extern template class Flow<2, float>;
extern template class Flow<3, float>;
extern template class Flow<2, double>;
extern template class Flow<3, double>;

}  // namespace octavo
