#include "octavo/sim/smoke.h"

#include <optional>

#include "octavo/mesh/transfer.h"
#include "octavo/operators/divergence.h"
#include "octavo/sim/emission.h"

namespace octavo {
namespace {

// Adds the time until it is destroyed to a stage.
class Stage {
 public:
  explicit Stage(double& seconds) : seconds_(seconds) {}
  ~Stage() { seconds_ += watch_.seconds(); }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

 private:
  double& seconds_;
  Stopwatch watch_;
};

}  // namespace

template <int Dim, class Real>
Smoke<Dim, Real>::Smoke(const Domain<Dim>& domain, SmokeParameters<Dim> parameters,
                        const std::optional<Start>& beginning)
    : parameters_((parameters.check(domain), std::move(parameters))),
      grid_(Octree<Dim>(domain)),
      scalars_(parameters_.scalars.size()),
      advection_(parameters_.advection, parameters_.pressure.shares_velocity()),
      refinement_(parameters_.refinement, parameters_.sources, domain) {
  if (beginning) start(*beginning);
}

// Advect, add forces, project; or, reflected, half of it, twice.
template <int Dim, class Real>
SmokeReport Smoke<Dim, Real>::step(double dt) {
  if (!(dt > 0) || !std::isfinite(dt))
    throw InputError("a time step must be positive, not {} s", dt);
  require_ready();
  ready_ = false;
  report_ = {};
  BufferMemory::reset_peak();
  const std::size_t others = BufferMemory::now() - bytes();
  const Stopwatch watch;
  decide_leaves(dt);
  if (parameters_.stepping == TimeStepping::projection) {
    onto_next_mesh(dt,
                   [&](Place from, Place to) { advect(from, to, dt, nodal_velocity_, velocity_); });
    emit_sources(time_, time_ + dt);
    add_forces(dt);
    project(dt);
  } else {
    const double half = 0.5 * dt;
    onto_next_mesh(
        half, [&](Place from, Place to) { advect(from, to, half, nodal_velocity_, velocity_); });
    emit_sources(time_, time_ + half);
    add_forces(half);
    share_velocities();
    reflected_ = velocity_;
    project(half);
    reflect();
    on_this_mesh(time_ + half, time_ + dt, [&](Place from, Place to) {
      advect(from, to, half, reflected_nodal_, reflected_);
    });
    velocity_.swap(reflected_);
    impose_boundary();
    emit_sources(time_ + half, time_ + dt);
    add_forces(half);
    project(half);
  }
  time_ += dt;
  ++steps_;
  measure(dt);
  report_.peak_bytes = std::max(BufferMemory::peak() - others, report_.bytes);
  report_.seconds.total = watch.seconds();
  ready_ = true;
  return report_;
}

template <int Dim, class Real>
void Smoke<Dim, Real>::decide_leaves(double dt) {
  {
    const Stage stage(report_.seconds.advection);
    find_nodal_velocity(velocity_, nodal_velocity_);
  }
  const Stage stage(report_.seconds.criteria);
  report_.cfl = dt * courant_number();
  const PosedObstacles<Dim> at_end(parameters_.obstacles, grid_.tree().domain().box(), time_ + dt,
                                   time_);
  refinement_.next_leaves(grid_.tree(),
                          {mesh(), std::as_const(density_).view(),
                           std::as_const(nodal_velocity_).view(), at_end, time_, dt},
                          grid_.spare_keys());
  report_.strictness = refinement_.strictness();
  const auto now = grid_.tree().keys();
  const auto& next = grid_.spare_keys();
  report_.changed_tree = !std::equal(next.begin(), next.end(), now.begin(), now.end());
}

// Calls carry(from, to) with the mesh of now and the next one, on which the solids are where they are
// after dt.
template <int Dim, class Real>
template <class Carry>
void Smoke<Dim, Real>::onto_next_mesh(double dt, Carry&& carry) {
  auto carry_over = [&](const Mesh<Dim>& from, const Mesh<Dim>& to) {
    {
      const Stage stage(report_.seconds.obstacles);
      next_solids_.measure(to, parameters_.obstacles, time_ + dt, time_);
      solid_faces_.measure(to, next_solids_, parameters_.treatment);
    }
    std::optional<Transfer<Dim>> transfer;
    if (&from != &to) {
      const Stage stage(report_.seconds.mesh);
      LeafField<Real> next;
      transfer.emplace(from, to);
      (*transfer)(pressure_, next);
      pressure_.swap(next);
    }
    carry(Place{from, solids_},
          Place{to, next_solids_, transfer ? transfer->origin() : View<const LeafId>{}});
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
  impose_boundary();
}

// The same with the mesh of now, for solids that move between two moments.
template <int Dim, class Real>
template <class Carry>
void Smoke<Dim, Real>::on_this_mesh(double begin, double end, Carry&& carry) {
  const Place here{mesh(), solids_};
  if (!solids_.posed().any_moves()) return carry(here, here);
  {
    const Stage stage(report_.seconds.obstacles);
    next_solids_.measure(mesh(), parameters_.obstacles, end, begin);
    solid_faces_.measure(mesh(), next_solids_, parameters_.treatment);
  }
  carry(here, Place{mesh(), next_solids_});
  solids_.swap(next_solids_);
}

// Everything on nodes, and a velocity with its nodal ones; all along nodal_velocity_.
template <int Dim, class Real>
void Smoke<Dim, Real>::advect(const Place& from, const Place& to, double dt,
                              const NodeField<Vec<Dim, Real>>& nodal, FaceField<Real>& velocity) {
  const Stage stage(report_.seconds.advection);
  const Flow<Dim, Real, SolidsInTheWay<Dim>> flow{from.mesh.view(),
                                                  std::as_const(nodal_velocity_).view(), dt,
                                                  open_walls(), from.solids.in_the_way(to.solids)};
  std::vector<typename Advection<Dim, Real>::Carried> carried{
      {&density_, Real{0}}, {&temperature_, static_cast<Real>(parameters_.ambient), true}};
  for (std::size_t s = 0; s < scalars_.size(); ++s)
    carried.push_back({&scalars_[s], static_cast<Real>(parameters_.scalars[s].outside)});
  const Journey<Dim> journey{from.mesh, to.mesh, to.origin};
  advection_.fields(flow, journey, carried, {from.solids.nodes(), to.solids.nodes()});
  SolidFaces<Dim, Real> faces_before;
  const bool needs_both = &from.mesh != &to.mesh || to.solids.posed().any_moves();
  if (parameters_.advection == AdvectionScheme::bfecc && needs_both)
    faces_before.measure(from.mesh, from.solids, parameters_.treatment);
  advection_.velocity(flow, journey, nodal, velocity,
                      needs_both ? faces_before.open_area() : solid_faces_.open_area(),
                      solid_faces_.open_area());
}

// u^ = 2 u - u~: what the projection has taken away is turned round.
template <int Dim, class Real>
void Smoke<Dim, Real>::reflect() {
  const Stage stage(report_.seconds.advection);
  const View<Real> r = reflected_.view();
  const View<const Real> u = std::as_const(velocity_).view();
  parallel_for("reflect", r.size(), [=](std::size_t i) { r[i] = 2 * u[i] - r[i]; });
  find_nodal_velocity(velocity_, nodal_velocity_);
  find_nodal_velocity(reflected_, reflected_nodal_);
}

template <int Dim, class Real>
void Smoke<Dim, Real>::emit_sources(double from, double to) {
  const Stage stage(report_.seconds.forces);
  if (parameters_.sources.empty()) return;
  EmissionTargets<Real> targets{
      {&density_, 0}, {&temperature_, parameters_.ambient}, {}, &velocity_};
  for (std::size_t s = 0; s < scalars_.size(); ++s)
    targets.scalars.push_back({&scalars_[s], parameters_.scalars[s].outside});
  emit<Dim, Real>(mesh(), parameters_.sources, from, to, targets);
  for_each_nodal([&](NodeField<Real>& f) { constrain(mesh(), f, solids_.nodes().inside); });
  impose_boundary();
}

template <int Dim, class Real>
void Smoke<Dim, Real>::add_forces(double dt) {
  const Stage stage(report_.seconds.forces);
  const SmokeParameters<Dim>& p = parameters_;
  decay(dt);
  if (p.weight != 0 || p.lift != 0)
    add_buoyancy<Dim, Real>(mesh(), {p.weight, p.lift, p.ambient, p.up_axis}, dt, density_,
                            temperature_, velocity_);
  if (!(p.acceleration == Vec<Dim>::filled(0)))
    add_acceleration(mesh(), p.acceleration, dt, velocity_);
  if (p.confinement != 0) confinement_.add(mesh(), p.confinement, dt, velocity_);
  impose_boundary();
}

// Both fall by exp(-rate dt), which is exact for any step.
template <int Dim, class Real>
void Smoke<Dim, Real>::decay(double dt) {
  auto fade = [&](NodeField<Real>& field, double rate, double towards) {
    if (rate == 0) return;
    const View<Real> v = field.view();
    const auto left = static_cast<Real>(std::exp(-rate * dt)), end = static_cast<Real>(towards);
    parallel_for("decay", v.size(), [=](std::size_t i) { v[i] = end + (v[i] - end) * left; });
  };
  fade(density_, parameters_.density_decay, 0);
  fade(temperature_, parameters_.cooling, parameters_.ambient);
  for (std::size_t s = 0; s < scalars_.size(); ++s)
    fade(scalars_[s], parameters_.scalars[s].decay, parameters_.scalars[s].outside);
}

template <int Dim, class Real>
void Smoke<Dim, Real>::project(double dt) {
  const Stage stage(report_.seconds.pressure);
  ProjectionOptions options;
  options.time_step = dt;
  options.scheme = parameters_.pressure;
  options.preconditioner = parameters_.preconditioner;
  options.stop = parameters_.stop;
  report_.pressure = projection_.project(mesh(), boundary(), options, velocity_, pressure_);
  report_.iterations += report_.pressure.iterations;
  report_.largest_divergence =
      std::max(report_.largest_divergence, report_.pressure.divergence_after);
  report_.all_converged = report_.all_converged && report_.pressure.converged();
  if (report_.pressure.outcome == SolveOutcome::not_finite)
    throw SimulationError("at {:.6g} s, step {}: {}", time_, steps_ + 1,
                          report_.pressure.sentence());
}

// One velocity for all parts of a large face, if the pressure scheme is one that wants it.
template <int Dim, class Real>
void Smoke<Dim, Real>::share_velocities() {
  if (!parameters_.pressure.shares_velocity()) return;
  share_velocity(PressureFaces<Dim, Real>{mesh().view(), boundary(), parameters_.pressure},
                 velocity_.view());
}

// Nothing passes closed walls; closed faces move with their solids; there is no smoke in solids.
template <int Dim, class Real>
void Smoke<Dim, Real>::impose_boundary() {
  const MeshView<Dim> m = mesh().view();
  const View<Real> u = velocity_.view();
  const auto walls = parameters_.walls;
  parallel_for("closed walls", u.size(), [=](std::size_t i) {
    const auto [low, high] = m.face_leaf[FaceId(i)];
    if (!low.is_none() && !high.is_none()) return;
    const int side = 2 * m.axis(FaceId(i)) + (high.is_none() ? 1 : 0);
    if (walls[static_cast<std::size_t>(side)] == Wall::closed) u[i] = 0;
  });
  if (!solids_.any()) return;
  solid_faces_.impose(velocity_);
  std::vector<Real> temperatures;
  for (const Obstacle<Dim>& o : parameters_.obstacles)
    temperatures.push_back(static_cast<Real>(o.temperature.value_or(parameters_.ambient)));
  solids_.fill(density_, {Real{0}});
  solids_.fill(temperature_, temperatures);
  for (std::size_t s = 0; s < scalars_.size(); ++s)
    solids_.fill(scalars_[s], {static_cast<Real>(parameters_.scalars[s].outside)});
}

template <int Dim, class Real>
void Smoke<Dim, Real>::find_nodal_velocity(const FaceField<Real>& velocity,
                                           NodeField<Vec<Dim, Real>>& out) const {
  octavo::nodal_velocity(mesh(), velocity, out, solid_faces_.open_area());
  solids_.separate(mesh(), out);
}

template class Smoke<2, float>;
template class Smoke<3, float>;
template class Smoke<2, double>;
template class Smoke<3, double>;

}  // namespace octavo
