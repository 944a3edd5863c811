#include "octavo/surface/particle_level_set.h"

#include <algorithm>

#include "octavo/mesh/hanging_nodes.h"

namespace octavo {

static_assert(SurfaceTracker<ParticleLevelSet<2, float>, 2, float>);
static_assert(SurfaceTracker<ParticleLevelSet<3, double>, 3, double>);

ParticleLevelSetParameters ParticleLevelSetParameters::named(std::string_view name, int dim) {
  ParticleLevelSetParameters p;
  if (name == "particle_level_set") return p;
  if (name != "losasso04" && name != "level_set")
    throw InputError(
        "there is no surface tracker '{}'; there are: particle_level_set, losasso04, level_set",
        name);
  p.particles = MarkerRules::named("losasso04", dim);
  p.advection = AdvectionScheme::semi_lagrangian;
  p.distance.scheme = DistanceScheme::losasso04;
  if (name == "level_set") p.particles.particles_per_leaf = 0;
  return p;
}

template <int Dim, class Real>
ParticleLevelSet<Dim, Real>::ParticleLevelSet(const ParticleLevelSetParameters& parameters)
    : parameters_(parameters), particles_(parameters.particles), advection_(parameters.advection) {}

template <int Dim, class Real>
void ParticleLevelSet<Dim, Real>::begin(const Mesh<Dim>& mesh, const TrackedSolids<Real>& solids) {
  if (!all_finite(std::as_const(phi_).view()))
    throw InputError("the distance to the surface must be a finite number everywhere");
  constrain(mesh, phi_);
  redistance(mesh, solids);
  steps_ = 0;
  particles_ = MarkerParticles<Dim>(parameters_.particles);
  particles_.reseed(mesh, phi_, steps_, solids.inside);
}

template <int Dim, class Real>
void ParticleLevelSet<Dim, Real>::redistance(const Mesh<Dim>& mesh,
                                             const TrackedSolids<Real>& solids) {
  redistance_(mesh, phi_, parameters_.distance);
  if (solids.distance != nullptr) continuation_(mesh, *solids.distance, phi_);
}

// Random numbers are others than those of a reseeding in the same step.
template <int Dim, class Real>
void ParticleLevelSet<Dim, Real>::reseed_filled(const Mesh<Dim>& mesh,
                                                const TrackedSolids<Real>& solids) {
  redistance(mesh, solids);
  particles_.reseed(mesh, phi_, steps_ | 0x80000000u, solids.inside);
}

template <int Dim, class Real>
void ParticleLevelSet<Dim, Real>::correct(const Mesh<Dim>& mesh, TrackerReport& report) {
  const Stopwatch watch;
  const MarkerCorrection done = particles_.correct(mesh, phi_);
  report.escaped = std::max(report.escaped, done.escaped);
  report.corrected += done.nodes;
  report.seconds.correction += watch.seconds();
}

template <int Dim, class Real>
void ParticleLevelSet<Dim, Real>::repair(const Mesh<Dim>& mesh, const TrackedSolids<Real>& solids,
                                         TrackerReport& report) {
  correct(mesh, report);
  Stopwatch watch;
  redistance(mesh, solids);
  report.seconds.redistance = watch.seconds();
  correct(mesh, report);
  watch = Stopwatch();
  particles_.adjust_radii(mesh, phi_);
  report.seconds.correction += watch.seconds();

  ++steps_;
  const int every = particles_.rules().reseed_every;
  if (every > 0 && steps_ % static_cast<std::uint32_t>(every) == 0) {
    watch = Stopwatch();
    const MarkerReseeding done = particles_.reseed(mesh, phi_, steps_, solids.inside);
    report.added = done.added;
    report.deleted = done.deleted;
    report.seconds.reseeding = watch.seconds();
  }
  report.elements = particles_.size();
}

template <int Dim, class Real>
void ParticleLevelSet<Dim, Real>::save(std::vector<SavedArray>& arrays,
                                       std::vector<SavedNumber>& numbers) const {
  const View<const MarkerParticle<Dim>> p = particles_.particles();
  arrays.push_back({"signed distance", phi_.view()});
  arrays.push_back({"marker particles", View<const float>(reinterpret_cast<const float*>(p.data()),
                                                          (Dim + 1) * p.size())});
  arrays.push_back({"marker leaves", particles_.leaf_begin()});
  numbers.push_back({"marker steps", static_cast<double>(steps_)});
}

template <int Dim, class Real>
void ParticleLevelSet<Dim, Real>::restore(const Mesh<Dim>& mesh,
                                          const std::vector<SavedArray>& arrays,
                                          const std::vector<SavedNumber>& numbers) {
  const View<const Real> phi = saved_array<Real>(arrays, "signed distance");
  const double steps = saved_number(numbers, "marker steps");
  if (phi.size() != mesh.node_count() || !all_finite(phi) || !(steps >= 0 && steps < 4294967296.0))
    throw InputError("the saved signed distance makes no sense");
  particles_.restore(mesh, saved_array<float>(arrays, "marker particles"),
                     saved_array<std::int32_t>(arrays, "marker leaves"));
  phi_.resize(mesh);
  std::copy(phi.begin(), phi.end(), phi_.view().begin());
  steps_ = static_cast<std::uint32_t>(steps);
}

template <int Dim, class Real>
std::size_t ParticleLevelSet<Dim, Real>::bytes() const {
  return phi_.bytes() + particles_.bytes() + advection_.bytes() + redistance_.bytes() +
         continuation_.bytes();
}

template class ParticleLevelSet<2, float>;
template class ParticleLevelSet<2, double>;
template class ParticleLevelSet<3, float>;
template class ParticleLevelSet<3, double>;

}  // namespace octavo
