#include "octavo/level_set/surface_patches.h"

#include <limits>

namespace octavo {
namespace {

// A LimitedMean is the mean of the numbers that came, but not more than twice the least of them in magnitude, and zero
// if their signs differ or none came.
class LimitedMean {
 public:
  void add(double x) {
    least_ = std::min(least_, x);
    most_ = std::max(most_, x);
    sum_ += x;
    ++count_;
  }
  double value() const {
    if (count_ == 0 || (least_ <= 0 && most_ >= 0)) return 0;
    const double mean = sum_ / count_;
    return mean > 0 ? std::min(mean, 2 * least_) : std::max(mean, 2 * most_);
  }

 private:
  double least_ = std::numeric_limits<double>::infinity(), most_ = -least_, sum_ = 0;
  int count_ = 0;
};

// What differs from zero by rounding only is zero, so that planes are planes.
template <class Real>
double without_noise(double difference, double scale) {
  const double noise = 16 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * scale;
  return std::abs(difference) <= noise ? 0.0 : difference;
}

constexpr double side_sign(int side) { return side % 2 == 1 ? 1.0 : -1.0; }

}  // namespace

// The corners of cut leaves are near, and the corners of leaves that have one of these.
template <int Dim, class Real>
void SurfacePatches<Dim, Real>::mark_near_nodes(const MeshView<Dim>& mesh, View<const Real> phi) {
  near_.resize(mesh.node_count());
  leaf_at_surface_.resize(mesh.leaf_count());
  const Marks near{near_.view()};
  const View<std::uint8_t> at_surface = leaf_at_surface_.view();
  parallel_for("forget near nodes", mesh.node_count(), [=](std::size_t i) { near.byte[i] = 0; });
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
    for (int c = 0; c < child_count<Dim>; ++c) near.set(mesh.node(LeafId(i), c), 1);
  });
  parallel_for("widen cut leaves", mesh.leaf_count(), [=](std::size_t i) {
    int touched = 0;
    for (int c = 0; c < child_count<Dim>; ++c) touched += near[mesh.node(LeafId(i), c)] == 1;
    if (touched == 0 || touched == child_count<Dim>) return;
    for (int c = 0; c < child_count<Dim>; ++c) {
      const NodeId node = mesh.node(LeafId(i), c);
      if (near[node] == 0) near.set(node, 2);
    }
  });
}

template <int Dim, class Real>
void SurfacePatches<Dim, Real>::number_near_nodes(std::size_t node_count) {
  place_.resize(node_count);
  const View<std::uint32_t> place = place_.view();
  const View<const std::uint8_t> near = near_.view();
  parallel_for("count near nodes", node_count,
               [=](std::size_t i) { place[i] = near[i] != 0 ? 1 : 0; });
  node_.resize(exclusive_scan("number near nodes", place));
  const View<NodeId> node = node_.view();
  parallel_for("list near nodes", node_count, [=](std::size_t i) {
    if (near[i] != 0)
      node[place[i]] = NodeId(i);
    else
      place[i] = NodeId::none_value;
  });
}

template <int Dim, class Real>
struct SurfacePatches<Dim, Real>::Kernel {
  static constexpr Real regular_slack = static_cast<Real>(0.15),
                        irregular_slack = static_cast<Real>(0.0625);

  NodeGraphView<Dim> graph;
  View<const Real> phi;
  View<const std::uint32_t> place;
  View<const Slopes> slopes;

  double value(NodeId node) const { return static_cast<double>(phi[node]); }
  bool is_liquid(NodeId node) const { return phi[node] < 0; }
  double length(const Slopes& s, int side) const {
    return graph.mesh.tree.domain.size(s.level[static_cast<std::size_t>(side)]);
  }
  static NodeId end(const Slopes& s, int side) { return s.end[static_cast<std::size_t>(side)]; }

  Slopes slopes_at(NodeId node) const {
    const NodeEdges<Dim> edges(graph.mesh, node);
    graph.keep(node, edges);
    Slopes s{};
    s.hangs = edges.hangs;
    s.coarsest = static_cast<std::uint8_t>(edges.coarsest);
    for (std::size_t side = 0; side < side_count<Dim>; ++side) {
      s.end[side] = edges.farthest[side].end;
      s.level[side] = static_cast<std::uint8_t>(edges.farthest[side].level);
    }
    if (!s.hangs)
      for (int a = 0; a < Dim; ++a) take_differences(s, node, a);
    return s;
  }

