#include "octavo/flow/flow.h"

#include "octavo/operators/divergence.h"
#include "octavo/sources/emission.h"

namespace octavo {

template <int Dim, class Real>
Flow<Dim, Real>::Flow(const Domain<Dim>& domain, const FlowParameters<Dim>& parameters,
                      const std::vector<FieldInfo>& carried)
    : parameters_(parameters),
      grid_(Octree<Dim>(domain)),
      velocity_(fields_.template add<FaceField<Real>>(velocity_info())),
      pressure_(fields_.template add<LeafField<Real>>(pressure_info())),
      advection_(parameters_.advection, parameters_.pressure.shares_velocity()),
      pressure_method_(std::make_unique<Projection<Dim, Real>>()),
      refinement_(parameters_.refinement, parameters_.sources, domain) {
  for (const FieldInfo& info : carried) add(info);
  for (const ScalarParameters& s : parameters_.scalars) add(field_info(s));
  for (const Source<Dim>& source : parameters_.sources)
    for (const auto& [name, value] : source.values)
      if (const auto* column = fields_.find(name);
          column == nullptr || column->template as<NodeField<Real>>() == nullptr)
        throw InputError("a source sets the field '{}', which is none that the simulation carries",
                         name);
}

template <int Dim, class Real>
void Flow<Dim, Real>::add(const FieldInfo& info) {
  const bool is_number = info.shape == FieldShape::number;
  if (is_number && info.place == FieldPlace::leaf && info.next_mesh != NextMesh::advected)
    fields_.template add<LeafField<Real>>(info);
  else if (is_number && info.place == FieldPlace::node && info.next_mesh != NextMesh::transferred)
    fields_.template add<NodeField<Real>>(info);
  else
    throw InvariantError(fmt::format("no flow carries a field like '{}'", info.name));
}

template <int Dim, class Real>
void Flow<Dim, Real>::begin_step(double dt, std::size_t more_bytes) {
  if (!(dt > 0) || !std::isfinite(dt))
    throw InputError("a time step must be positive, not {} s", dt);
  require_ready();
  ready_ = false;
  report_ = {};
  watch_ = {};
  BufferMemory::reset_peak();
  other_bytes_ = BufferMemory::now() - bytes() - more_bytes;
  open_ledger();
}

template <int Dim, class Real>
void Flow<Dim, Real>::decide_leaves(double dt) {
  {
    const PhaseTimer phase(report_.seconds.advection);
    find_nodal_velocity(velocity_, nodal_velocity_);
  }
  const PhaseTimer phase(report_.seconds.criteria);
  report_.cfl = dt * courant_number();
  refinement_.next_leaves(grid_.tree(), refinement_subject(posed(time_, time_ + dt), dt),
                          grid_.spare_keys());
  report_.strictness = refinement_.strictness();
  const auto now = grid_.tree().keys();
  const auto& next = grid_.spare_keys();
  report_.changed_tree = !std::equal(next.begin(), next.end(), now.begin(), now.end());
}

template <int Dim, class Real>
void Flow<Dim, Real>::put_on(const Mesh<Dim>& next, const Transfer<Dim>& transfer,
                             const Column& column) {
  if (column.info.next_mesh == NextMesh::computed) column.values->resize(next);
  if (column.info.next_mesh != NextMesh::transferred) return;
  auto& field = *column.template as<LeafField<Real>>();
  LeafField<Real> there;
  transfer(field, there);
  field.swap(there);
}

// These are the obstacles at the end of a stretch of time; a step asks for the same one more than once.
template <int Dim, class Real>
const PosedObstacles<Dim>& Flow<Dim, Real>::posed(double begin, double end) {
  if (posed_.empty() || posed_.begin() != begin || posed_.end() != end)
    posed_ = PosedObstacles<Dim>(parameters_.obstacles, grid_.tree().domain().box(), end, begin);
  return posed_;
}

template <int Dim, class Real>
RefinementSubject<Dim, Real> Flow<Dim, Real>::refinement_subject(
    const PosedObstacles<Dim>& obstacles, double dt) const {
  auto nodal = [this](const std::string& name) -> View<const Real> {
    const auto* column = fields_.find(name);
    const auto* field = column == nullptr ? nullptr : column->template as<NodeField<Real>>();
    return field == nullptr ? View<const Real>{} : std::as_const(*field).view();
  };
  return {mesh(), nodal, std::as_const(nodal_velocity_).view(), visibility, obstacles, time_, dt};
}

template <int Dim, class Real>
Characteristics<Dim, Real, SolidsInTheWay<Dim>> Flow<Dim, Real>::paths(const MeshAndSolids& from,
                                                                       const MeshAndSolids& to,
                                                                       double dt) const {
  return {from.mesh.view(), std::as_const(nodal_velocity_).view(), dt, open_walls(),
          from.solids.in_the_way(to.solids)};
}

// This advects everything that is carried, and a velocity with its nodal ones, all along nodal_velocity_.
template <int Dim, class Real>
void Flow<Dim, Real>::advect(const MeshAndSolids& from, const MeshAndSolids& to, double dt,
                             const NodeField<Vec<Dim, Real>>& nodal, FaceField<Real>& velocity) {
  const PhaseTimer phase(report_.seconds.advection);
  const auto path = paths(from, to, dt);
  std::vector<typename Advection<Dim, Real>::Carried> carried;
  std::size_t line = 0;
  fields_.template for_each<NodeField<Real>>([&](const FieldInfo& info, NodeField<Real>& field) {
    if (info.has_ledger) {
      const double out = flow_out(from.mesh, info, field, dt);
      report_.ledger[line].outflow -= out;
      integrals_[line++] -= out;
    }
    if (info.next_mesh == NextMesh::advected)
      carried.push_back(
          {&field, static_cast<Real>(info.outside), info.in_solids == InSolids::heat});
  });
  const MeshChange<Dim> change{from.mesh, to.mesh, to.origin};
  advection_.fields(path, change, carried, {from.solids.nodes(), to.solids.nodes()});
  SolidFaces<Dim, Real> faces_before;
  const bool needs_both = &from.mesh != &to.mesh || to.solids.posed().any_moves();
  if (parameters_.advection == AdvectionScheme::bfecc && needs_both)
    faces_before.measure(from.mesh, from.solids, parameters_.treatment);
  advection_.velocity(path, change, nodal, velocity,
                      needs_both ? faces_before.open_area() : solid_faces_.open_area(),
                      solid_faces_.open_area());
}

// All parts of a large face get one velocity, if the pressure scheme is one that wants it.
template <int Dim, class Real>
void Flow<Dim, Real>::share_velocities() {
  if (!parameters_.pressure.shares_velocity()) return;
  share_velocity(PressureFaces<Dim, Real>{mesh().view(), boundary(), parameters_.pressure},
                 velocity_.view());
}

template <int Dim, class Real>
void Flow<Dim, Real>::keep_for_reflection() {
  share_velocities();
  reflected_ = velocity_;
}

// The reflected velocity is u^ = 2 u - u~.
template <int Dim, class Real>
void Flow<Dim, Real>::reflect(const std::function<void(FaceField<Real>&)>& go_on) {
  const PhaseTimer phase(report_.seconds.advection);
  const View<Real> r = reflected_.view();
  const View<const Real> u = std::as_const(velocity_).view();
  parallel_for("reflect", r.size(), [=](std::size_t i) { r[i] = 2 * u[i] - r[i]; });
  if (go_on) go_on(reflected_);
  find_nodal_velocity(velocity_, nodal_velocity_);
  find_nodal_velocity(reflected_, reflected_nodal_);
}

template <int Dim, class Real>
void Flow<Dim, Real>::use_reflected() {
  velocity_.swap(reflected_);
  impose_boundary();
}

template <int Dim, class Real>
void Flow<Dim, Real>::emit_sources(double from, double to) {
  const PhaseTimer phase(report_.seconds.forces);
  if (parameters_.sources.empty()) return;
  EmissionTargets<Real> targets{{}, &velocity_};
  fields_.template for_each<NodeField<Real>>([&](const FieldInfo& info, NodeField<Real>& field) {
    if (!info.is_level_set) targets.nodal.push_back({info.name, &field, info.outside});
  });
  emit<Dim, Real>(mesh(), parameters_.sources, from, to, targets);
  for (const auto& target : targets.nodal) constrain(mesh(), *target.field, solids_.nodes().inside);
  account(&LedgerLine::sources);
  impose_boundary();
}

// Fields fall by exp(-rate dt), which is exact for any step.
template <int Dim, class Real>
void Flow<Dim, Real>::decay(double dt) {
  bool in_ledger = false;
  fields_.template for_each<NodeField<Real>>([&](const FieldInfo& info, NodeField<Real>& field) {
    if (info.decay == 0) return;
    in_ledger = in_ledger || info.has_ledger;
    const View<Real> v = field.view();
    const auto left = static_cast<Real>(std::exp(-info.decay * dt)),
               end = static_cast<Real>(info.outside);
    parallel_for("decay", v.size(), [=](std::size_t i) { v[i] = end + (v[i] - end) * left; });
  });
  if (in_ledger) account(&LedgerLine::decay);
}

template <int Dim, class Real>
void Flow<Dim, Real>::project(double dt, View<const Real> wanted) {
  const PhaseTimer phase(report_.seconds.pressure);
  ProjectionOptions options;
  options.time_step = dt;
  options.density = parameters_.density;
  options.scheme = parameters_.pressure;
  options.preconditioner = parameters_.preconditioner;
  options.stop = parameters_.stop;
  report_.pressure =
      pressure_method_->project(mesh(), boundary(), options, velocity_, pressure_, wanted);
  report_.iterations += report_.pressure.iterations;
  report_.largest_divergence =
      std::max(report_.largest_divergence, report_.pressure.divergence_after);
  report_.all_converged = report_.all_converged && report_.pressure.converged();
  if (report_.pressure.outcome == SolveOutcome::not_finite)
    throw SimulationError("at {:.6g} s, step {}: {}", time_, steps_ + 1,
                          report_.pressure.sentence());
}

// Nothing passes closed walls; closed faces move with their solids; fields in solids are what they say.
template <int Dim, class Real>
void Flow<Dim, Real>::impose_boundary() {
  const MeshView<Dim> m = mesh().view();
  const View<Real> u = velocity_.view();
  const auto walls = parameters_.walls;
  parallel_for("closed walls", u.size(), [=](std::size_t i) {
    const auto [low, high] = m.face_leaf[FaceId(i)];
    if (!low.is_none() && !high.is_none()) return;
    const int axis = m.axis(FaceId(i)), side = 2 * axis + (high.is_none() ? 1 : 0);
    const Wall& wall = walls[static_cast<std::size_t>(side)];
    if (!wall.is_open) u[i] = static_cast<Real>(wall.velocity[axis]);
  });
  if (!solids_.any()) return;
  solid_faces_.impose(velocity_);
  fields_.template for_each<NodeField<Real>>([&](const FieldInfo& info, NodeField<Real>& field) {
    if (info.in_solids == InSolids::nothing) return;
    std::vector<Real> inside{static_cast<Real>(info.outside)};
    if (info.in_solids == InSolids::heat) {
      inside.clear();
      for (const Obstacle<Dim>& o : parameters_.obstacles)
        inside.push_back(static_cast<Real>(o.temperature.value_or(info.outside)));
    }
    solids_.fill(field, inside);
  });
  account(&LedgerLine::solids);
}

template <int Dim, class Real>
void Flow<Dim, Real>::find_nodal_velocity(const FaceField<Real>& velocity,
                                          NodeField<Vec<Dim, Real>>& out) const {
  octavo::nodal_velocity(mesh(), velocity, out, solid_faces_.open_area());
  solids_.separate(mesh(), out);
}

template <int Dim, class Real>
FlowBoundary<Dim, Real> Flow<Dim, Real>::boundary() const {
  FlowBoundary<Dim, Real> b;
  b.wall = parameters_.walls;
  b.level_set = level_set_;
  b.surface_pressure = surface_pressure_;
  b.gravity = gravity_;
  solid_faces_.bound(b);
  return b;
}

template <int Dim, class Real>
OpenWalls<Dim> Flow<Dim, Real>::open_walls() const {
  OpenWalls<Dim> walls{grid_.tree().domain().box(), {}};
  for (std::size_t side = 0; side < walls.open.size(); ++side)
    walls.open[side] = parameters_.walls[side].is_open;
  return walls;
}

template class Flow<2, float>;
template class Flow<3, float>;
template class Flow<2, double>;
template class Flow<3, double>;

}  // namespace octavo
