#pragma once

// These are values of nodal fields between the nodes: they are multilinear in the leaf that holds the point.
// Once hanging nodes are constrained, the result is continuous everywhere, across leaves of any two sizes.
//
//   constrain(mesh, density);
//   float rho = sample(mesh.view(), std::as_const(density).view(), point);
//
// A Sampler does the same for many points and remembers where the last one was; when points come
// along the curve that saves most of the search. One Sampler belongs to one thread:
//
//   parallel_blocks("sample", n, [=](std::size_t, std::size_t begin, std::size_t end) {
//     Sampler<3, float> density_at(mesh, density);
//     for (std::size_t i = begin; i < end; ++i) out[i] = density_at(point[i]);
//   });

#include "octavo/mesh/hanging_nodes.h"
#include "octavo/tree/locator.h"

namespace octavo {

// This is the multilinear interpolation of the 2^Dim values corner(c), exact at the corners themselves.
template <int Dim, class Real, class Corner>
[[gnu::always_inline]] inline auto multilinear(const Vec<Dim, Real>& local, Corner&& corner) {
  using T = decltype(corner(0));
  T value[child_count<Dim>];
  for (int c = 0; c < child_count<Dim>; ++c) value[c] = corner(c);
  int pairs = child_count<Dim>;
  for (int a = 0; a < Dim; ++a) {
    const Real t = local[a], s = 1 - t;
    pairs /= 2;
    for (int c = 0; c < pairs; ++c) value[c] = value[2 * c] * s + value[2 * c + 1] * t;
  }
  return value[0];
}

template <class T, int Dim>
[[gnu::always_inline]] inline T sample_in_leaf(const MeshView<Dim>& mesh, View<const T> nodal,
                                               LeafId leaf, const Vec<Dim, Scalar<T>>& local) {
  return multilinear<Dim>(local, [&](int c) { return nodal[mesh.node(leaf, c)]; });
}

template <int Dim, class T>
class Sampler {
 public:
  Sampler(const MeshView<Dim>& mesh, View<const T> nodal)
      : locator_(mesh.tree), leaf_node_(mesh.leaf_node), nodal_(nodal) {}

  constexpr T operator()(const Vec<Dim>& point) {
    const auto at = locator_.template locate<Scalar<T>>(point);
    const std::size_t first = std::size_t{at.leaf} * child_count<Dim>;
    return multilinear<Dim>(
        at.local, [&](int c) { return nodal_[leaf_node_[first + static_cast<std::size_t>(c)]]; });
  }

 private:
  Locator<Dim> locator_;
  View<const NodeId> leaf_node_;
  View<const T> nodal_;
};

template <class T, int Dim>
constexpr T sample(const MeshView<Dim>& mesh, View<const T> nodal, const Vec<Dim>& point) {
  return Sampler<Dim, T>(mesh, nodal)(point);
}

}  // namespace octavo
