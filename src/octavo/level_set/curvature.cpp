#include "octavo/level_set/curvature.h"

#include <numeric>

#include "octavo/level_set/cubic_fit.h"
#include "octavo/tree/locator.h"

#include "octavo/tree/locator.h"

#include "octavo/tree/locator.h"

namespace octavo {

// The least squares fit about the centre of a leaf.
template <int Dim, class Real>
class Curvature<Dim, Real>::Fit {
 public:
  Fit(const MeshView<Dim>& mesh, View<const Real> phi, View<const std::uint8_t> hangs)
      : mesh_(mesh), phi_(phi), hangs_(hangs), locator_(mesh.tree) {}

  AtCenter operator()(LeafId leaf) {
    const auto [finest, coarsest] = levels_around(leaf);
    for (const double leaves : {2.6, 3.6, 5.0}) {
      CubicFit<Dim> fit;
      const double reach = leaves * mesh_.tree.domain.size(coarsest);
      add_nodes(fit, leaf, reach, std::min(finest, coarsest + 1));
      if (fit.solve()) return curvature(fit, reach, mesh_.tree.size(leaf));
    }
    return {0, AtCenter::failed};
  }

 private:
  std::pair<int, int> levels_around(LeafId leaf) const {
    int finest = mesh_.tree.level(leaf), coarsest = finest;
    for (int side = 0; side < side_count<Dim>; ++side)
      for (const FaceId face : mesh_.faces(leaf, side)) {
        const auto [low, high] = mesh_.face_leaf[face];
        for (const LeafId other : {low, high}) {
          if (!other.is_here()) continue;
          finest = std::max(finest, mesh_.tree.level(other));
          coarsest = std::min(coarsest, mesh_.tree.level(other));
        }
      }
    return {finest, coarsest};
  }

  // Nodes are looked for where corners of cells of one level may be; where leaves are much smaller than the reach, all of
  // them would be more than it takes.
  void add_nodes(CubicFit<Dim>& fit, LeafId leaf, double reach, int level) {
    const Domain<Dim>& domain = mesh_.tree.domain;
    const Vec<Dim> center = mesh_.tree.center(leaf);
    const Lattice<Dim> extent = domain.extent();
    const std::uint32_t step = 1u << (max_level - level);
    Lattice<Dim> first{}, p{};
    Vec<Dim, std::uint32_t> size{};
    std::size_t places = 1;
    for (int a = 0; a < Dim; ++a) {
      const double low = (center[a] - reach - domain.origin[a]) / domain.unit();
      const double high = (center[a] + reach - domain.origin[a]) / domain.unit();
      first[a] = low > 0 ? (static_cast<std::uint32_t>(low) / step + 1) * step : 0;
      const double top = std::min(high, static_cast<double>(extent[a]));
      size[a] = (static_cast<std::uint32_t>(top) - first[a]) / step + 1;
      places *= size[a];
    }
    for (std::size_t k = 0; k < places; ++k) {
      std::size_t rest = k;
      for (int a = 0; a < Dim; ++a) {
        p[a] = first[a] + static_cast<std::uint32_t>(rest % size[a]) * step;
        rest /= size[a];
      }
      const Vec<Dim> offset = (domain.position(p) - center) / reach;
      const double r2 = dot(offset, offset);
      if (r2 < 1) add_node(fit, p, offset, (1 - r2) * (1 - r2) / reach);
    }
  }

  // A node that does not hang is the lowest corner of the leaf above it, or the like at upper walls.
  void add_node(CubicFit<Dim>& fit, Lattice<Dim> p, const Vec<Dim>& offset, double weight) {
    const Lattice<Dim> extent = mesh_.tree.domain.extent();
    int corner = 0;
    Lattice<Dim> inside = p;
    for (int a = 0; a < Dim; ++a)
      if (p[a] == extent[a]) {
        --inside[a];
        corner |= 1 << a;
      }
    const LeafId leaf = locator_.leaf_at(inside);
    if (!(mesh_.lattice(leaf, corner) == p)) return;
    const NodeId node = mesh_.node(leaf, corner);
    if (hangs_[node] != 0) return;
    fit.add(offset, static_cast<double>(phi_[node]), weight * mesh_.tree.size(leaf));
  }

