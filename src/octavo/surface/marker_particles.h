#pragma once

// Marker particles know on which side of a surface they are, and how far from it: those of the liquid (s = -1) and
// those of the air (s = +1). They are carried along the flow far more accurately than the level set phi, and repair it
// (Enright, Fedkiw, Ferziger, Mitchell 2002, "A hybrid particle level set method for improved interface capturing"):
//
//   escaped      s phi(x_p) < -r_p: the particle is on the wrong side by more than its radius
//   sphere       phi_p(x) = s (r_p - |x - x_p|), of each escaped particle, at the corners of the leaf that holds it
//   correction   phi+ = max(phi, phi_p over s = +1), phi- = min(phi, phi_p over s = -1),
//                phi  = |phi+| <= |phi-| ? phi+ : phi-
//   radius       r_p = s phi(x_p), between 0.05 and 0.5 leaves; of one on the wrong side no more than the least
//   seeding      at random places of all leaves with a corner nearer than 2 leaves, on the side where they happen to
//                be; those too near to the surface or too far are attracted to a random distance phi_goal,
//                x += lambda (phi_goal - phi(x)) grad phi / |grad phi|, lambda = 1, 1/2, ...
//   reseeding    fills leaves of the band, keeps in overfull ones those with the smallest s phi - r, takes away what
//                is outside of the band; but never an escaped one
//
//   MarkerParticles<3> markers(rules);
//   markers.reseed(mesh, phi, 0);
//   markers.advect(paths, next_mesh);     // along the flow, into the leaves of the next mesh
//   markers.correct(next_mesh, phi);      // phi on the nodes of the next mesh
//   markers.adjust_radii(next_mesh, phi);
//
// Particles are sorted by the leaf that holds them, within a leaf by their place in it; so they are the same for any
// number of threads, whichever of them arrives first. One takes 16 bytes in 3D, and 20 while it moves.

#include <cstdint>

#include "octavo/advection/predict_correct.h"
#include "octavo/mesh/field.h"
#include "octavo/surface/marker_rules.h"

namespace octavo {

template <int Dim>
struct MarkerParticle {
  Vec<Dim, float> local;  // where it is in its leaf, 0 to 1 along each axis
  float signed_radius;    // m; s r: below zero in the liquid

  float sign() const { return signed_radius < 0 ? -1.0F : 1.0F; }
  float radius() const { return std::abs(signed_radius); }
  // This tells whether it is on the wrong side, where the level set is phi, by more than its radius.
  bool is_escaped(double phi) const {
    const auto r = static_cast<double>(signed_radius);
    return r < 0 ? phi > -r : phi < -r;
  }
  friend bool operator==(const MarkerParticle&, const MarkerParticle&) = default;
};

// This is what particles have done to a level set.
struct MarkerCorrection {
  std::size_t escaped = 0;  // particles
  std::size_t nodes = 0;    // with another value than before
};

struct MarkerReseeding {
  std::size_t added = 0, deleted = 0;  // particles
};

template <int Dim>
class MarkerParticles {
 public:
  explicit MarkerParticles(const MarkerRules& rules = {}) : rules_(rules) { rules_.check(); }

  const MarkerRules& rules() const { return rules_; }
  std::size_t size() const { return particles_.size(); }
  std::size_t bytes() const {
    return particles_.bytes() + moved_.bytes() + leaf_begin_.bytes() + leaf_of_.bytes() +
           cursor_.bytes() + entries_.bytes();
  }

  View<const MarkerParticle<Dim>> particles() const { return particles_.view(); }
  // The particles of leaf i are [leaf_begin()[i], leaf_begin()[i + 1]).
  View<const std::int32_t> leaf_begin() const { return leaf_begin_.view(); }

  // Moves all particles along the paths by their dt, forward, into the leaves of a mesh. Paths end at closed walls and
  // solids; what passes an open wall is gone.
  template <class Real, class Obstacles>
  void advect(const Characteristics<Dim, Real, Obstacles>& paths, const Mesh<Dim>& to);

  // Puts the particles into the leaves of another mesh over the same box, where they are.
  void rehouse(const Mesh<Dim>& from, const Mesh<Dim>& to);

  // Takes away those for which gone(in_liquid, point) is true.
  template <class Gone>
  void remove(const Mesh<Dim>& mesh, Gone&& gone);

  // Corrects the level set on the nodes of the mesh in whose leaves the particles are.
  template <class Real>
  MarkerCorrection correct(const Mesh<Dim>& mesh, NodeField<Real>& phi);
  template <class Real>
  void adjust_radii(const Mesh<Dim>& mesh, const NodeField<Real>& phi);

  // No leaf with all corners inside of solids gets particles. `step` is a counter for the random numbers.
  template <class Real>
  MarkerReseeding reseed(const Mesh<Dim>& mesh, const NodeField<Real>& phi, std::uint32_t step,
                         View<const SolidMark> solid = {});

  // Takes particles as they were given by the views above, checked against the mesh; InputError if they make no sense.
  void restore(const Mesh<Dim>& mesh, View<const float> particles, View<const std::int32_t> begin);

 private:
  // An Entry is what the escaped particles of one leaf say of the level set at one of its corners.
  struct Entry {
    NodeId node;
    float plus, minus;
  };

