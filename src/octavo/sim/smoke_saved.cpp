// States of a simulation, to be kept and to be gone on from.

#include "octavo/sim/smoke_saved.h"

#include "octavo/sim/smoke.h"

namespace octavo {
namespace {

template <int Dim, class Real>
void check_numbers(const SmokeState<Dim, Real>& s, std::size_t scalars) {
  if (!(0 <= s.solids_since && s.solids_since <= s.solids_time && s.solids_time <= s.time) ||
      !std::isfinite(s.time))
    throw InputError("the saved times make no sense: {} s, and solids that moved from {} to {} s",
                     s.time, s.solids_since, s.solids_time);
  if (!(s.strictness >= 1) || !std::isfinite(s.strictness))
    throw InputError("the saved strictness of refinement must be 1 or more, not {}", s.strictness);
  if (s.scalars.size() != scalars)
    throw InputError("{} scalars are saved, but the simulation has {}", s.scalars.size(), scalars);
}

// The octree of saved leaves. Its constructor refuses those that do not cover the box exactly. Leaves of levels
// that are not wanted any more go with the next step.
template <int Dim>
Octree<Dim> saved_tree(const Domain<Dim>& domain, View<const Key<Dim>> leaves) {
  Buffer<Key<Dim>> keys(leaves.size());
  std::copy(leaves.begin(), leaves.end(), keys.begin());
  return Octree<Dim>(domain, std::move(keys));
}

// The values may be those of the field itself.
template <class Place, class Real, int Dim>
void restore_field(const Mesh<Dim>& mesh, View<const Real> values, std::string_view what,
                   Field<Place, Real>& field) {
  Field<Place, Real> restored;
  restored.resize(mesh);
  if (values.size() != restored.size())
    throw InputError("the saved {} has {} values, and not the {} that its octree asks for", what,
                     values.size(), restored.size());
  if (!all_finite(values)) throw InputError("the saved {} is not finite everywhere", what);
  std::copy(values.begin(), values.end(), restored.view().begin());
  field.swap(restored);
}

}  // namespace

template <int Dim, class Real>
SmokeState<Dim, Real> Smoke<Dim, Real>::state() const {
  require_ready();
  SmokeState<Dim, Real> s;
  s.time = time_;
  s.steps = steps_;
  s.solids_since = solids_.posed().begin();
  s.solids_time = solids_.posed().end();
  s.strictness = refinement_.strictness();
  s.leaves = grid_.tree().keys();
  s.velocity = velocity_.view();
  s.pressure = pressure_.view();
  s.density = density_.view();
  s.temperature = temperature_.view();
  for (const NodeField<Real>& scalar : scalars_) s.scalars.push_back(scalar.view());
  return s;
}

template <int Dim, class Real>
void Smoke<Dim, Real>::restore(const SmokeState<Dim, Real>& s) {
  ready_ = false;
  check_numbers(s, parameters_.scalars.size());
  grid_ = Grid<Dim>(saved_tree(grid_.tree().domain(), s.leaves));
  restore_field(mesh(), s.velocity, "velocity", velocity_);
  restore_field(mesh(), s.pressure, "pressure", pressure_);
  restore_field(mesh(), s.density, "density", density_);
  restore_field(mesh(), s.temperature, "temperature", temperature_);
  for (std::size_t i = 0; i < scalars_.size(); ++i)
    restore_field(mesh(), s.scalars[i], parameters_.scalars[i].name, scalars_[i]);
  time_ = s.time;
  steps_ = s.steps;
  refinement_.set_strictness(s.strictness);
  solids_.measure(mesh(), parameters_.obstacles, s.solids_time, s.solids_since);
  solid_faces_.measure(mesh(), solids_, parameters_.treatment);
  ready_ = true;
}

template class Smoke<2, float>;
template class Smoke<3, float>;
template class Smoke<2, double>;
template class Smoke<3, double>;

}  // namespace octavo
