#include "octavo/level_set/surface_patches.h"

namespace octavo {
namespace {

enum Nearness : std::uint8_t { far_away, at_cut_leaf, beside_cut_leaf };

}  // namespace

// The corners of cut leaves are near, and the corners of leaves that have one of these.
template <int Dim, class Real>
void SurfacePatches<Dim, Real>::mark_near_nodes(const MeshView<Dim>& mesh, View<const Real> phi) {
  near_.resize(mesh.node_count());
  leaf_at_surface_.resize(mesh.leaf_count());
  const Marks near{near_.view()};
  const View<std::uint8_t> at_surface = leaf_at_surface_.view();
  parallel_for("forget near nodes", mesh.node_count(),
               [=](std::size_t i) { near.byte[i] = far_away; });
  parallel_for("find cut leaves", mesh.leaf_count(), [=](std::size_t i) {
    Real least = std::numeric_limits<Real>::max(), most = -least, nearest = least;
    for (int c = 0; c < child_count<Dim>; ++c) {
      const Real value = phi[mesh.node(LeafId(i), c)];
      least = std::min(least, value);
      most = std::max(most, value);
      nearest = std::min(nearest, std::abs(value));
    }
    const bool cut = least < 0 && most >= 0;
    at_surface[i] = cut || 16 * nearest <= most - least ? 1 : 0;
    if (!cut) return;
    for (int c = 0; c < child_count<Dim>; ++c) near.set(mesh.node(LeafId(i), c), at_cut_leaf);
  });
  parallel_for("widen cut leaves", mesh.leaf_count(), [=](std::size_t i) {
    int touched = 0;
    for (int c = 0; c < child_count<Dim>; ++c)
      touched += near[mesh.node(LeafId(i), c)] == at_cut_leaf;
    if (touched == 0 || touched == child_count<Dim>) return;
    for (int c = 0; c < child_count<Dim>; ++c) {
      const NodeId node = mesh.node(LeafId(i), c);
      if (near[node] == far_away) near.set(node, beside_cut_leaf);
    }
  });
}

template <int Dim, class Real>
void SurfacePatches<Dim, Real>::number_near_nodes(std::size_t node_count) {
  place_.resize(node_count);
  const View<std::uint32_t> place = place_.view();
  const View<const std::uint8_t> near = near_.view();
  parallel_for("count near nodes", node_count,
               [=](std::size_t i) { place[i] = near[i] != far_away ? 1 : 0; });
  node_.resize(exclusive_scan("number near nodes", place));
  const View<NodeId> node = node_.view();
  parallel_for("list near nodes", node_count, [=](std::size_t i) {
    if (near[i] != far_away)
      node[place[i]] = NodeId(i);
    else
      place[i] = NodeId::none_value;
  });
}

template <int Dim, class Real>
void SurfacePatches<Dim, Real>::build(const NodeGraphView<Dim>& graph, View<const Real> phi) {
  mark_near_nodes(graph.mesh, phi);
  number_near_nodes(graph.mesh.node_count());
  const std::size_t n = node_.size();
  slopes_.resize(n);
  patch_.resize(n);
  slack_.resize(n);
  has_patch_.resize(n);
  const View<NodeSlopes<Dim, Real>> slopes = slopes_.view();
  const View<SurfacePatch<Dim, Real>> patch = patch_.view();
  const View<Real> slack = slack_.view();
  const View<std::uint8_t> has_patch = has_patch_.view();
  const View<const NodeId> node = node_.view();
  const View<const std::uint8_t> near = near_.view();
  const QuadricFit<Dim, Real> fit{graph, phi, place_.view(), slopes_.view()};
  parallel_for("differences near the surface", n,
               [=](std::size_t i) { slopes[i] = fit.slopes_at(node[i]); });
  patch_count_ = parallel_reduce(
      "patches of the surface", n, std::size_t{0},
      [=](std::size_t i) {
        const bool has =
            near[node[i]] == at_cut_leaf && fit.make_patch(node[i], slopes[i], patch[i], slack[i]);
        has_patch[i] = has ? 1 : 0;
        return std::size_t{has};
      },
      [](std::size_t p, std::size_t q) { return p + q; });
}

template class SurfacePatches<2, float>;
template class SurfacePatches<2, double>;
template class SurfacePatches<3, float>;
template class SurfacePatches<3, double>;

}  // namespace octavo