  // A mover has enter(leaf) and move(local, x).
  template <class MakeMover>
  void move(const char* label, const MeshView<Dim>& from, const MeshView<Dim>& to,
            MakeMover&& make_mover);
  // These take what comes to leaves: moved_ and leaf_of_.
  void make_room(std::size_t arrivals);
  void sort_into_leaves(std::size_t leaf_count);

  MarkerRules rules_;
  Buffer<MarkerParticle<Dim>> particles_, moved_;
  Buffer<std::int32_t> leaf_begin_;
  Buffer<LeafId> leaf_of_;  // of each of moved_; none if it is gone
  Buffer<std::int32_t> cursor_;
  Buffer<Entry> entries_;
};

// A PathMover leads the particles of a leaf along paths, for one thread.
template <int Dim, class Real, class Obstacles>
class PathMover {
 public:
  explicit PathMover(const Characteristics<Dim, Real, Obstacles>& paths)
      : paths_(paths), tracer_(paths.tracer()) {}

  void enter(LeafId leaf) {
    for (int c = 0; c < child_count<Dim>; ++c)
      velocity_[c] = paths_.velocity[paths_.from.node(leaf, c)];
  }
  // This moves the particle at x, `local` in the leaf entered; the result is false if it is gone.
  bool move(const Vec<Dim, float>& local, Vec<Dim>& x) {
    const Vec<Dim, Real> u =
        multilinear<Dim>(local.template cast<Real>(), [&](int c) { return velocity_[c]; });
    x = tracer_.back(x, u, -paths_.dt);
    return !tracer_.is_outside(x);
  }

 private:
  const Characteristics<Dim, Real, Obstacles>& paths_;
  Tracer<Dim, Real, Obstacles> tracer_;
  Vec<Dim, Real> velocity_[child_count<Dim>];
};

template <int Dim>
template <class MakeMover>
void MarkerParticles<Dim>::move(const char* label, const MeshView<Dim>& from,
                                const MeshView<Dim>& to, MakeMover&& make_mover) {
  OCTAVO_CHECK(size() == 0 || leaf_begin_.size() == from.leaf_count() + 1);
  make_room(size());
  if (size() == 0) return sort_into_leaves(to.leaf_count());
  const View<const MarkerParticle<Dim>> before = particles();
  const View<const std::int32_t> begin = leaf_begin();
  const View<MarkerParticle<Dim>> after = moved_.view();
  const View<LeafId> leaf_of = leaf_of_.view();
  parallel_blocks(
      label, from.leaf_count(),
      [&](std::size_t, std::size_t first, std::size_t last) {
        auto mover = make_mover();
        Locator<Dim> in_to(to.tree);
        for (std::size_t l = first; l < last; ++l) {
          if (begin[l] == begin[l + 1]) continue;
          const LeafId leaf(l);
          const Vec<Dim> lo = from.tree.domain.position(from.tree.lo(leaf));
          const double h = from.tree.size(leaf);
          mover.enter(leaf);
          for (auto p = static_cast<std::size_t>(begin[l]);
               p < static_cast<std::size_t>(begin[l + 1]); ++p) {
            Vec<Dim> x = lo + before[p].local.template cast<double>() * h;
            leaf_of[p] = LeafId::none();
            if (!mover.move(before[p].local, x)) continue;
            const LeafPoint<Dim, float> at = in_to.template locate<float>(x);
            after[p] = {at.local, before[p].signed_radius};
            leaf_of[p] = at.leaf;
          }
        }
      },
      std::size_t{256});
  sort_into_leaves(to.leaf_count());
}

template <int Dim>
template <class Gone>
void MarkerParticles<Dim>::remove(const Mesh<Dim>& mesh, Gone&& gone) {
  make_room(size());
  if (size() == 0) return;
  const MeshView<Dim> m = mesh.view();
  const View<const MarkerParticle<Dim>> before = particles();
  const View<const std::int32_t> begin = leaf_begin();
  const View<MarkerParticle<Dim>> after = moved_.view();
  const View<LeafId> leaf_of = leaf_of_.view();
  parallel_for("remove markers", m.leaf_count(), [=, &gone](std::size_t l) {
    if (begin[l] == begin[l + 1]) return;
    const Vec<Dim> lo = m.tree.domain.position(m.tree.lo(LeafId(l)));
    const double h = m.tree.size(LeafId(l));
    for (auto p = static_cast<std::size_t>(begin[l]); p < static_cast<std::size_t>(begin[l + 1]);
         ++p) {
      after[p] = before[p];
      const Vec<Dim> x = lo + before[p].local.template cast<double>() * h;
      leaf_of[p] = gone(before[p].sign() < 0, x) ? LeafId::none() : LeafId(l);
    }
  });
  sort_into_leaves(m.leaf_count());
}

template <int Dim>
template <class Real, class Obstacles>
void MarkerParticles<Dim>::advect(const Characteristics<Dim, Real, Obstacles>& paths,
                                  const Mesh<Dim>& to) {
  move("advect markers", paths.from, to.view(),
       [&] { return PathMover<Dim, Real, Obstacles>(paths); });
}

extern template class MarkerParticles<2>;
extern template class MarkerParticles<3>;

}  // namespace octavo
