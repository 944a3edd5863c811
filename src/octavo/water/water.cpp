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
  open_ledger();
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
  bound_pressure();
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
  bound_pressure();
  project(half);
}

template <int Dim, class Real>
void Water<Dim, Real>::carry_surface(const MeshAndSolids& from, const MeshAndSolids& to,
                                     double dt) {
  const PhaseTimer phase(flow_.report().seconds.surface);
  const Paths paths = flow_.paths(from, to, dt);
  book_outflow(from.mesh, paths);
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
  share_out(change.lost - change.appeared);
}

// What is in leaves whose centres are carried out through open walls leaves their bodies, which have no more than what was
// booked for them.
template <int Dim, class Real>
void Water<Dim, Real>::book_outflow(const Mesh<Dim>& mesh, const Paths& paths) {
  const auto walls = parameters_.walls;
  if (std::none_of(walls.begin(), walls.end(), [](const Wall& w) { return w.is_open; })) return;
  const MeshView<Dim> m = mesh.view();
  const View<const double> volume = volume_.in_leaves().view();
  const View<const BodyId> body = bodies_.of_leaves().view();
  std::vector<std::vector<std::uint32_t>> leaving(block_count(m.leaf_count()));
  parallel_blocks("liquid flows out", m.leaf_count(),
                  [&](std::size_t block, std::size_t begin, std::size_t end) {
                    auto tracer = paths.tracer();
                    for (std::size_t i = begin; i < end; ++i) {
                      if (!(volume[i] > 0) || body[i].is_none()) continue;
                      const Vec<Dim> x = m.tree.center(LeafId(i));
                      if (tracer.is_outside(tracer.back(x, tracer.velocity(x), -paths.dt)))
                        leaving[block].push_back(static_cast<std::uint32_t>(i));
                    }
                  });
  for (const auto& leaves : leaving)
    for (const std::uint32_t i : leaves) {
      const double out = std::min(volume[i], std::max(0.0, feedback_.accounts()[body[i]].booked));
      feedback_.book(body[i], -out);
      ledger_.outflow -= out;
    }
}

// What was booked for bodies that have vanished, less what has come from nowhere, is booked for those that there are.
template <int Dim, class Real>
void Water<Dim, Real>::share_out(double booked) {
  if (booked == 0 || !(volume_.total() > 0)) return;
  for (std::size_t b = 0; b < bodies_.list().size(); ++b)
    feedback_.book(BodyId(b), booked * bodies_.list()[b].volume / volume_.total());
}

template <int Dim, class Real>
TrackedSolids<Dim, Real> Water<Dim, Real>::tracked_solids(const Mesh<Dim>& mesh,
                                                          const Solids<Dim, Real>& solids) {
  has_solids_ = solids.any();
  if (!has_solids_) return {};
  solids.distance(mesh, solid_distance_);
  return {solids.nodes(), &solid_distance_};
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
  book_emptied(before);
  feedback_.follow(bodies_.list(), bodies_.of_leaves(), bodies_before_, before);
  book_poured(before);
  ledger_.sources += volume_.total() - total;
}

// Leaves that are empty now belong to no body any more.
template <int Dim, class Real>
void Water<Dim, Real>::book_emptied(const LeafField<double>& volume_before) {
  for (std::size_t i = 0; i < mesh().leaf_count(); ++i) {
    const LeafId leaf(i);
    if (const BodyId was = bodies_before_[leaf];
        !was.is_none() && bodies_.of_leaves()[leaf].is_none())
      feedback_.book(was, -volume_before[leaf]);
  }
}

// A body that was not there before has been booked as it is.
template <int Dim, class Real>
void Water<Dim, Real>::book_poured(const LeafField<double>& volume_before) {
  std::vector<double> poured(bodies_.list().size(), 0.0), had(bodies_.list().size(), 0.0);
  for (std::size_t i = 0; i < mesh().leaf_count(); ++i) {
    const LeafId leaf(i);
    const BodyId body = bodies_.of_leaves()[leaf];
    if (body.is_none()) continue;
    poured[body] += volume_.in_leaves()[leaf] - volume_before[leaf];
    if (!bodies_before_[leaf].is_none()) had[body] += volume_before[leaf];
  }
  for (std::size_t b = 0; b < poured.size(); ++b)
    if (had[b] > 0) feedback_.book(BodyId(b), poured[b]);
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
  mark_liquid_faces(mesh(), flow_.boundary(), known_faces_, parameters_.pressure);
  mark_free_bodies();
  extrapolation_(mesh(), level_set_, std::as_const(known_faces_).view(), velocity, {},
                 parameters_.pressure.shares_velocity());
  flow_.impose_boundary();
}

// Drops that are too small for a leaf with a pressure fly freely: they have the velocity that they bring along. Such
// bodies are of surface leaves alone.
template <int Dim, class Real>
void Water<Dim, Real>::mark_free_bodies() {
  const MeshView<Dim> m = mesh().view();
  const PressureFaces<Dim, Real> faces{m, flow_.boundary(), parameters_.pressure};
  std::vector<std::uint8_t> has_pressure(bodies_.list().size(), 0);
  for (const SurfaceLeaf& s : surface_.leaves())
    if (const BodyId body = bodies_.of_leaves()[s.leaf]; !body.is_none() && faces.is_liquid(s.leaf))
      has_pressure[body] = 1;
  for (const SurfaceLeaf& s : surface_.leaves()) {
    const BodyId body = bodies_.of_leaves()[s.leaf];
    const double few = (Dim == 2 ? 9 : 27) * m.tree.volume(s.leaf);
    if (body.is_none() || has_pressure[body] != 0 || bodies_.list()[body].volume > few) continue;
    for (int side = 0; side < side_count<Dim>; ++side)
      for (const FaceId face : m.faces(s.leaf, side)) known_faces_[face] = 1;
  }
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
  constexpr double most = 1e6;
  const double h = mesh().tree().domain().size(parameters_.refinement.max_level);
  const double stable = std::sqrt(parameters_.liquid_density * h * h * h /
                                  (4 * std::numbers::pi * parameters_.surface_tension));
  return std::max(by_cfl, static_cast<int>(std::min(most, std::ceil(seconds / stable))));
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
