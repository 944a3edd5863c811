#include "octavo/level_set/solid_continuation.h"

#include <numbers>

#include "octavo/mesh/hanging_nodes.h"

namespace octavo {

template <int Dim, class Real>
struct SolidContinuation<Dim, Real>::Kernel {
  NodeGraphView<Dim> graph;
  View<const Real> depth;
  View<Real> phi;
  View<Vec<Dim>> slope;  // inside, of nodes reached
  View<std::uint8_t> known;
  std::optional<double> cosine;  // of the contact angle

  double depth_at(NodeId node) const { return static_cast<double>(depth[node]); }
  bool is_inside(NodeId node) const { return depth[node] > 0; }

  // The differences of a field along the axes, by the neighbours that count. Along an axis without any it is zero, and
  // the result says that not all are known.
  template <class Field, class Counts>
  bool differences(NodeId node, const Field& field, const Counts& counts, Vec<Dim>& result) const {
    const NodeId* neighbor = graph.neighbors(node);
    const double here = static_cast<double>(field[node]);
    bool all = true;
    for (int a = 0; a < Dim; ++a) {
      double rise = 0, run = 0;
      for (int end = 0; end < 2; ++end) {
        const NodeId other = neighbor[2 * a + end];
        if (other.is_none() || !counts(other)) continue;
        const double h = graph.way_to(node, static_cast<std::size_t>(2 * a + end))[a];

        // Of two slopes the one over the shorter way counts more, as a parabola through all three has it.
        const double w = 1 / std::abs(h);
        rise += w * (static_cast<double>(field[other]) - here) / h;
        run += w;
      }
      result[a] = run > 0 ? rise / run : 0.0;
      all = all && run > 0;
    }
    return all;
  }

  // The slope at a node outside: if it has no neighbour outside along some axis, that of its neighbours.
  bool slope_outside(NodeId node, Vec<Dim>& slope_there) const {
    auto is_outside = [this](NodeId other) { return !is_inside(other); };
    if (differences(node, phi, is_outside, slope_there)) return true;
    const NodeId* neighbor = graph.neighbors(node);
    Vec<Dim> sum{}, one{};
    int count = 0;
    for (std::size_t k = 0; k < NodeGraphView<Dim>::row_size; ++k)
      if (!neighbor[k].is_none() && is_outside(neighbor[k]) &&
          differences(neighbor[k], phi, is_outside, one)) {
        sum += one;
        ++count;
      }
    if (count > 0) slope_there = sum / count;
    return count > 0;
  }

  // The slope inside for one outside.
  Vec<Dim> turned(NodeId node, const Vec<Dim>& outside) const {
    if (!cosine) return outside;
    Vec<Dim> n{};
    differences(
        node, depth, [](NodeId) { return true; }, n);
    const double steep = length(n), g = length(outside);
    if (!(steep > 0)) return outside;
    n = n / -steep;
    const double across = dot(outside, n);
    return outside + n * (std::clamp(2 * g * *cosine - across, -g, g) - across);
  }

  bool reach(NodeId node, bool any) const {
    const NodeId* neighbor = graph.neighbors(node);
    Vec<Dim> slopes{};
    double values = 0, total = 0;
    for (std::size_t k = 0; k < NodeGraphView<Dim>::row_size; ++k) {
      const NodeId d = neighbor[k];
      if (d.is_none() || (is_inside(d) && known[d] == 0)) continue;
      const double deeper = depth_at(node) - depth_at(d);
      if (!any && deeper <= 0) continue;

      // The way from a node outside is in the air or the liquid as far as the solid's surface.
      Vec<Dim> before{}, after{};
      double part = 0;
      if (is_inside(d)) {
        after = slope[d];
      } else {
        if (!slope_outside(d, before) && !any) continue;
        after = turned(node, before);
        part = deeper > 0 ? -depth_at(d) / deeper : 0.0;
      }
      const Vec<Dim> way = -graph.way_to(node, k);
      const double w = (any ? 1.0 : deeper) / dot(way, way);
      values += w * (static_cast<double>(phi[d]) + dot(before * part + after * (1 - part), way));
      slopes += after * w;
      total += w;
    }
    if (total <= 0) return false;
    phi[node] = static_cast<Real>(values / total);
    slope[node] = slopes / total;
    known[node] = 1;
    return true;
  }
};

template <int Dim, class Real>
std::size_t SolidContinuation<Dim, Real>::operator()(
    const Mesh<Dim>& mesh, const NodeField<Real>& solid, NodeField<Real>& phi,
    const SolidContinuationParameters& parameters) {
  OCTAVO_CHECK(solid.belongs_to(mesh) && phi.belongs_to(mesh));
  parameters.band.check();
  const auto angle = parameters.contact_angle;
  if (angle && !(*angle >= 0 && *angle <= std::numbers::pi))
    throw InputError("a contact angle is from 0 to pi, not {}", *angle);

  graph_.build(mesh);
  const NodeGraphView<Dim> graph = graph_.view(mesh);
  const std::size_t n = mesh.node_count();
  depth_.resize(n);
  slope_.resize(n);
  known_.resize(n);
  const View<const Real> psi = solid.view();
  const View<Real> depth = depth_.view();
  const View<std::uint8_t> known = known_.view();
  parallel_for("depth in solids", n, [=](std::size_t i) {
    depth[i] = -psi[i];
    known[i] = 0;
  });
  const DistanceBand band = parameters.band;
  order_.build(graph, depth, [=](std::size_t i) {
    const double size = graph.mesh.tree.size(graph.mesh.corner_of(NodeId(i)).leaf);
    return depth[i] > 0 && static_cast<double>(depth[i]) <= band.reach(size);
  });
  std::optional<double> cosine;
  if (angle) cosine = std::cos(*angle);
  const Kernel kernel{graph, depth, phi.view(), slope_.view(), known, cosine};
  const auto reached = order_.sweep("level set in solids",
                                    [&](NodeId node, bool any) { return kernel.reach(node, any); });
  constrain(mesh, phi);
  return reached.count;
}

template class SolidContinuation<2, float>;
template class SolidContinuation<2, double>;
template class SolidContinuation<3, float>;
template class SolidContinuation<3, double>;

}  // namespace octavo