  // The principal curvatures have the sum and the product
  //   S = (|g|^2 tr B - g.B g) / |g|^3,    P = g.adj(B) g / |g|^4     (in 2D there is one, S).
  static AtCenter curvature(const CubicFit<Dim>& fit, double reach, double size) {
    Vec<Dim> g{}, bg{};
    double trace = 0;
    for (int a = 0; a < Dim; ++a) g[a] = fit.slope(a) / reach;
    for (int a = 0; a < Dim; ++a) {
      trace += fit.second(a, a) / (reach * reach);
      for (int b = 0; b < Dim; ++b) bg[a] += fit.second(a, b) * g[b] / (reach * reach);
    }
    const double g2 = dot(g, g), steep = std::sqrt(g2);
    if (!(g2 > 0)) return {0, AtCenter::failed};
    const double sum = (g2 * trace - dot(g, bg)) / (g2 * steep), phi = fit.value() / steep;
    bool is_clipped = false;
    auto moved = [&](double k) {
      const double most = 1 / size, there = 1 - std::clamp(k, -most, most) * phi;
      const double at_surface = there > 0.1 ? k / there : 10 * k;
      is_clipped = is_clipped || std::abs(at_surface) > most;
      return std::clamp(at_surface, -most, most);
    };
    double result = 0;
    if constexpr (Dim == 2) {
      result = moved(sum);
    } else {
      double adjugate = 0;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          const int p = (a + 1) % 3, q = (a + 2) % 3, r = (b + 1) % 3, s = (b + 2) % 3;
          const double minor =
              fit.second(p, r) * fit.second(q, s) - fit.second(p, s) * fit.second(q, r);
          adjugate += g[a] * g[b] * minor;
        }
      const double product = adjugate / (g2 * g2 * reach * reach * reach * reach);
      const double root = std::sqrt(std::max(0.25 * sum * sum - product, 0.0));
      result = moved(0.5 * sum + root) + moved(0.5 * sum - root);
    }
    return {static_cast<Real>(result), is_clipped ? AtCenter::clipped : AtCenter::found};
  }

  const MeshView<Dim>& mesh_;
  View<const Real> phi_;
  View<const std::uint8_t> hangs_;
  Locator<Dim> locator_;
};

// The paper's averages, to and fro between centres and faces.
template <int Dim, class Real>
struct Curvature<Dim, Real>::Averages {
  MeshView<Dim> mesh;
  View<const Real> center;

  // This is the mean of the differences across the two sides of a leaf along an axis.
  template <class Value>
  Real difference(LeafId leaf, int axis, Value&& value) const {
    Real mean = 0;
    int sides = 0;
    for (int side = 2 * axis; side < 2 * axis + 2; ++side) {
      Real sum = 0, area = 0;
      for (const FaceId face : mesh.faces(leaf, side)) {
        if (!mesh.is_inner(face)) continue;
        const auto [low, high] = mesh.face_leaf[face];
        const auto distance = static_cast<Real>(0.5 * (mesh.tree.size(low) + mesh.tree.size(high)));
        const auto part = static_cast<Real>(mesh.area(face));
        sum += part * (value(high) - value(low)) / distance;
        area += part;
      }
      if (area <= 0) continue;
      mean += sum / area;
      ++sides;
    }
    return sides > 0 ? mean / static_cast<Real>(sides) : Real{0};
  }

  Vec<Dim, Real> normal(LeafId leaf) const {
    Vec<Dim, Real> g{};
    for (int a = 0; a < Dim; ++a)
      g[a] = difference(leaf, a, [this](LeafId other) { return center[other]; });
    const Real steep = length(g);
    return steep > 0 ? g / steep : g;
  }

  AtCenter curvature(LeafId leaf, View<const Vec<Dim, Real>> normals) const {
    Real sum = 0;
    for (int a = 0; a < Dim; ++a)
      sum += difference(leaf, a, [=](LeafId other) { return normals[other][a]; });
    const auto most = static_cast<Real>((Dim - 1) / mesh.tree.size(leaf));
    return {std::clamp(sum, -most, most),
            std::abs(sum) > most ? AtCenter::clipped : AtCenter::found};
  }
};