  // Central ones are exact for quadratics whatever the two distances are.
  void take_differences(Slopes& s, NodeId node, int a) const {
    const NodeId low = end(s, 2 * a), high = end(s, 2 * a + 1);
    const double f = value(node);
    const double below = low.is_none() ? 0.0 : (f - value(low)) / length(s, 2 * a);
    const double above = high.is_none() ? 0.0 : (value(high) - f) / length(s, 2 * a + 1);
    if (low.is_none() || high.is_none()) {
      s.slope[a] = static_cast<Real>(low.is_none() ? above : below);
      return;
    }
    const double p = length(s, 2 * a), q = length(s, 2 * a + 1);
    const double largest = std::max({std::abs(f), std::abs(value(low)), std::abs(value(high))});
    s.has_second = static_cast<std::uint8_t>(s.has_second | 1 << a);
    s.slope[a] = static_cast<Real>((below * q + above * p) / (p + q));
    s.second[a] =
        static_cast<Real>(without_noise<Real>(2 * (above - below) / (p + q), largest / (p * q)));
  }

  // These are the differences at a neighbour, or nothing if it has none to lend.
  const Slopes* at_end(const Slopes& s, int side) const {
    const NodeId node = end(s, side);
    if (node.is_none() || place[node] == NodeId::none_value) return nullptr;
    const Slopes* other = &slopes[place[node]];
    return other->hangs ? nullptr : other;
  }
  void add_second(LimitedMean& mean, const Slopes* s, int a) const {
    if (s != nullptr && ((s->has_second >> a) & 1) != 0)
      mean.add(static_cast<double>(s->second[a]));
  }

  // This is how far along a side the level set, if linear, would be zero; infinite if its sign does not change.
  double linear_crossing(const Slopes& s, NodeId node, int side) const {
    const NodeId other = end(s, side);
    if (other.is_none() || is_liquid(other) == is_liquid(node))
      return std::numeric_limits<double>::infinity();
    return length(s, side) * value(node) / (value(node) - value(other));
  }

  struct Crossing {
    int side = -1;
    double distance = std::numeric_limits<double>::infinity();
  };

  // The quadric along one axis: towards the nearer change of sign if there is one.
  void fit_axis(Quadric<Dim>& q, Crossing& nearest, const Slopes& s, NodeId node, int a) const {
    const double low = linear_crossing(s, node, 2 * a);
    const double high = linear_crossing(s, node, 2 * a + 1);
    const bool crossed = std::isfinite(low) || std::isfinite(high);
    LimitedMean second;
    add_second(second, &s, a);
    if (!crossed && ((s.has_second >> a) & 1) != 0) {
      add_second(second, at_end(s, 2 * a), a);
      add_second(second, at_end(s, 2 * a + 1), a);
      q.second(a, a) = second.value();
      q.slope[a] = static_cast<double>(s.slope[a]);
      return;
    }
    const int side = (crossed ? high < low : end(s, 2 * a).is_none()) ? 2 * a + 1 : 2 * a;
    const double h = length(s, side), sign = side_sign(side);
    add_second(second, at_end(s, side), a);
    const double bend = second.value(), rise = value(end(s, side)) - value(node);
    q.second(a, a) = bend;
    q.slope[a] = sign * (rise / h - 0.5 * h * bend);
    if (!crossed) return;

    // The zero of f + b x + c x^2 on [0, h], which has a change of sign there.
    const double f = value(node), b = sign * q.slope[a], c = 0.5 * bend;
    const double root = std::sqrt(std::max(b * b - 4 * c * f, 0.0));
    const double below = b + (rise < 0 ? -root : root);
    const double x = below != 0 ? std::clamp(-2 * f / below, 0.0, h) : 0.0;
    if (x < nearest.distance) nearest = {side, x};
  }

  void fit_mixed(Quadric<Dim>& q, const Slopes& s, NodeId node, int a, int b) const {
    LimitedMean mean;
    const int axes[2] = {a, b};
    for (int k = 0; k < 2; ++k)
      for (int side = 2 * axes[k]; side < 2 * axes[k] + 2; ++side) {
        const Slopes* other = at_end(s, side);
        if (other == nullptr) continue;
        const int c = axes[1 - k];
        const double h = length(s, side);
        const double rise = static_cast<double>(other->slope[c]) - static_cast<double>(s.slope[c]);
        const double largest = std::max(std::abs(value(node)), std::abs(value(end(s, side))));
        mean.add(without_noise<Real>(side_sign(side) * rise / h, largest / (h * h)));
      }
    q.second(a, b) = mean.value();
  }

