#include "octavo/surface/marker_particles.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace octavo {
namespace {

// What a particle is decides where it stands among those of its leaf.
template <int Dim>
bool stands_before(const MarkerParticle<Dim>& p, const MarkerParticle<Dim>& q) {
  for (int a = 0; a < Dim; ++a)
    if (p.local[a] != q.local[a]) return p.local[a] < q.local[a];
  return p.signed_radius < q.signed_radius;
}

template <class T>
T add(T& sum, T value) {
  return std::atomic_ref<T>(sum).fetch_add(value, std::memory_order_relaxed);
}

// This leaves particles where they are.
template <int Dim>
struct NoMover {
  void enter(LeafId) const {}
  bool move(const Vec<Dim, float>&, Vec<Dim>&) const { return true; }
};

}  // namespace

template <int Dim>
void MarkerParticles<Dim>::make_room(std::size_t arrivals) {
  if (arrivals > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw SimulationError("{} marker particles are too many", arrivals);
  moved_.resize(arrivals);
  leaf_of_.resize(arrivals);
}

// Threads count and place particles in any order. What they make of each leaf is the same set, which is sorted then.
template <int Dim>
void MarkerParticles<Dim>::sort_into_leaves(std::size_t leaf_count) {
  leaf_begin_.resize(leaf_count + 1);
  cursor_.resize(leaf_count + 1);
  const View<std::int32_t> begin = leaf_begin_.view(), cursor = cursor_.view();
  parallel_for("sort markers", begin.size(), [=](std::size_t i) { begin[i] = 0; });
  const View<const LeafId> leaf_of = std::as_const(leaf_of_).view();
  parallel_for("sort markers", leaf_of.size(), [=](std::size_t i) {
    if (leaf_of[i].is_here()) add(begin[leaf_of[i]], 1);
  });
  particles_.resize(exclusive_scan("sort markers", begin));
  parallel_for("sort markers", begin.size(), [=](std::size_t i) { cursor[i] = begin[i]; });
  const View<const MarkerParticle<Dim>> moved = std::as_const(moved_).view();
  const View<MarkerParticle<Dim>> sorted = particles_.view();
  parallel_for("sort markers", leaf_of.size(), [=](std::size_t i) {
    if (leaf_of[i].is_here())
      sorted[static_cast<std::size_t>(add(cursor[leaf_of[i]], 1))] = moved[i];
  });
  parallel_for("sort markers", leaf_count, [=](std::size_t l) {
    std::sort(sorted.begin() + begin[l], sorted.begin() + begin[l + 1], stands_before<Dim>);
  });
}

template <int Dim>
void MarkerParticles<Dim>::rehouse(const Mesh<Dim>& from, const Mesh<Dim>& to) {
  move("rehouse markers", from.view(), to.view(), [] { return NoMover<Dim>(); });
}

template <int Dim>
void MarkerParticles<Dim>::restore(const Mesh<Dim>& mesh, View<const float> particles,
                                   View<const std::int32_t> begin) {
  const std::size_t count = particles.size() / (Dim + 1);
  bool sound = particles.size() % (Dim + 1) == 0 && begin.size() == mesh.leaf_count() + 1 &&
               begin[0] == 0 && begin[mesh.leaf_count()] == static_cast<std::int64_t>(count);
  for (std::size_t l = 0; sound && l + 1 < begin.size(); ++l) sound = begin[l] <= begin[l + 1];
  for (std::size_t i = 0; sound && i < particles.size(); ++i)
    sound = i % (Dim + 1) < Dim ? particles[i] >= 0 && particles[i] <= 1
                                : std::isfinite(particles[i]) && particles[i] != 0;
  if (!sound) throw InputError("the saved marker particles make no sense");
  particles_.resize(count);
  leaf_begin_.resize(begin.size());
  std::copy(begin.begin(), begin.end(), leaf_begin_.begin());
  if (count > 0)
    std::memcpy(particles_.begin(), particles.begin(), count * sizeof(MarkerParticle<Dim>));
}

template class MarkerParticles<2>;
template class MarkerParticles<3>;

}  // namespace octavo
