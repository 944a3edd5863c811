#include <algorithm>

#include "octavo/mesh/hanging_nodes.h"
#include "octavo/surface/leaf_level_set.h"
#include "octavo/surface/marker_particles.h"

namespace octavo {
namespace {

// The spheres of the escaped particles of one leaf, at its corners.
template <int Dim>
struct Spheres {
  static constexpr float far = 1e30F;
  int escaped = 0;
  float plus[child_count<Dim>], minus[child_count<Dim>];

  Spheres() {
    std::fill_n(plus, child_count<Dim>, -far);
    std::fill_n(minus, child_count<Dim>, far);
  }

  void add(const MarkerParticle<Dim>& particle, float leaf_size) {
    ++escaped;
    for (int c = 0; c < child_count<Dim>; ++c) {
      float square = 0;
      for (int a = 0; a < Dim; ++a) {
        const float d = particle.local[a] - static_cast<float>((c >> a) & 1);
        square += d * d;
      }
      const float inside = particle.radius() - leaf_size * std::sqrt(square);
      if (particle.signed_radius < 0)
        minus[c] = std::min(minus[c], -inside);
      else
        plus[c] = std::max(plus[c], inside);
    }
  }
  template <class Real>
  bool say_more_than(Real phi, int corner) const {
    return static_cast<Real>(plus[corner]) > phi || static_cast<Real>(minus[corner]) < phi;
  }
};

template <int Dim, class Real>
Spheres<Dim> spheres(const LeafLevelSet<Dim, Real>& in_leaf, const MarkerParticle<Dim>* first,
                     const MarkerParticle<Dim>* last) {
  Spheres<Dim> all;
  for (; first != last; ++first)
    if (first->is_escaped(in_leaf.value(first->local)))
      all.add(*first, static_cast<float>(in_leaf.size));
  return all;
}

}  // namespace

template <int Dim>
template <class Real>
MarkerCorrection MarkerParticles<Dim>::correct(const Mesh<Dim>& mesh, NodeField<Real>& phi) {
  OCTAVO_CHECK(phi.belongs_to(mesh));
  MarkerCorrection done;
  if (size() == 0) return done;
  OCTAVO_CHECK(leaf_begin_.size() == mesh.leaf_count() + 1);
  const MeshView<Dim> m = mesh.view();
  const View<const MarkerParticle<Dim>> particle = particles();
  const View<const std::int32_t> begin = leaf_begin();
  const View<Real> value = phi.view();
  auto spheres_of = [=](std::size_t l) {
    return spheres(LeafLevelSet<Dim, Real>(m, value, LeafId(l)), particle.begin() + begin[l],
                   particle.begin() + begin[l + 1]);
  };

  // Leaves first count the corners of which their particles know more than the level set, then say what they know.
  cursor_.resize(mesh.leaf_count());
  const View<std::int32_t> entry_begin = cursor_.view();
  done.escaped = parallel_reduce(
      "find escaped markers", mesh.leaf_count(), std::size_t{0},
      [=](std::size_t l) {
        entry_begin[l] = 0;
        if (begin[l] == begin[l + 1]) return std::size_t{0};
        const Spheres<Dim> s = spheres_of(l);
        if (s.escaped == 0) return std::size_t{0};
        for (int c = 0; c < child_count<Dim>; ++c)
          if (s.say_more_than(value[m.node(LeafId(l), c)], c)) ++entry_begin[l];
        return static_cast<std::size_t>(s.escaped);
      },
      std::plus<>());
  if (done.escaped == 0) return done;
  entries_.resize(exclusive_scan("number corrections", entry_begin));
  const View<Entry> entry = entries_.view();
  parallel_for("list corrections", mesh.leaf_count(), [=](std::size_t l) {
    auto next = static_cast<std::size_t>(entry_begin[l]);
    const std::size_t end =
        l + 1 < entry_begin.size() ? static_cast<std::size_t>(entry_begin[l + 1]) : entry.size();
    if (next == end) return;
    const Spheres<Dim> s = spheres_of(l);
    for (int c = 0; c < child_count<Dim>; ++c) {
      const NodeId node = m.node(LeafId(l), c);
      if (s.say_more_than(value[node], c)) entry[next++] = {node, s.plus[c], s.minus[c]};
    }
  });

  // What all leaves around a node know stands together after sorting, and the first of it acts for all.
  parallel_sort("sort corrections", entry,
                [](const Entry& p, const Entry& q) { return p.node.value < q.node.value; });
  done.nodes = parallel_reduce(
      "correct level set", entry.size(), std::size_t{0},
      [=](std::size_t i) {
        const NodeId node = entry[i].node;
        if (i > 0 && entry[i - 1].node.value == node.value) return std::size_t{0};
        Real plus = value[node], minus = plus;
        for (std::size_t j = i; j < entry.size() && entry[j].node.value == node.value; ++j) {
          plus = std::max(plus, static_cast<Real>(entry[j].plus));
          minus = std::min(minus, static_cast<Real>(entry[j].minus));
        }
        value[node] = std::abs(plus) <= std::abs(minus) ? plus : minus;
        return std::size_t{1};
      },
      std::plus<>());
  constrain(mesh, phi);
  return done;
}

template <int Dim>
template <class Real>
void MarkerParticles<Dim>::adjust_radii(const Mesh<Dim>& mesh, const NodeField<Real>& phi) {
  OCTAVO_CHECK(phi.belongs_to(mesh));
  if (size() == 0) return;
  const MeshView<Dim> m = mesh.view();
  const View<MarkerParticle<Dim>> particle = particles_.view();
  const View<const std::int32_t> begin = leaf_begin();
  const View<const Real> value = phi.view();
  const MarkerRules rules = rules_;
  parallel_for("adjust marker radii", mesh.leaf_count(), [=](std::size_t l) {
    if (begin[l] == begin[l + 1]) return;
    const LeafLevelSet<Dim, Real> in_leaf(m, value, LeafId(l));
    const auto least = static_cast<float>(rules.least_radius * in_leaf.size),
               largest = static_cast<float>(rules.largest_radius * in_leaf.size);
    for (std::int32_t i = begin[l]; i < begin[l + 1]; ++i) {
      MarkerParticle<Dim>& p = particle[static_cast<std::size_t>(i)];
      const float s = p.sign(), depth = s * static_cast<float>(in_leaf.value(p.local));
      const float radius =
          depth > 0 ? std::clamp(depth, least, largest) : std::min(p.radius(), least);
      p.signed_radius = s * radius;
    }
  });
}

#define OCTAVO_INSTANTIATE(Dim, Real)                                                          \
  template MarkerCorrection MarkerParticles<Dim>::correct(const Mesh<Dim>&, NodeField<Real>&); \
  template void MarkerParticles<Dim>::adjust_radii(const Mesh<Dim>&, const NodeField<Real>&);
OCTAVO_INSTANTIATE(2, float)
OCTAVO_INSTANTIATE(2, double)
OCTAVO_INSTANTIATE(3, float)
OCTAVO_INSTANTIATE(3, double)
#undef OCTAVO_INSTANTIATE

}  // namespace octavo
