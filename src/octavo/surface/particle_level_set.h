#pragma once

// The particle level set method on an octree: Losasso et al. 2004, section 6, after Enright et al. 2002 and 2004.
//
//   phi_t + u . grad phi = 0       semi-Lagrangian, on nodes, from the old mesh onto the new one in one go
//   dx_p/dt = u(x_p)               second-order Runge-Kutta
//
// A step advects the level set and the particles, corrects the level set by those that have escaped, makes it the
// signed distance to its zero set again, corrects it once more and measures the particles' radii; every so many steps
// particles are reseeded. Particles are responsible for accuracy, the level set for connectivity. The papers do with a
// level set of first order then; one of second order costs little beside the particles, and needs fewer of them.
//
//   ParticleLevelSet<3> surface;
//   surface.start(mesh, [&](const Vec3d& x) { return length(x - center) - radius; });
//   surface.advance(paths, {old_mesh, new_mesh, origin});
//   volume of surface.signed_distance() ...

#include "octavo/level_set/signed_distance.h"
#include "octavo/level_set/solid_continuation.h"
#include "octavo/mesh/hanging_nodes.h"
#include "octavo/surface/marker_particles.h"
#include "octavo/surface/surface_tracker.h"

namespace octavo {

// They go by name:
//   particle_level_set   MacCormack's scheme for the level set, distances of second order, 8 particles a leaf
//   losasso04            as in the paper: semi-Lagrangian, its fast marching, 64 particles a leaf (in 2D 16)
//   level_set            the paper's level set by itself, without particles
struct ParticleLevelSetParameters {
  MarkerRules particles{};
  AdvectionScheme advection = AdvectionScheme::maccormack;  // of the level set
  SignedDistanceParameters distance{};

  static ParticleLevelSetParameters named(std::string_view name, int dim);
};

inline constexpr std::array<std::string_view, 3> particle_level_set_names{"particle_level_set",
                                                                          "losasso04", "level_set"};

template <int Dim, class Real = float>
class ParticleLevelSet {
 public:
  explicit ParticleLevelSet(const ParticleLevelSetParameters& parameters = {});

  // distance(point) is the signed distance to the surface, or anything with its sign that is nearly so next to it. It
  // is called from many threads. Leaves inside of solids get no particles, and the level set goes on into solids as it
  // ends beside them.
  template <class Distance>
  void start(const Mesh<Dim>& mesh, const Distance& distance,
             const TrackedSolids<Real>& solids = {});
  template <class Obstacles>
  TrackerReport advance(const Characteristics<Dim, Real, Obstacles>& paths,
                        const MeshChange<Dim>& change, const TrackedSolids<Real>& solids = {});

  // This puts liquid where distance(point) is negative, or takes it away from there.
  template <class Distance>
  void fill(const Mesh<Dim>& mesh, const Distance& distance, bool with_liquid,
            const TrackedSolids<Real>& solids = {});

  const NodeField<Real>& signed_distance() const { return phi_; }
  const MarkerParticles<Dim>& particles() const { return particles_; }

  void save(std::vector<SavedArray>& arrays, std::vector<SavedNumber>& numbers) const;
  void restore(const Mesh<Dim>& mesh, const std::vector<SavedArray>& arrays,
               const std::vector<SavedNumber>& numbers);
  std::size_t bytes() const;

 private:
  void begin(const Mesh<Dim>& mesh, const TrackedSolids<Real>& solids);
  void repair(const Mesh<Dim>& mesh, const TrackedSolids<Real>& solids, TrackerReport& report);
  void redistance(const Mesh<Dim>& mesh, const TrackedSolids<Real>& solids);
  void reseed_filled(const Mesh<Dim>& mesh, const TrackedSolids<Real>& solids);
  void correct(const Mesh<Dim>& mesh, TrackerReport& report);

  ParticleLevelSetParameters parameters_;
  NodeField<Real> phi_;
  MarkerParticles<Dim> particles_;
  Advection<Dim, Real> advection_;
  SignedDistance<Dim, Real> redistance_;
  SolidContinuation<Dim, Real> continuation_;
  std::uint32_t steps_ = 0;
};

template <int Dim, class Real>
template <class Distance>
void ParticleLevelSet<Dim, Real>::start(const Mesh<Dim>& mesh, const Distance& distance,
                                        const TrackedSolids<Real>& solids) {
  phi_.resize(mesh);
  const MeshView<Dim> m = mesh.view();
  const View<Real> phi = phi_.view();
  parallel_for("sample distance", phi.size(), [=, &distance](std::size_t i) {
    phi[i] = static_cast<Real>(distance(m.position(NodeId(i))));
  });
  begin(mesh, solids);
}

template <int Dim, class Real>
template <class Distance>
void ParticleLevelSet<Dim, Real>::fill(const Mesh<Dim>& mesh, const Distance& distance,
                                       bool with_liquid, const TrackedSolids<Real>& solids) {
  OCTAVO_CHECK(phi_.belongs_to(mesh));
  const MeshView<Dim> m = mesh.view();
  const View<Real> phi = phi_.view();
  parallel_for("fill with liquid", phi.size(), [=, &distance](std::size_t i) {
    const auto d = static_cast<Real>(distance(m.position(NodeId(i))));
    phi[i] = with_liquid ? std::min(phi[i], d) : std::max(phi[i], -d);
  });
  constrain(mesh, phi_);
  particles_.remove(mesh, [&](bool in_liquid, const Vec<Dim>& x) {
    return in_liquid != with_liquid && distance(x) < 0;
  });
  reseed_filled(mesh, solids);
}

template <int Dim, class Real>
template <class Obstacles>
TrackerReport ParticleLevelSet<Dim, Real>::advance(
    const Characteristics<Dim, Real, Obstacles>& paths, const MeshChange<Dim>& change,
    const TrackedSolids<Real>& solids) {
  OCTAVO_CHECK(phi_.belongs_to(change.from));
  TrackerReport report;
  Stopwatch watch;
  const std::size_t before = particles_.size();
  particles_.advect(paths, change.to);
  report.gone = before - particles_.size();
  report.seconds.particles = watch.seconds();

  // What comes in through open walls is air: the surface stands right behind the wall then.
  watch = Stopwatch();
  const auto air =
      static_cast<Real>(change.to.tree().domain().size(change.to.tree().deepest_level()));
  advection_.fields(paths, change, {{&phi_, air}});
  report.seconds.level_set = watch.seconds();
  repair(change.to, solids, report);
  return report;
}

extern template class ParticleLevelSet<2, float>;
extern template class ParticleLevelSet<2, double>;
extern template class ParticleLevelSet<3, float>;
extern template class ParticleLevelSet<3, double>;

}  // namespace octavo