namespace {

template <int Dim, class Real>
bool is_beside_surface(const MeshView<Dim>& mesh, View<const Real> nodal, View<const Real> center,
                       LeafId leaf) {
  const bool liquid = center[leaf] < 0;
  for (int c = 0; c < child_count<Dim>; ++c)
    if ((nodal[mesh.node(leaf, c)] < 0) != liquid) return true;
  for (int side = 0; side < side_count<Dim>; ++side)
    for (const FaceId face : mesh.faces(leaf, side)) {
      const auto [low, high] = mesh.face_leaf[face];
      if (mesh.is_inner(face) && (center[low] < 0) != (center[high] < 0)) return true;
    }
  return false;
}

}  // namespace

template <int Dim, class Real>
void Curvature<Dim, Real>::mark_hanging(const MeshView<Dim>& mesh) {
  hangs_.resize(mesh.node_count());
  const View<std::uint8_t> hangs = hangs_.view();
  parallel_for("forget hanging nodes", hangs.size(), [=](std::size_t i) { hangs[i] = 0; });
  const View<const HangingNode<Dim>> hanging = mesh.hanging;
  parallel_for("mark hanging nodes", hanging.size(),
               [=](std::size_t i) { hangs[hanging[i].node] = 1; });
}

template <int Dim, class Real>
void Curvature<Dim, Real>::find_normals(const Averages& averages) {
  normal_.resize(averages.mesh.leaf_count());
  const View<Vec<Dim, Real>> normal = normal_.view();
  parallel_for("normals at centres", normal.size(),
               [=](std::size_t i) { normal[i] = averages.normal(LeafId(i)); });
}

template <int Dim, class Real>
template <class MakeFunction>
CurvatureReport Curvature<Dim, Real>::collect(const MeshView<Dim>& mesh, View<const Real> phi,
                                              View<Real> curvature,
                                              MakeFunction&& make_function) const {
  constexpr std::size_t block_size = 256;
  const View<const Real> center = center_.view();
  std::vector<CurvatureReport> parts(block_count(mesh.leaf_count(), block_size));
  parallel_blocks(
      "curvature", mesh.leaf_count(),
      [&](std::size_t block, std::size_t begin, std::size_t end) {
        auto curvature_at = make_function();
        for (std::size_t i = begin; i < end; ++i) {
          curvature[i] = 0;
          if (!is_beside_surface<Dim, Real>(mesh, phi, center, LeafId(i))) continue;
          const AtCenter k = curvature_at(LeafId(i));
          curvature[i] = k.value;
          parts[block] = parts[block] + CurvatureReport{1, k.kind == AtCenter::clipped ? 1u : 0u,
                                                        k.kind == AtCenter::failed ? 1u : 0u};
        }
      },
      block_size);
  return std::accumulate(parts.begin(), parts.end(), CurvatureReport{});
}

template <int Dim, class Real>
CurvatureReport Curvature<Dim, Real>::operator()(const Mesh<Dim>& mesh, const NodeField<Real>& phi,
                                                 LeafField<Real>& curvature,
                                                 CurvatureScheme scheme) {
  at_leaf_centers(mesh, phi, center_);
  curvature.resize(mesh);
  const MeshView<Dim> m = mesh.view();
  if (scheme == CurvatureScheme::losasso04) {
    const Averages averages{m, std::as_const(center_).view()};
    find_normals(averages);
    const View<const Vec<Dim, Real>> normal = normal_.view();
    return collect(m, phi.view(), curvature.view(),
                   [=] { return [=](LeafId leaf) { return averages.curvature(leaf, normal); }; });
  }
  mark_hanging(m);
  return collect(m, phi.view(), curvature.view(),
                 [&] { return Fit(m, phi.view(), std::as_const(hangs_).view()); });
}

template class Curvature<2, float>;
template class Curvature<2, double>;
template class Curvature<3, float>;
template class Curvature<3, double>;

}  // namespace octavo
