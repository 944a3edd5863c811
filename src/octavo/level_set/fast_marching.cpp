#include "octavo/level_set/fast_marching.h"

#include <algorithm>

namespace octavo {

// One side of the surface, which reads and writes no distance of the other.
template <int Dim, class Real>
struct FastMarching<Dim, Real>::Side {
  NodeGraphView<Dim> graph;
  View<const Real> phi;
  View<double> distance;
  View<std::uint8_t> known;
  DistanceBand band;
  bool liquid;
  std::vector<Trial>& heap;

  bool is_here(NodeId node) const { return !node.is_none() && (phi[node] < 0) == liquid; }

  void run() {
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end());
      const Trial trial = heap.back();
      heap.pop_back();
      if (known[trial.node] != 0 || trial.distance > distance[trial.node]) continue;
      known[trial.node] = 1;
      try_neighbors(trial.node);
    }
  }

  void try_neighbors(NodeId node) {
    const NodeId* neighbor = graph.neighbors(node);
    for (std::size_t k = 0; k < NodeGraphView<Dim>::row_size; ++k)
      if (is_here(neighbor[k]) && known[neighbor[k]] == 0) try_node(neighbor[k]);
  }

  void try_node(NodeId node) {
    const double d = solve(node);
    if (!(d < distance[node]) || d > band.reach(graph.size(node))) return;
    distance[node] = d;
    heap.push_back({d, node});
    std::push_heap(heap.begin(), heap.end());
  }

  // Axes are taken in the order of their distances, as long as the next is not farther than the solution.
  double solve(NodeId node) const {
    std::array<std::pair<double, double>, Dim> upwind;
    std::size_t count = 0;
    const NodeId* neighbor = graph.neighbors(node);
    for (int a = 0; a < Dim; ++a) {
      double nearest = std::numeric_limits<double>::infinity(), h = 0;
      for (int side = 2 * a; side < 2 * a + 2; ++side) {
        const NodeId other = neighbor[side];
        if (!is_here(other) || known[other] == 0 || distance[other] >= nearest) continue;
        nearest = distance[other];
        h = std::abs(graph.way_to(node, static_cast<std::size_t>(side))[a]);
      }
      if (h > 0) upwind[count++] = {nearest, h};
    }
    std::sort(upwind.begin(), upwind.begin() + static_cast<std::ptrdiff_t>(count));
    double d = std::numeric_limits<double>::infinity(), a = 0, b = 0, c = -1;
    for (std::size_t k = 0; k < count && upwind[k].first < d; ++k) {
      const double w = 1 / (upwind[k].second * upwind[k].second);
      a += w;
      b += w * upwind[k].first;
      c += w * upwind[k].first * upwind[k].first;
      d = (b + std::sqrt(std::max(b * b - a * c, 0.0))) / a;
    }
    return d;
  }
};

template <int Dim, class Real>
void FastMarching<Dim, Real>::march(const NodeGraphView<Dim>& graph,
                                    const SurfacePatchesView<Dim, Real>& patches,
                                    View<const Real> phi, const DistanceBand& band) {
  const std::size_t n = graph.mesh.node_count();
  distance_.resize(n);
  known_.resize(n);
  const View<double> distance = distance_.view();
  const View<std::uint8_t> known = known_.view();
  parallel_for("forget distances", n, [=](std::size_t i) {
    distance[i] = std::numeric_limits<double>::infinity();
    known[i] = 0;
    graph.neighbors(NodeId(i));
  });
  parallel_for("distances of patches", patches.node.size(), [=](std::size_t i) {
    if (patches.has_patch[i] == 0) return;
    const NodeId node = patches.node[i];
    distance[node] = length(graph.mesh.position(node) - patches.patch[i].foot);
    known[node] = 1;
  });
  parallel_blocks(
      "march", 2,
      [&](std::size_t block, std::size_t, std::size_t) {
        heap_[block].clear();
        Side side{graph, phi, distance, known, band, block == 0, heap_[block]};
        for (std::size_t i = 0; i < patches.node.size(); ++i)
          if (patches.has_patch[i] != 0 && side.is_here(patches.node[i]))
            side.try_neighbors(patches.node[i]);
        side.run();
      },
      std::size_t{1});
}

template class FastMarching<2, float>;
template class FastMarching<2, double>;
template class FastMarching<3, float>;
template class FastMarching<3, double>;

}  // namespace octavo