  // This makes the patch of a node and tells whether it has one.
  bool make_patch(NodeId node, const Slopes& s, SurfacePatch<Dim, Real>& patch, Real& slack) const {
    if (s.hangs) return false;
    Quadric<Dim> q{};
    q.value = value(node);
    Crossing nearest;
    for (int a = 0; a < Dim; ++a) fit_axis(q, nearest, s, node, a);
    if (nearest.side < 0) return false;
    for (int a = 0; a < Dim; ++a)
      for (int b = a + 1; b < Dim; ++b) fit_mixed(q, s, node, a, b);

    // The surface is at least as near as where an axis crosses it.
    Vec<Dim> crossing{};
    crossing[nearest.side / 2] = side_sign(nearest.side) * nearest.distance;
    const double slope2 = dot(q.slope, q.slope);
    Vec<Dim> start = slope2 > 0 ? q.slope * (-q.value / slope2) : crossing;
    if (!(octavo::length(start) <= nearest.distance)) start = crossing;
    Vec<Dim> foot = q.nearest_zero(start);
    const double rounding = 1e-6 * graph.mesh.tree.domain.size(s.coarsest);
    if (!(octavo::length(foot) <= nearest.distance + rounding)) foot = crossing;
    write_patch(node, s, q, foot, nearest.side, patch);
    slack = slack_of(s, patch);
    return true;
  }

  // Differences are regular if all edges are equally long and no end hangs.
  bool is_regular(const Slopes& s) const {
    for (int side = 0; side < side_count<Dim>; ++side) {
      const NodeId other = end(s, side);
      if (other.is_none() || graph.hangs(other)) return false;
      if (s.level[static_cast<std::size_t>(side)] != s.coarsest) return false;
    }
    return true;
  }
  Real slack_of(const Slopes& s, const SurfacePatch<Dim, Real>& patch) const {
    Real sum = 0;
    for (int a = 0; a < Dim; ++a)
      for (int b = 0; b < Dim; ++b) sum += patch.turning(a, b) * patch.turning(a, b);
    const Real kh = std::sqrt(sum) * patch.size;
    return patch.size * (is_regular(s) ? regular_slack * kh * kh : irregular_slack * kh);
  }

  void write_patch(NodeId node, const Slopes& s, const Quadric<Dim>& q, const Vec<Dim>& foot,
                   int side, SurfacePatch<Dim, Real>& patch) const {
    const double size = graph.mesh.tree.domain.size(s.coarsest);
    const Vec<Dim> slope = q.slope_at(foot);
    const double steepness = octavo::length(slope);
    Vec<Dim> n{};
    if (steepness > 0)
      n = slope / steepness;
    else
      n[side / 2] = side_sign(side) * (is_liquid(node) ? 1.0 : -1.0);

    // H = P B P / |g| with P = 1 - n n^T, not more than a leaf can tell.
    const Vec<Dim> bn = q.second * n;
    const double nbn = dot(n, bn);
    SymmetricMatrix<Dim, double> turning{};
    double sum = 0;
    for (int a = 0; a < Dim; ++a)
      for (int b = a; b < Dim; ++b) {
        const double h = q.second(a, b) - n[a] * bn[b] - bn[a] * n[b] + nbn * n[a] * n[b];
        turning(a, b) = steepness > 0 ? h / steepness : 0.0;
        sum += (a == b ? 1 : 2) * turning(a, b) * turning(a, b);
      }
    const double most = std::sqrt(Dim - 1.0) / size, scale = std::min(1.0, most / std::sqrt(sum));
    for (std::size_t i = 0; i < symmetric_count<Dim>; ++i)
      patch.turning.entry[i] = static_cast<Real>(sum > 0 ? turning.entry[i] * scale : 0.0);
    patch.foot = graph.mesh.position(node) + foot;
    patch.normal = n.template cast<Real>();
    patch.size = static_cast<Real>(size);
  }
};

template <int Dim, class Real>
void SurfacePatches<Dim, Real>::build(const NodeGraphView<Dim>& graph, View<const Real> phi) {
  mark_near_nodes(graph.mesh, phi);
  number_near_nodes(graph.mesh.node_count());
  const std::size_t n = node_.size();
  slopes_.resize(n);
  patch_.resize(n);
  slack_.resize(n);
  has_patch_.resize(n);
  const View<Slopes> slopes = slopes_.view();
  const View<SurfacePatch<Dim, Real>> patch = patch_.view();
  const View<Real> slack = slack_.view();
  const View<std::uint8_t> has_patch = has_patch_.view();
  const View<const NodeId> node = node_.view();
  const View<const std::uint8_t> near = near_.view();
  const Kernel kernel{graph, phi, place_.view(), slopes_.view()};
  parallel_for("differences near the surface", n,
               [=](std::size_t i) { slopes[i] = kernel.slopes_at(node[i]); });
  patch_count_ = parallel_reduce(
      "patches of the surface", n, std::size_t{0},
      [=](std::size_t i) {
        const bool has =
            near[node[i]] == 1 && kernel.make_patch(node[i], slopes[i], patch[i], slack[i]);
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
