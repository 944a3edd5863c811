#include "octavo/level_set/nearest_patches.h"

namespace octavo {
namespace {

enum Activity : std::uint8_t { idle, unchanged, changed };

// This is what a node compares its neighbours' patches by.
template <int Dim, class Real>
struct PatchChoice {
  static constexpr double worthwhile = 0.1;
  static constexpr std::size_t row_size = NodeGraphView<Dim>::row_size;

  NodeGraphView<Dim> graph;
  SurfacePatchesView<Dim, Real> patches;
  View<const Real> phi;
  View<const PatchId> patch;
  DistanceBand band;

  PatchId nearest(NodeId node) const {
    const NodeId* neighbor = graph.neighbors(node);
    const Vec<Dim> x = graph.mesh.position(node);
    const bool liquid = phi[node] < 0;
    const PatchId before = patch[node];
    const double now =
        before.is_none() ? std::numeric_limits<double>::infinity() : distance2(x, before);
    PatchId best = before;
    double least = now;
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
    if (best == before) return before;
    const double size = static_cast<double>(patches.patch[best.place()].size);
    const double distance = std::sqrt(least);
    if (!(std::sqrt(now) - distance > worthwhile * size)) return before;
    const double reach = band.reach(std::max(size, graph.size(node))) + 2 * size;
    return distance <= reach ? best : best.beyond();
  }

  // Neighbours that have this patch, or one of their own, would learn nothing.
  void activate_neighbors(const Marks& active, NodeId node, PatchId taken) const {
    const NodeId* neighbor = graph.neighbors(node);
    for (std::size_t k = 0; k < row_size; ++k) {
      if (neighbor[k].is_none()) continue;
      const PatchId p = patch[neighbor[k]];
      if (!p.is_own() && !p.is_same(taken)) active.set(neighbor[k], unchanged);
    }
  }

 private:
  double distance2(const Vec<Dim>& x, PatchId p) const {
    const Vec<Dim> v = x - patches.patch[p.place()].foot;
    return dot(v, v);
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
  active_.resize(n);
  next_.resize(n);
  const View<PatchId> patch = patch_.view();
  const View<std::uint8_t> active = active_.view(), next = next_.view();
  parallel_for("forget patches", n, [=](std::size_t i) {
    patch[i] = PatchId{};
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
  const PatchChoice<Dim, Real> choice{graph, patches, phi, patch, band};
  const Marks first{active_.view()};
  parallel_for("look around patches", patches.node.size(), [=](std::size_t i) {
    const NodeId node = patches.node[i];
    if (patches.has_patch[i] != 0) choice.activate_neighbors(first, node, patch[node]);
  });

  Spread result;
  for (std::size_t visits = 1; visits > 0; ++result.rounds) {
    const View<std::uint8_t> active = active_.view();
    visits = parallel_reduce(
        "choose patches", n, std::size_t{0},
        [=](std::size_t i) -> std::size_t {
          if (active[i] == idle) return 0;
          better[i] = choice.nearest(NodeId(i));
          return 1;
        },
        [](std::size_t p, std::size_t q) { return p + q; });
    parallel_for("take patches", n, [=](std::size_t i) {
      if (active[i] == idle) return;
      active[i] = better[i] == patch[i] ? unchanged : changed;
      patch[i] = better[i];
    });

    // Who is told depends on what its neighbours have in the end, not on which thread comes first.
    const Marks next{next_.view()};
    parallel_for("tell neighbours of patches", n, [=](std::size_t i) {
      if (active[i] == changed && patch[i].is_lent())
        choice.activate_neighbors(next, NodeId(i), patch[i]);
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
