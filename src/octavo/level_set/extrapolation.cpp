#include "octavo/level_set/extrapolation.h"

#include "octavo/level_set/marks.h"
#include "octavo/mesh/hanging_nodes.h"

namespace octavo {
namespace {

enum NodeState : std::uint8_t { unknown_node, wanted_node, known_node };

}  // namespace

// Nodes in the band are wanted, and those from which hanging nodes that are known or wanted are interpolated.
template <int Dim, class Real>
void Extrapolation<Dim, Real>::mark_states(const Mesh<Dim>& mesh, View<const Real> phi,
                                           View<const std::uint8_t> known,
                                           const DistanceBand& band) {
  const MeshView<Dim> m = mesh.view();
  state_.resize(m.node_count());
  const Marks state{state_.view()};
  constexpr double within = 1 - 1e-6;  // distances may end with the band, at just its width
  parallel_for("nodes that want a velocity", m.node_count(), [=](std::size_t i) {
    const double size = m.tree.size(m.corner_of(NodeId(i)).leaf);
    state.byte[i] = known[i] != 0                                             ? known_node
                    : static_cast<double>(phi[i]) < within * band.reach(size) ? wanted_node
                                                                              : unknown_node;
  });
  const View<const HangingNode<Dim>> hanging = m.hanging;
  for (int g = 0; g < Mesh<Dim>::hanging_groups; ++g) {
    const auto [first, last] = mesh.hanging_group(g);
    parallel_for("hanging nodes with velocity", last - first, [=, first = first](std::size_t i) {
      const HangingNode<Dim>& h = hanging[first + i];
      if (state[h.node] != known_node) return;
      for (const NodeId source : h.source)
        if (state[source] != known_node) state.set(h.node, wanted_node);
    });
  }
  for (int g = Mesh<Dim>::hanging_groups - 1; g >= 0; --g) {
    const auto [first, last] = mesh.hanging_group(g);
    parallel_for("sources of hanging nodes", last - first, [=, first = first](std::size_t i) {
      const HangingNode<Dim>& h = hanging[first + i];
      if (state[h.node] != wanted_node) return;
      for (const NodeId source : h.source)
        if (state[source] == unknown_node) state.set(source, wanted_node);
    });
  }
}

template <int Dim, class Real>
struct Extrapolation<Dim, Real>::Kernel {
  NodeGraphView<Dim> graph;
  View<const Real> phi;
  View<std::uint8_t> state;
  View<Vector> value;

