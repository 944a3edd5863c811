// The beginning of a simulation, its length of steps, and what it says about itself.

#include "octavo/sim/smoke.h"

namespace octavo {

// Fields and octree depend on each other: a finer octree sees more of what is there at the beginning. So
// it starts fine enough to see most of it, and is coarsened where there is nothing.
template <int Dim, class Real>
void Smoke<Dim, Real>::start(const Start& start) {
  if (start.scalars.size() > parameters_.scalars.size())
    throw InputError("{} scalars are given at the beginning, but the simulation has {}",
                     start.scalars.size(), parameters_.scalars.size());
  ready_ = false;
  time_ = 0;
  steps_ = 0;
  constexpr double most_leaves = 300'000;
  const RefinementParameters<Dim>& r = parameters_.refinement;
  const Domain<Dim>& domain = grid_.tree().domain();
  int level = r.min_level;
  while (level < r.max_level &&
         domain.root_count() * std::pow(2.0, Dim * (level + 1)) < most_leaves)
    ++level;
  grid_ = Grid<Dim>(
      Octree<Dim>::build(domain, [=](const Leaf<Dim>& leaf) { return leaf.level < level; }));
  refinement_.set_strictness(1);
  for (int pass = 0; pass <= r.max_level + 1; ++pass) {
    sample(start);
    Buffer<Key<Dim>>& keys = grid_.spare_keys();
    refinement_.next_leaves(grid_.tree(),
                            {mesh(), std::as_const(density_).view(),
                             std::as_const(nodal_velocity_).view(), solids_.posed(), 0, 0},
                            keys);
    const auto now = grid_.tree().keys();
    ready_ = std::equal(keys.begin(), keys.end(), now.begin(), now.end());
    if (ready_) return;
    grid_.replace([](const Mesh<Dim>&, const Mesh<Dim>&) {});
  }
  sample(start);
  ready_ = true;
}

// The beginning, on the mesh of now.
template <int Dim, class Real>
void Smoke<Dim, Real>::sample(const Start& start) {
  const MeshView<Dim> m = mesh().view();
  auto at_nodes = [&](NodeField<Real>& field, const std::function<double(const Vec<Dim>&)>& f,
                      double otherwise) {
    field.resize(mesh());
    const View<Real> v = field.view();
    parallel_for("start", v.size(), [&](std::size_t i) {
      v[i] = static_cast<Real>(f ? f(m.position(NodeId(i))) : otherwise);
    });
    constrain(mesh(), field);
  };
  at_nodes(density_, start.density, 0);
  at_nodes(temperature_, start.temperature, parameters_.ambient);
  for (std::size_t s = 0; s < scalars_.size(); ++s)
    at_nodes(scalars_[s], s < start.scalars.size() ? start.scalars[s] : nullptr,
             parameters_.scalars[s].outside);
  velocity_.resize(mesh());
  const View<Real> u = velocity_.view();
  parallel_for("start", u.size(), [&](std::size_t i) {
    const FaceId f(i);
    u[i] = start.velocity ? static_cast<Real>(start.velocity(m.center(f))[m.axis(f)]) : Real{0};
  });
  require_finite();
  pressure_.resize(mesh());
  pressure_.fill(0);
  solids_.measure(mesh(), parameters_.obstacles, 0, 0);
  solid_faces_.measure(mesh(), solids_, parameters_.treatment);
  impose_boundary();
  share_velocities();
  find_nodal_velocity(velocity_, nodal_velocity_);
}

template <int Dim, class Real>
void Smoke<Dim, Real>::require_finite() const {
  auto require = [](View<const Real> values, std::string_view what) {
    if (!all_finite(values))
      throw InputError("the {} at the beginning is not finite everywhere", what);
  };
  require(density_.view(), "density");
  require(temperature_.view(), "temperature");
  require(velocity_.view(), "velocity");
  for (std::size_t s = 0; s < scalars_.size(); ++s)
    require(scalars_[s].view(), parameters_.scalars[s].name);
}

template <int Dim, class Real>
SmokeReport Smoke<Dim, Real>::advance(double seconds,
                                      const std::function<bool(const SmokeReport&)>& after_step) {
  const int substeps = substeps_for(seconds);
  SmokeReport all;
  for (int s = 1; s <= substeps; ++s) {
    const SmokeReport one = step(seconds / substeps);
    all.add(one);
    if (after_step && !after_step(one)) break;
  }
  return all;
}

// After an error fields and mesh may not belong together.
template <int Dim, class Real>
void Smoke<Dim, Real>::require_ready() const {
  if (!ready_)
    throw SimulationError(
        "the simulation has no state to go on from: it was not started, or its last start, step or "
        "restore has failed");
}

template <int Dim, class Real>
int Smoke<Dim, Real>::substeps_for(double seconds) const {
  return parameters_.substeps(leaves_passed_in(seconds));
}

// From how fast things are now and how fast forces and sources may make them within the frame.
template <int Dim, class Real>
double Smoke<Dim, Real>::leaves_passed_in(double seconds) const {
  if (!(seconds > 0) || !std::isfinite(seconds))
    throw InputError("a frame must last a positive time, not {} s", seconds);
  require_ready();
  const SmokeParameters<Dim>& p = parameters_;
  auto largest = [](const NodeField<Real>& field, double from) {
    const View<const Real> v = field.view();
    return parallel_max("largest value", v.size(), 0.0,
                        [=](std::size_t i) { return std::abs(static_cast<double>(v[i]) - from); });
  };
  double acceleration = length(p.acceleration);
  if (p.weight != 0) acceleration += std::abs(p.weight) * largest(density_, 0);
  if (p.lift != 0) acceleration += std::abs(p.lift) * largest(temperature_, p.ambient);
  double speed = acceleration * seconds;
  for (const Source<Dim>& s : p.sources)
    if (s.velocity && s.active_for(time_, time_ + seconds) > 0)
      speed = std::max(speed, length(*s.velocity) * (s.add ? seconds : 1.0));
  const PosedObstacles<Dim> posed(p.obstacles, grid_.tree().domain().box(), time_ + seconds, time_);
  speed = std::max(speed, posed.largest_speed());
  const double finest = grid_.tree().domain().size(grid_.tree().deepest_level());
  return seconds * (courant_number() + speed / finest);
}

template <int Dim, class Real>
RefinementReasons Smoke<Dim, Real>::refinement_reasons() {
  require_ready();
  find_nodal_velocity(velocity_, nodal_velocity_);
  return refinement_.reasons(
      grid_.tree(), {mesh(), std::as_const(density_).view(), std::as_const(nodal_velocity_).view(),
                     solids_.posed(), time_, 0});
}

template <int Dim, class Real>
void Smoke<Dim, Real>::nodal_velocity(NodeField<Vec<Dim, Real>>& out) const {
  require_ready();
  find_nodal_velocity(velocity_, out);
}

template <int Dim, class Real>
double Smoke<Dim, Real>::courant_number() const {
  const MeshView<Dim> m = mesh().view();
  const View<const Real> u = velocity_.view();
  return parallel_max("courant number", u.size(), 0.0, [=](std::size_t i) {
    return std::abs(static_cast<double>(u[i])) / m.size(FaceId(i));
  });
}

template <int Dim, class Real>
FlowBoundary<Dim, Real> Smoke<Dim, Real>::boundary() const {
  FlowBoundary<Dim, Real> b;
  b.wall = parameters_.walls;
  solid_faces_.bound(b);
  return b;
}

template <int Dim, class Real>
OpenWalls<Dim> Smoke<Dim, Real>::open_walls() const {
  OpenWalls<Dim> walls{grid_.tree().domain().box(), {}};
  for (std::size_t side = 0; side < walls.open.size(); ++side)
    walls.open[side] = parameters_.walls[side] == Wall::open;
  return walls;
}

template <int Dim, class Real>
void Smoke<Dim, Real>::measure(double dt) {
  const Stopwatch watch;
  report_.step = steps_;
  report_.time = time_;
  report_.dt = dt;
  report_.leaves = mesh().leaf_count();
  report_.faces = mesh().face_count();
  report_.nodes = mesh().node_count();

  const MeshView<Dim> m = mesh().view();
  const View<const Real> rho = density_.view(), u = velocity_.view();
  const Vec<2> totals = parallel_reduce(
      "totals", m.leaf_count(), Vec<2>{0, 0},
      [=](std::size_t i) {
        const LeafId leaf(i);
        double density = 0, squares = 0;
        for (int c = 0; c < child_count<Dim>; ++c)
          density += static_cast<double>(rho[m.node(leaf, c)]);
        for (int side = 0; side < side_count<Dim>; ++side) {
          const auto v = static_cast<double>(mean_on_side<Real>(m, u, Cell::leaf(leaf), side));
          squares += v * v;
        }
        const double h = m.tree.size(leaf), volume = Dim == 2 ? h * h : h * h * h;
        return Vec<2>{volume * density / child_count<Dim>, 0.25 * volume * squares};
      },
      [](const Vec<2>& p, const Vec<2>& q) { return p + q; });
  report_.total_density = totals[0];
  report_.kinetic_energy = totals[1];
  report_.bytes = bytes();
  report_.seconds.report += watch.seconds();
}

template <int Dim, class Real>
std::size_t Smoke<Dim, Real>::bytes() const {
  std::size_t sum = grid_.bytes() + grid_.spare_bytes() + velocity_.bytes() + reflected_.bytes() +
                    pressure_.bytes() + density_.bytes() + temperature_.bytes() +
                    nodal_velocity_.bytes() + reflected_nodal_.bytes() + solids_.bytes() +
                    next_solids_.bytes() + solid_faces_.bytes() + advection_.bytes() +
                    projection_.solver().bytes() + confinement_.bytes() + refinement_.bytes();
  for (const auto& s : scalars_) sum += s.bytes();
  return sum;
}

template class Smoke<2, float>;
template class Smoke<3, float>;
template class Smoke<2, double>;
template class Smoke<3, double>;

}  // namespace octavo
