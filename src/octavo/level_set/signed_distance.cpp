#include "octavo/level_set/signed_distance.h"

#include "octavo/mesh/interpolate.h"
#include "octavo/operators/pressure_scheme.h"

namespace octavo {
namespace {

// A plane goes on beyond a wall, and so does what patches say there; elsewhere a patch ends where the surface does: at a
// corner of the liquid, or around a drop of one node, what is far to the side of the nearest patch is that much farther
// away. Which it is, is told by the leaf in which the patch believes the surface.
template <int Dim, class Real>
struct PatchDistance {
  static constexpr double half_width = 0.75;  // of a patch, in leaves

  OctreeView<Dim> tree;
  Box<Dim> box;
  SurfacePatchesView<Dim, Real> patches;

  // This is how far a point on one side of the surface (sign 1 in the air, -1 in the liquid) is from it. A patch from
  // which the point is on the other side knows no more than its foot.
  double operator()(const Vec<Dim>& x, double sign, std::uint32_t p) const {
    const SurfacePatch<Dim, Real>& patch = patches.patch[p];
    const auto d = patch.to(x);
    const double size = static_cast<double>(patch.size), to_foot = length(x - patch.foot);
    if (sign * d.value < -1e-3 * size) return to_foot;
    const double distance = std::max(sign * d.value, 0.0), excess = d.aside - half_width * size;
    if (excess <= 0) return distance;
    const bool goes_on = !box.contains(patch.foot) ||
                         patches.leaf_at_surface[tree.leaf_at(in_box(patch.foot, d.point))] != 0;
    return goes_on ? distance : std::min(std::sqrt(distance * distance + excess * excess), to_foot);
  }

  // This is the point itself, or where the way to it from a point inside leaves the box.
  Vec<Dim> in_box(const Vec<Dim>& from, const Vec<Dim>& to) const {
    double part = 1;
    for (int a = 0; a < Dim; ++a) {
      const double way = to[a] - from[a];
      if (to[a] < box.lo[a]) part = std::min(part, (box.lo[a] - from[a]) / way);
      if (to[a] > box.hi[a]) part = std::min(part, (box.hi[a] - from[a]) / way);
    }
    return from + (to - from) * part;
  }
};

// This is what nodes get that no distance is known of.
template <int Dim>
double distance_beyond(const NodeGraphView<Dim>& graph, const DistanceBand& band, NodeId node) {
  if (band.everywhere) return length(graph.mesh.tree.domain.box().size());
  return band.reach(graph.mesh.tree.size(graph.mesh.corner_of(node).leaf));
}

}  // namespace

DistanceScheme distance_scheme_named(std::string_view wanted) {
  return value_named<DistanceScheme>(distance_scheme_names, wanted, "scheme of signed distances");
}

template <int Dim, class Real>
std::size_t SignedDistance<Dim, Real>::measure_patches(const NodeGraphView<Dim>& graph,
                                                       View<Real> phi,
                                                       const DistanceBand& band) const {
  const View<const PatchId> nearest = nearest_.view();
  const PatchDistance<Dim, Real> measure{graph.mesh.tree, graph.mesh.tree.domain.box(),
                                         patches_.view()};
  return parallel_reduce(
      "measure distances", graph.mesh.node_count(), std::size_t{0},
      [=](std::size_t i) -> std::size_t {
        const double sign = phi[i] < 0 ? -1.0 : 1.0;
        if (nearest[i].is_none()) {
          phi[i] = static_cast<Real>(sign * distance_beyond(graph, band, NodeId(i)));
          return 0;
        }
        const std::uint32_t place = nearest[i].place();
        const double now = measure(graph.mesh.position(NodeId(i)), sign, place);
        if (nearest[i].is_own() && std::abs(now - sign * static_cast<double>(phi[i])) <=
                                       static_cast<double>(measure.patches.slack[place]))
          return 1;

        // Neither rounding nor a bad patch may put a node on the other side.
        const double size = static_cast<double>(measure.patches.patch[place].size);
        const double least = sign < 0 ? 1e-9 * size : 0.0;
        phi[i] = static_cast<Real>(sign * std::max(now, least));
        return 1;
      },
      [](std::size_t p, std::size_t q) { return p + q; });
}

template <int Dim, class Real>
std::size_t SignedDistance<Dim, Real>::take_marched(const NodeGraphView<Dim>& graph, View<Real> phi,
                                                    const DistanceBand& band) const {
  const View<const double> distance = marching_.view();
  return parallel_reduce(
      "take distances", graph.mesh.node_count(), std::size_t{0},
      [=](std::size_t i) -> std::size_t {
        const double sign = phi[i] < 0 ? -1.0 : 1.0;
        const bool known = std::isfinite(distance[i]);
        const double least = sign < 0 ? 1e-9 * graph.size(NodeId(i)) : 0.0;
        const double d = known ? distance[i] : distance_beyond(graph, band, NodeId(i));
        phi[i] = static_cast<Real>(sign * std::max(d, least));
        return known ? 1 : 0;
      },
      [](std::size_t p, std::size_t q) { return p + q; });
}

// The slope in the middle of a leaf is the mean of those along its edges.
template <int Dim, class Real>
double SignedDistance<Dim, Real>::slope_error(const MeshView<Dim>& mesh,
                                              View<const Real> phi) const {
  const View<const std::uint8_t> at_surface = patches_.view().leaf_at_surface;
  return parallel_max("slope error", mesh.leaf_count(), 0.0, [=](std::size_t i) {
    if (at_surface[i] == 0) return 0.0;
    const double size = mesh.tree.size(LeafId(i)) * side_child_count<Dim>;
    Vec<Dim> slope{};
    for (int c = 0; c < child_count<Dim>; ++c) {
      const double value = static_cast<double>(phi[mesh.node(LeafId(i), c)]) / size;
      for (int a = 0; a < Dim; ++a) slope[a] += (c >> a) & 1 ? value : -value;
    }
    return std::abs(length(slope) - 1);
  });
}

template <int Dim, class Real>
SignedDistanceReport SignedDistance<Dim, Real>::operator()(
    const Mesh<Dim>& mesh, NodeField<Real>& phi, const SignedDistanceParameters& parameters) {
  OCTAVO_CHECK(phi.belongs_to(mesh));
  parameters.band.check();
  const Stopwatch watch;
  SignedDistanceReport report;
  graph_.build(mesh);
  const NodeGraphView<Dim> graph = graph_.view(mesh);
  patches_.build(graph, phi.view());
  report.surface_nodes = patches_.patch_count();

  if (parameters.scheme == DistanceScheme::losasso04) {
    marching_.march(graph, patches_.view(), phi.view(), parameters.band);
    report.nodes = take_marched(graph, phi.view(), parameters.band);
  } else {
    const auto spread = nearest_.spread(graph, patches_.view(), phi.view(), parameters.band);
    report.rounds = spread.rounds;
    report.visits = spread.visits;
    report.nodes = measure_patches(graph, phi.view(), parameters.band);
  }
  constrain(mesh, phi);
  report.slope_error = slope_error(graph.mesh, phi.view());
  report.seconds = watch.seconds();
  return report;
}

template class SignedDistance<2, float>;
template class SignedDistance<2, double>;
template class SignedDistance<3, float>;
template class SignedDistance<3, double>;

}  // namespace octavo
