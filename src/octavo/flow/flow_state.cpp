// This is about the beginning of a flow, its length of steps, what it says about itself, and states to go on from.

#include "octavo/flow/flow.h"
#include "octavo/operators/divergence.h"

namespace octavo {
namespace {

// This makes the octree of saved leaves. Its constructor refuses those that do not cover the box exactly.
// Leaves of levels that are not wanted any more go with the next step.
template <int Dim>
Octree<Dim> saved_tree(const Domain<Dim>& domain, View<const Key<Dim>> leaves) {
  Buffer<Key<Dim>> keys(leaves.size());
  std::copy(leaves.begin(), leaves.end(), keys.begin());
  return Octree<Dim>(domain, std::move(keys));
}

// The values may be those of the field itself, so that they are copied before it is given other memory.
template <int Dim, class Real>
void restore_field(const Mesh<Dim>& mesh, View<const Real> values, const std::string& what,
                   AnyField<Dim, Real>& field) {
  Buffer<Real> kept(values.size());
  std::copy(values.begin(), values.end(), kept.begin());
  field.resize(mesh);
  const View<Real> restored = field.numbers();
  if (kept.size() != restored.size())
    throw InputError("the saved {} has {} values, and not the {} that its octree asks for", what,
                     kept.size(), restored.size());
  if (!all_finite(std::as_const(kept).view()))
    throw InputError("the saved {} is not finite everywhere", what);
  std::copy(kept.begin(), kept.end(), restored.begin());
}

// This is the mean of the corners of a leaf's side.
template <int Dim, class Real>
double mean_of_corners(const MeshView<Dim>& mesh, View<const Real> nodal, LeafId leaf, int axis,
                       bool high) {
  double sum = 0;
  for (int c = 0; c < child_count<Dim>; ++c)
    if (((c >> axis & 1) != 0) == high) sum += static_cast<double>(nodal[mesh.node(leaf, c)]);
  return sum / side_child_count<Dim>;
}

}  // namespace

// Fields and octree depend on each other: a finer octree sees more of what is there at the beginning. So
// it starts fine enough to see most of it, and is coarsened where there is nothing.
template <int Dim, class Real>
void Flow<Dim, Real>::start(const FlowStart<Dim>& start) {
  for (const auto& [name, value] : start.values)
    if (const auto* column = fields_.find(name);
        column == nullptr || column->info.shape != FieldShape::number)
      throw InputError("there is no field of numbers '{}' to begin with", name);
  ready_ = false;
  time_ = 0;
  steps_ = 0;
  report_ = {};
  set_free_surface({});
  const RefinementParameters<Dim>& r = parameters_.refinement;
  const Domain<Dim>& domain = grid_.tree().domain();
  const int level = first_level(r, domain);
  grid_ = Grid<Dim>(
      Octree<Dim>::build(domain, [=](const Leaf<Dim>& leaf) { return leaf.level < level; }));
  refinement_.set_strictness(1);
  for (int pass = 0; pass <= r.max_level + 1; ++pass) {
    sample(start);
    Buffer<Key<Dim>>& keys = grid_.spare_keys();
    refinement_.next_leaves(grid_.tree(), refinement_subject(solids_.posed(), 0), keys);
    const auto now = grid_.tree().keys();
    ready_ = std::equal(keys.begin(), keys.end(), now.begin(), now.end());
    if (ready_) return;
    grid_.replace([](const Mesh<Dim>&, const Mesh<Dim>&) {});
  }
  sample(start);
  ready_ = true;
}

// This samples the beginning on the current mesh.
template <int Dim, class Real>
void Flow<Dim, Real>::sample(const FlowStart<Dim>& start) {
  const MeshView<Dim> m = mesh().view();
  fields_.template for_each<NodeField<Real>>([&](const FieldInfo& info, NodeField<Real>& field) {
    const auto at = start.values.find(info.name);
    const auto* f = at == start.values.end() || !at->second ? nullptr : &at->second;
    field.resize(mesh());
    const View<Real> v = field.view();
    parallel_for("start", v.size(), [&](std::size_t i) {
      v[i] = static_cast<Real>(f != nullptr ? (*f)(m.position(NodeId(i))) : info.outside);
    });
    constrain(mesh(), field);
  });
  fields_.template for_each<LeafField<Real>>([&](const FieldInfo& info, LeafField<Real>& field) {
    const auto at = start.values.find(info.name);
    const auto* f = at == start.values.end() || !at->second ? nullptr : &at->second;
    field.resize(mesh());
    const View<Real> v = field.view();
    parallel_for("start", v.size(), [&](std::size_t i) {
      v[i] = static_cast<Real>(f != nullptr ? (*f)(m.tree.center(LeafId(i))) : info.outside);
    });
  });
  velocity_.resize(mesh());
  const View<Real> u = velocity_.view();
  parallel_for("start", u.size(), [&](std::size_t i) {
    const FaceId f(i);
    u[i] = start.velocity ? static_cast<Real>(start.velocity(m.center(f))[m.axis(f)]) : Real{0};
  });
  require_finite();
  solids_.measure(mesh(), posed(0, 0));
  solid_faces_.measure(mesh(), solids_, parameters_.treatment);
  impose_boundary();
  share_velocities();
  find_nodal_velocity(velocity_, nodal_velocity_);
}

template <int Dim, class Real>
void Flow<Dim, Real>::require_finite() const {
  auto require = [](View<const Real> values, std::string_view what) {
    if (!all_finite(values))
      throw InputError("the {} at the beginning is not finite everywhere", what);
  };
  for (const auto& column : fields_.columns())
    require(std::as_const(*column.values).numbers(), column.info.name);
}

// After an error fields and mesh may not belong together.
template <int Dim, class Real>
void Flow<Dim, Real>::require_ready() const {
  if (!ready_)
    throw SimulationError(
        "the simulation has no state to go on from: it was not started, or its last start, step or "
        "restore has failed");
}

// The number follows from how fast things are now and how fast forces and sources may make them within the frame.
template <int Dim, class Real>
double Flow<Dim, Real>::leaves_passed_in(double seconds, double acceleration) const {
  if (!(seconds > 0) || !std::isfinite(seconds))
    throw InputError("a frame must last a positive time, not {} s", seconds);
  double speed = acceleration * seconds;
  for (const Source<Dim>& s : parameters_.sources)
    if (s.velocity && s.active_for(time_, time_ + seconds) > 0)
      speed = std::max(speed, length(*s.velocity) * (s.add ? seconds : 1.0));
  for (const Wall& wall : parameters_.walls) speed = std::max(speed, length(wall.velocity));
  const PosedObstacles<Dim> posed(parameters_.obstacles, grid_.tree().domain().box(),
                                  time_ + seconds, time_);
  speed = std::max(speed, posed.largest_speed());
  const double finest = grid_.tree().domain().size(grid_.tree().deepest_level());
  return seconds * (courant_number() + speed / finest);
}

template <int Dim, class Real>
NodeField<Real>& Flow<Dim, Real>::number(std::string_view name) const {
  const auto* column = fields_.find(name);
  auto* field = column == nullptr ? nullptr : column->template as<NodeField<Real>>();
  if (field == nullptr)
    throw InvariantError(fmt::format("there is no field of numbers on nodes named '{}'", name));
  return *field;
}

template <int Dim, class Real>
void Flow<Dim, Real>::nodal_velocity(NodeField<Vec<Dim, Real>>& out) const {
  require_ready();
  find_nodal_velocity(velocity_, out);
}

template <int Dim, class Real>
RefinementReasons Flow<Dim, Real>::refinement_reasons() {
  require_ready();
  find_nodal_velocity(velocity_, nodal_velocity_);
  return refinement_.reasons(grid_.tree(), refinement_subject(solids_.posed(), 0));
}

template <int Dim, class Real>
double Flow<Dim, Real>::courant_number() const {
  const MeshView<Dim> m = mesh().view();
  const View<const Real> u = std::as_const(velocity_).view();
  return parallel_max("courant number", u.size(), 0.0, [=](std::size_t i) {
    return std::abs(static_cast<double>(u[i])) / m.size(FaceId(i));
  });
}

template <int Dim, class Real>
double Flow<Dim, Real>::kinetic_energy() const {
  const MeshView<Dim> m = mesh().view();
  const View<const Real> u = std::as_const(velocity_).view(), level_set = level_set_;
  return parallel_sum("kinetic energy", m.leaf_count(), [=](std::size_t i) {
    const LeafId leaf(i);
    if (level_set.size() > 0 && level_set[i] >= 0) return 0.0;
    double squares = 0;
    for (int side = 0; side < side_count<Dim>; ++side) {
      const auto v = static_cast<double>(mean_on_side<Real>(m, u, Cell::leaf(leaf), side));
      squares += v * v;
    }
    return 0.25 * m.tree.volume(leaf) * squares;
  });
}

template <int Dim, class Real>
double Flow<Dim, Real>::integral(const NodeField<Real>& field) const {
  const MeshView<Dim> m = mesh().view();
  const View<const Real> values = field.view();
  return parallel_sum("integral", m.leaf_count(), [=](std::size_t i) {
    double sum = 0;
    for (int c = 0; c < child_count<Dim>; ++c)
      sum += static_cast<double>(values[m.node(LeafId(i), c)]);
    return m.tree.volume(LeafId(i)) * sum / child_count<Dim>;
  });
}

// A velocity carries this out through walls in a time dt, less what it brings in: open walls let in what is
// outside, closed ones that something flows through let in the value there.
template <int Dim, class Real>
double Flow<Dim, Real>::flow_out(const Mesh<Dim>& mesh, const FieldInfo& info,
                                 const NodeField<Real>& field, double dt) const {
  const auto walls = parameters_.walls;
  if (std::all_of(walls.begin(), walls.end(), [](const Wall& w) { return w == Wall::closed; }))
    return 0;
  const MeshView<Dim> m = mesh.view();
  const View<const Real> u = std::as_const(velocity_).view(), values = field.view();
  return parallel_sum("flow out", m.face_count(), [=, outside = info.outside](std::size_t i) {
    const FaceId face(i);
    if (!m.is_wall(face)) return 0.0;
    const auto [below, above] = m.face_leaf[face];
    const bool high = above.is_none();
    const int axis = m.axis(face);
    const Wall& wall = walls[static_cast<std::size_t>(2 * axis + (high ? 1 : 0))];
    const double speed = (high ? 1 : -1) * static_cast<double>(u[i]);
    if (speed == 0 || (!wall.is_open && wall.velocity[axis] == 0)) return 0.0;
    const double value = speed > 0 || !wall.is_open
                             ? mean_of_corners(m, values, high ? below : above, axis, high)
                             : outside;
    return dt * m.area(face) * speed * value;
  });
}

template <int Dim, class Real>
std::vector<double> Flow<Dim, Real>::integrals() const {
  std::vector<double> all;
  fields_.template for_each<NodeField<Real>>([&](const FieldInfo& info, NodeField<Real>& field) {
    if (info.has_ledger) all.push_back(integral(field));
  });
  return all;
}

template <int Dim, class Real>
void Flow<Dim, Real>::open_ledger() {
  const PhaseTimer phase(report_.seconds.report);
  integrals_ = integrals();
  fields_.template for_each<NodeField<Real>>([&](const FieldInfo& info, NodeField<Real>&) {
    if (!info.has_ledger) return;
    LedgerLine line{info.name};
    line.before = line.after = integrals_[report_.ledger.size()];
    report_.ledger.push_back(line);
  });
}

template <int Dim, class Real>
void Flow<Dim, Real>::account(double LedgerLine::*column) {
  if (report_.ledger.empty()) return;  // at the beginning
  const PhaseTimer phase(report_.seconds.report);
  const std::vector<double> now = integrals();
  for (std::size_t i = 0; i < now.size(); ++i) report_.ledger[i].*column += now[i] - integrals_[i];
  integrals_ = now;
}

template <int Dim, class Real>
StepReport Flow<Dim, Real>::end_step(double dt, std::size_t more_bytes) {
  time_ += dt;
  ++steps_;
  {
    const PhaseTimer phase(report_.seconds.report);
    report_.step = steps_;
    report_.time = time_;
    report_.dt = dt;
    report_.leaves = mesh().leaf_count();
    report_.faces = mesh().face_count();
    report_.nodes = mesh().node_count();
    report_.kinetic_energy = kinetic_energy();
    const std::vector<double> now = integrals();
    for (std::size_t i = 0; i < now.size(); ++i) report_.ledger[i].after = now[i];
    report_.bytes = bytes() + more_bytes;
  }
  report_.peak_bytes = std::max(BufferMemory::peak() - other_bytes_, report_.bytes);
  report_.seconds.total = watch_.seconds();
  ready_ = true;
  return report_;
}

template <int Dim, class Real>
SavedState<Dim> Flow<Dim, Real>::state() const {
  require_ready();
  SavedState<Dim> s{.time = time_, .steps = steps_, .leaves = grid_.tree().keys()};
  s.numbers = {{"solids_since", solids_.posed().begin()},
               {"solids_time", solids_.posed().end()},
               {"strictness", refinement_.strictness()}};
  for (const auto& column : fields_.columns())
    if (column.info.is_state)
      s.arrays.push_back({column.info.name, std::as_const(*column.values).numbers()});
  return s;
}

template <int Dim, class Real>
void Flow<Dim, Real>::restore(const SavedState<Dim>& s) {
  ready_ = false;
  const double since = s.number("solids_since"), until = s.number("solids_time"),
               strictness = s.number("strictness");
  if (!(0 <= since && since <= until && until <= s.time) || !std::isfinite(s.time))
    throw InputError("the saved times make no sense: {} s, and solids that moved from {} to {} s",
                     s.time, since, until);
  if (!(strictness >= 1) || !std::isfinite(strictness))
    throw InputError("the saved strictness of refinement must be 1 or more, not {}", strictness);
  set_free_surface({});
  grid_ = Grid<Dim>(saved_tree(grid_.tree().domain(), s.leaves));
  for (const auto& column : fields_.columns()) {
    if (column.info.is_state)
      restore_field(mesh(), s.template array<Real>(column.info.name), column.info.name,
                    *column.values);
    else
      column.values->resize(mesh());
  }
  time_ = s.time;
  steps_ = s.steps;
  refinement_.set_strictness(strictness);
  solids_.measure(mesh(), posed(since, until));
  solid_faces_.measure(mesh(), solids_, parameters_.treatment);
  ready_ = true;
}

template <int Dim, class Real>
std::size_t Flow<Dim, Real>::bytes() const {
  return grid_.bytes() + grid_.spare_bytes() + fields_.bytes() + reflected_.bytes() +
         nodal_velocity_.bytes() + reflected_nodal_.bytes() + solids_.bytes() +
         next_solids_.bytes() + solid_faces_.bytes() + advection_.bytes() +
         pressure_method_->bytes() + refinement_.bytes();
}

template class Flow<2, float>;
template class Flow<3, float>;
template class Flow<2, double>;
template class Flow<3, double>;

}  // namespace octavo
