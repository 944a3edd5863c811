#include "octavo/level_set/nearest_patches.h"

namespace octavo {
namespace {

enum Activity : std::uint8_t { idle, unchanged, changed };

struct Nearest {
  PatchId patch;
  float distance;
};

// This is what a node compares its neighbours' patches by.
template <int Dim, class Real>
struct PatchChoice {
  static constexpr float worthwhile = 0.1f;
  static constexpr std::size_t row_size = NodeGraphView<Dim>::row_size;

  NodeGraphView<Dim> graph;
  SurfacePatchesView<Dim, Real> patches;
  View<const Real> phi;
  View<const PatchId> patch;
  View<const float> distance;  // to the foot of the patch, infinite without one
  DistanceBand band;

  Nearest nearest(NodeId node) const {
    const NodeId* neighbor = graph.neighbors(node);
    const Vec<Dim> x = graph.mesh.position(node);
    const bool liquid = phi[node] < 0;
    const Nearest before{patch[node], distance[node]};
    PatchId best = before.patch;
    double least = square(before.distance);
    for (std::size_t k = 0; k < row_size; ++k) {
      if (neighbor[k].is_none()) continue;
      const PatchId p = patch[neighbor[k]];
      if (!p.is_lent() || p.is_liquid() != liquid || p.is_same(best)) continue;
      const double d2 = distance2(x, p);
      if (d2 < least || (d2 == least && p.place() < best.place())) {
        least = d2;
        best = p.lent();
      }
    }
    if (best == before.patch || !is_worthwhile(best, before.distance, least)) return before;
    const double size = static_cast<double>(patches.patch[best.place()].size);
    const double reach = band.reach(std::max(size, graph.size(node))) + 2 * size;
    const double there = std::sqrt(least);
    return {there <= reach ? best : best.beyond(), static_cast<float>(there)};
  }

  // Only those neighbours hear of a patch who may want it.
  void tell_neighbors(const Marks& active, NodeId node) const {
    const NodeId* neighbor = graph.neighbors(node);
    const PatchId told = patch[node];
    const Vec<Dim> x = graph.mesh.position(node);
    for (std::size_t k = 0; k < row_size; ++k) {
      if (neighbor[k].is_none()) continue;
      const PatchId p = patch[neighbor[k]];
      if (p.is_own() || p.is_same(told)) continue;
      if (p.is_none() ||
          is_worthwhile(told, distance[neighbor[k]], distance2(x + graph.way_to(node, k), told)))
        active.set(neighbor[k], unchanged);
    }
  }

 private:
  static double square(float x) { return static_cast<double>(x) * static_cast<double>(x); }
  double distance2(const Vec<Dim>& x, PatchId p) const {
    const Vec<Dim> v = x - patches.patch[p.place()].foot;
    return dot(v, v);
  }
  bool is_worthwhile(PatchId p, float before, double after2) const {
    const float most = before - worthwhile * static_cast<float>(patches.patch[p.place()].size);
    return most > 0 && after2 < square(most);
  }
};

}  // namespace

template <int Dim, class Real>
void NearestPatches<Dim, Real>::begin(const NodeGraphView<Dim>& graph,
                                      const SurfacePatchesView<Dim, Real>& patches,
                                      View<const Real> phi) {
  const std::size_t n = graph.mesh.node_count();
  patch_.resize(n);
  better_.resize(n);
  distance_.resize(n);
  shorter_.resize(n);
  active_.resize(n);
  next_.resize(n);
  const View<PatchId> patch = patch_.view();
  const View<float> distance = distance_.view();
  const View<std::uint8_t> active = active_.view(), next = next_.view();
  parallel_for("forget patches", n, [=](std::size_t i) {
    patch[i] = PatchId{};
    distance[i] = std::numeric_limits<float>::infinity();
    active[i] = next[i] = idle;
  });
  parallel_for("begin with patches", patches.node.size(), [=](std::size_t i) {
    const NodeId node = patches.node[i];
    if (patches.has_patch[i] != 0) patch[node] = PatchId::own(i, phi[node] < 0);
  });
}

template <int Dim, class Real>
typename NearestPatches<Dim, Real>::Spread NearestPatches<Dim, Real>::spread(
    const NodeGraphView<Dim>& graph, const SurfacePatchesView<Dim, Real>& patches,
    View<const Real> phi, const DistanceBand& band) {
  begin(graph, patches, phi);
  const std::size_t n = graph.mesh.node_count();
  const View<PatchId> patch = patch_.view(), better = better_.view();
  const View<float> distance = distance_.view(), shorter = shorter_.view();
  const PatchChoice<Dim, Real> choice{graph, patches, phi, patch, distance, band};
  const Marks first{active_.view()};
  parallel_for("look around patches", patches.node.size(), [=](std::size_t i) {
    const NodeId node = patches.node[i];
    if (patches.has_patch[i] != 0) choice.tell_neighbors(first, node);
  });

  Spread result;
  for (std::size_t visits = 1; visits > 0; ++result.rounds) {
    const View<std::uint8_t> active = active_.view();
    visits = parallel_reduce(
        "choose patches", n, std::size_t{0},
        [=](std::size_t i) -> std::size_t {
          if (active[i] == idle) return 0;
          const Nearest nearest = choice.nearest(NodeId(i));
          better[i] = nearest.patch;
          shorter[i] = nearest.distance;
          return 1;
        },
        [](std::size_t p, std::size_t q) { return p + q; });
    parallel_for("take patches", n, [=](std::size_t i) {
      if (active[i] == idle) return;
      active[i] = better[i] == patch[i] ? unchanged : changed;
      patch[i] = better[i];
      distance[i] = shorter[i];
    });

    // Who is told depends on what its neighbours have in the end, not on which thread comes first.
    const Marks next{next_.view()};
    parallel_for("tell neighbours of patches", n, [=](std::size_t i) {
      if (active[i] == changed && patch[i].is_lent()) choice.tell_neighbors(next, NodeId(i));
      active[i] = idle;
    });
    active_.swap(next_);
    result.visits += visits;
  }
  return result;
}

template class NearestPatches<2, float>;
template class NearestPatches<2, double>;
template class NearestPatches<3, float>;
template class NearestPatches<3, double>;

}  // namespace octavo
