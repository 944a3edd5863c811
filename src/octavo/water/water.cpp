#include "octavo/water/water.h"

#include <cmath>
#include <numbers>

#include "octavo/level_set/leaf_centers.h"
#include "octavo/operators/forces.h"

namespace octavo {

template <int Dim, class Real>
Water<Dim, Real>::Water(const Domain<Dim>& domain, WaterParameters<Dim> parameters,
                        const std::optional<Start>& beginning)
    : parameters_((parameters.density = parameters.liquid_density, parameters.check(domain),
                   std::move(parameters))),
      flow_(domain, parameters_, water_fields()),
      level_set_(flow_.number("liquid")),
      tracker_(parameters_.surface_tracker()) {
  if (beginning) start(*beginning);
}

template <int Dim, class Real>
StepReport Water<Dim, Real>::step(double dt) {
  flow_.begin_step(dt, own_bytes());
  open_ledger(dt);
  flow_.decide_leaves(dt);
  if (parameters_.stepping == TimeStepping::projection)
    step_by_projection(dt);
  else
    step_by_reflection(dt);
  close_ledger();
  return report(flow_.end_step(dt, own_bytes()));
}

// This carries surface and velocity, adds forces and projects.
template <int Dim, class Real>
void Water<Dim, Real>::step_by_projection(double dt) {
  const double now = flow_.time();
  flow_.onto_next_mesh(dt, [&](const MeshAndSolids& from, const MeshAndSolids& to) {
    carry_surface(from, to, dt);
    flow_.advect(from, to, dt);
  });
  pour(now, now + dt);
  add_gravity(dt);
  project(dt);
}

// Half of the step is made twice; in between the velocity is reflected about the one free of divergence.
template <int Dim, class Real>
void Water<Dim, Real>::step_by_reflection(double dt) {
  const double now = flow_.time(), half = 0.5 * dt;
  flow_.onto_next_mesh(half, [&](const MeshAndSolids& from, const MeshAndSolids& to) {
    carry_surface(from, to, half);
    flow_.advect(from, to, half);
  });
  pour(now, now + half);
  add_gravity(half);
  bound_pressure();
  flow_.keep_for_reflection();
  project(half);
  flow_.reflect([&](FaceField<Real>& velocity) { extrapolate(velocity); });
  flow_.on_this_mesh(now + half, now + dt, [&](const MeshAndSolids& from, const MeshAndSolids& to) {
    carry_surface(from, to, half);
    flow_.advect_reflected(from, to, half);
  });
  flow_.use_reflected();
  pour(now + half, now + dt);
  add_gravity(half);
  project(half);
}

template <int Dim, class Real>
void Water<Dim, Real>::carry_surface(const MeshAndSolids& from, const MeshAndSolids& to,
                                     double dt) {
  const PhaseTimer phase(flow_.report().seconds.surface);
  const auto paths = flow_.paths(from, to, dt);
  tracked_ =
      tracker_.advance(paths, {from.mesh, to.mesh, to.origin}, tracked_solids(to.mesh, to.solids));
  bodies_before_ = bodies_.of_leaves();
  take_surface(to.mesh);
  former_bodies(
      from.mesh, bodies_before_, to.mesh,
      [&](const Vec<Dim>& x) {
        auto tracer = paths.tracer();
        return tracer.back(x, tracer.velocity(x), dt);
      },
      former_);
  const VolumeChange change =
      feedback_.follow(bodies_.list(), bodies_.of_leaves(), former_, volume_.in_leaves());
  lost_ += change.lost - change.appeared;
}

template <int Dim, class Real>
TrackedSolids<Real> Water<Dim, Real>::tracked_solids(const Mesh<Dim>& mesh,
                                                     const Solids<Dim, Real>& solids) {
  has_solids_ = solids.any();
  if (!has_solids_) return {};
  solids.distance(mesh, solid_distance_);
  return {solids.nodes().inside, &solid_distance_};
}

// This looks at the surface that the tracker has now, on its mesh.
template <int Dim, class Real>
void Water<Dim, Real>::take_surface(const Mesh<Dim>& mesh) {
  level_set_ = tracker_.signed_distance();
  surface_.build(mesh, level_set_, has_solids_ ? &solid_distance_ : nullptr);
  volume_.measure(surface_);
  bodies_.find(surface_, volume_, parameters_.walls);
}

// Sources fill their shapes with liquid, or empty them; what that changes is booked.
template <int Dim, class Real>
void Water<Dim, Real>::pour(double from, double to) {
  flow_.emit_sources(from, to);
  const PhaseTimer phase(flow_.report().seconds.surface);
  bool any = false;
  for (const Source<Dim>& source : parameters_.sources) {
    const std::optional<double> value = source.value("liquid");
    if (!value || !(source.active_for(from, to) > 0)) continue;
    const Pose<Dim> pose = source.motion.pose(to);
    tracker_.fill(
        mesh(), [&](const Vec<Dim>& x) { return source.shape(pose.inverse(x)); }, *value != 0,
        tracked_solids(mesh(), flow_.solids()));
    any = true;
  }
  if (!any) return;
  const LeafField<double> before = volume_.in_leaves();
  const double total = volume_.total();
  bodies_before_ = bodies_.of_leaves();
  take_surface(mesh());
  feedback_.follow(bodies_.list(), bodies_.of_leaves(), bodies_before_, before);
  book_poured(before);
  ledger_.sources += volume_.total() - total;
}

template <int Dim, class Real>
void Water<Dim, Real>::book_poured(const LeafField<double>& volume_before) {
  for (std::size_t i = 0; i < mesh().leaf_count(); ++i) {
    const LeafId leaf(i);
    const double poured = volume_.in_leaves()[leaf] - volume_before[leaf];
    if (const BodyId body = bodies_.of_leaves()[leaf]; poured != 0 && !body.is_none())
      feedback_.book(body, poured);
  }
}

template <int Dim, class Real>
void Water<Dim, Real>::add_gravity(double dt) {
  const PhaseTimer phase(flow_.report().seconds.forces);
  add_acceleration(mesh(), parameters_.total_acceleration(), dt, flow_.velocity());
  flow_.impose_boundary();
}

// The pressure knows the surface by the level set at the centres of leaves, and its tension by the curvature there.
template <int Dim, class Real>
void Water<Dim, Real>::bound_pressure() {
  at_leaf_centers(mesh(), level_set_, level_set_at_centers_);
  View<const Real> tension;
  if (parameters_.surface_tension > 0) {
    curvature_(mesh(), level_set_, surface_pressure_);
    const View<Real> p = surface_pressure_.view();
    const auto sigma = static_cast<Real>(parameters_.surface_tension);
    parallel_for("surface tension", p.size(), [=](std::size_t i) { p[i] *= sigma; });
    tension = p;
  }
  flow_.set_free_surface(std::as_const(level_set_at_centers_).view(), tension,
                         parameters_.total_acceleration());
}

template <int Dim, class Real>
void Water<Dim, Real>::project(double dt) {
  bound_pressure();
  View<const Real> wanted;
  if (parameters_.keep_volume == KeepVolume::flow) {
    feedback_.control(bodies_.list(), dt);
    feedback_.wanted_divergence(surface_, bodies_, wanted_divergence_);
    wanted = std::as_const(wanted_divergence_).view();
  }
  flow_.project(dt, wanted);
  extrapolate(flow_.velocity());
}

// The velocity goes on into the air, so that the surface and what is beside it can be carried along.
template <int Dim, class Real>
void Water<Dim, Real>::extrapolate(FaceField<Real>& velocity) {
  const PhaseTimer phase(flow_.report().seconds.surface);
  mark_liquid_faces(mesh(), flow_.boundary(), known_faces_);
  extrapolation_(mesh(), level_set_, std::as_const(known_faces_).view(), velocity, {},
                 parameters_.pressure.shares_velocity());
  flow_.impose_boundary();
}

template <int Dim, class Real>
double Water<Dim, Real>::leaves_passed_in(double seconds) const {
  flow_.require_ready();
  return flow_.leaves_passed_in(seconds, length(parameters_.total_acceleration()));
}

// Capillary waves of the finest leaves must not outrun a step: dt <= sqrt(rho h^3 / (4 pi sigma)), Brackbill, Kothe, Zemach
// 1992. There may be more steps than the flow's bound then.
template <int Dim, class Real>
int Water<Dim, Real>::substeps_for(double seconds) const {
  const int by_cfl = parameters_.substeps(leaves_passed_in(seconds));
  if (parameters_.surface_tension == 0) return by_cfl;
  const double h = mesh().tree().domain().size(mesh().tree().deepest_level());
  const double stable = std::sqrt(parameters_.liquid_density * h * h * h /
                                  (4 * std::numbers::pi * parameters_.surface_tension));
  return std::max(by_cfl, static_cast<int>(std::ceil(seconds / stable)));
}

template <int Dim, class Real>
std::size_t Water<Dim, Real>::own_bytes() const {
  return tracker_.bytes() + level_set_at_centers_.bytes() + surface_pressure_.bytes() +
         curvature_.bytes() + solid_distance_.bytes() + surface_.bytes() + volume_.bytes() +
         bodies_.bytes() + bodies_before_.bytes() + former_.bytes() + wanted_divergence_.bytes() +
         extrapolation_.bytes() + known_faces_.bytes();
}

template class Water<2, float>;
template class Water<3, float>;
template class Water<2, double>;
template class Water<3, double>;

}  // namespace octavo