  bool reach(NodeId node, bool any) const {
    const NodeId* neighbor = graph.neighbors(node);
    Vec<Dim> sum{};
    double total = 0;
    for (std::size_t k = 0; k < NodeGraphView<Dim>::row_size; ++k) {
      const NodeId d = neighbor[k];
      if (d.is_none() || state[d] != known_node) continue;
      const double nearer = static_cast<double>(phi[node]) - static_cast<double>(phi[d]);
      if (!any && nearer <= 0) continue;
      const Vec<Dim> way = graph.way_to(node, k);
      const double w = (any ? 1.0 : nearer) / dot(way, way);
      sum += value[d].template cast<double>() * w;
      total += w;
    }
    if (total <= 0) return false;
    value[node] = (sum / total).template cast<Real>();
    state[node] = known_node;
    return true;
  }
};

template <int Dim, class Real>
ExtrapolationReport Extrapolation<Dim, Real>::operator()(const Mesh<Dim>& mesh,
                                                         const NodeField<Real>& phi,
                                                         View<const std::uint8_t> known,
                                                         NodeField<Vector>& value,
                                                         const DistanceBand& band) {
  OCTAVO_CHECK(phi.belongs_to(mesh) && value.belongs_to(mesh));
  OCTAVO_CHECK(known.size() == mesh.node_count());
  band.check();
  graph_.build(mesh);
  const NodeGraphView<Dim> graph = graph_.view(mesh);
  mark_states(mesh, phi.view(), known, band);
  const View<const std::uint8_t> state = state_.view();
  order_.build(graph, phi.view(), [=](std::size_t i) { return state[i] == wanted_node; });
  const Kernel kernel{graph, phi.view(), state_.view(), value.view()};
  const auto reached =
      order_.sweep("extrapolate", [&](NodeId node, bool any) { return kernel.reach(node, any); });

  const View<Vector> v = value.view();
  const std::size_t all = parallel_reduce(
      "velocities of the rest", v.size(), std::size_t{0},
      [=](std::size_t i) -> std::size_t {
        if (state[i] == known_node) return 1;
        v[i] = Vector{};
        return 0;
      },
      [](std::size_t p, std::size_t q) { return p + q; });
  constrain(mesh, value);
  return {all - reached.count, reached.count, reached.deferred};
}

// A node is known if it is at a known face of every axis: then the mean of those is a velocity.
template <int Dim, class Real>
void Extrapolation<Dim, Real>::find_known_nodes(const Mesh<Dim>& mesh,
                                                View<const std::uint8_t> known_faces) {
  const MeshView<Dim> m = mesh.view();
  known_.resize(m.node_count());
  const View<std::uint8_t> axes = known_.view();
  parallel_for("forget known nodes", axes.size(), [=](std::size_t i) { axes[i] = 0; });
  parallel_for("nodes at known faces", m.leaf_count(), [=](std::size_t i) {
    int sides = 0;
    for (int side = 0; side < side_count<Dim>; ++side)
      if (known_faces[m.first_face(LeafId(i), side)] != 0) sides |= 1 << side;
    if (sides == 0) return;
    for (int c = 0; c < child_count<Dim>; ++c) {
      int found = 0;
      for (int a = 0; a < Dim; ++a) found |= (sides >> (2 * a + ((c >> a) & 1)) & 1) << a;
      const std::atomic_ref<std::uint8_t> all(axes[m.node(LeafId(i), c)]);
      if ((all.load(std::memory_order_relaxed) & found) != found)
        all.fetch_or(static_cast<std::uint8_t>(found), std::memory_order_relaxed);
    }
  });
  parallel_for("known nodes", axes.size(),
               [=](std::size_t i) { axes[i] = axes[i] == (1 << Dim) - 1 ? 1 : 0; });
}

template <int Dim, class Real>
ExtrapolationReport Extrapolation<Dim, Real>::operator()(const Mesh<Dim>& mesh,
                                                         const NodeField<Real>& phi,
                                                         View<const std::uint8_t> known,
                                                         FaceField<Real>& velocity,
                                                         const DistanceBand& band, bool shared) {
  OCTAVO_CHECK(velocity.belongs_to(mesh) && known.size() == mesh.face_count());
  weight_.resize(mesh);
  const View<Real> weight = weight_.view();
  parallel_for("known faces", weight.size(),
               [=](std::size_t f) { weight[f] = known[f] != 0 ? Real{1} : Real{0}; });
  nodal_velocity<Dim, Real>(mesh, velocity, nodal_, std::as_const(weight_).view());
  find_known_nodes(mesh, known);
  const auto report = (*this)(mesh, phi, std::as_const(known_).view(), nodal_, band);

  const MeshView<Dim> m = mesh.view();
  const View<Real> u = velocity.view();
  const View<const Vector> nodal = std::as_const(nodal_).view();
  parallel_for("velocities of faces in air", u.size(), [=](std::size_t i) {
    if (known[i] != 0) return;
    const FaceId face(i);
    auto [leaf, side] = m.finer(face);
    if (shared && m.is_part(face)) {
      const FaceLeaves leaves = m.face_leaf[face];
      leaf = side % 2 == 1 ? leaves.high : leaves.low;
      side ^= 1;
    }
    Real sum = 0;
    for (int c = 0; c < child_count<Dim>; ++c)
      if (((c >> (side / 2)) & 1) == side % 2) sum += nodal[m.node(leaf, c)][side / 2];
    u[i] = sum / static_cast<Real>(side_child_count<Dim>);
  });
  return report;
}

template <int Dim, class Real>
void mark_liquid_faces(const Mesh<Dim>& mesh, const FlowBoundary<Dim, Real>& boundary,
                       Buffer<std::uint8_t>& known, const PressureScheme& scheme) {
  const MeshView<Dim> m = mesh.view();
  const PressureFaces<Dim, Real> faces{m, boundary, scheme};
  boundary.check_sizes(m);
  known.resize(m.face_count());
  const View<std::uint8_t> mark = known.view();
  parallel_for("mark liquid faces", m.face_count(), [=](std::size_t i) {
    const FaceId first(i);
    if (!m.begins_large_face(first)) return;
    FaceId last = first;
    bool liquid = false;
    for (;; ++last.value) {
      const auto [low, high] = m.face_leaf[last];
      liquid = liquid || (low.is_here() && faces.is_liquid(low)) ||
               (high.is_here() && faces.is_liquid(high));
      if (m.ends_large_face(last)) break;
    }
    if (m.is_wall(first)) {
      const int side = 2 * m.axis(first) + (m.face_leaf[first].high.is_none() ? 1 : 0);
      liquid = liquid || !boundary.wall[static_cast<std::size_t>(side)].is_open;
    }
    for (FaceId face = first; face <= last; ++face.value) mark[face] = liquid ? 1 : 0;
  });
}

#define OCTAVO_INSTANTIATE(Dim, Real)                                               \
  template class Extrapolation<Dim, Real>;                                          \
  template void mark_liquid_faces(const Mesh<Dim>&, const FlowBoundary<Dim, Real>&, \
                                  Buffer<std::uint8_t>&, const PressureScheme&);
OCTAVO_INSTANTIATE(2, float)
OCTAVO_INSTANTIATE(2, double)
OCTAVO_INSTANTIATE(3, float)
OCTAVO_INSTANTIATE(3, double)
#undef OCTAVO_INSTANTIATE

}  // namespace octavo
