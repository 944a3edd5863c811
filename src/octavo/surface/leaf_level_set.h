#pragma once

// This is the level set in one leaf, multilinear between its corners, with its value and gradient at any point.

#include "octavo/mesh/interpolate.h"

namespace octavo {

template <int Dim, class Real>
struct LeafLevelSet {
  LeafLevelSet(const MeshView<Dim>& mesh, View<const Real> phi, LeafId leaf)
      : size(mesh.tree.size(leaf)) {
    for (int c = 0; c < child_count<Dim>; ++c) corner[c] = phi[mesh.node(leaf, c)];
  }

  template <class T>
  double value(const Vec<Dim, T>& local) const {
    return static_cast<double>(
        multilinear<Dim>(local.template cast<Real>(), [&](int c) { return corner[c]; }));
  }
  // It has no direction where it is zero.
  template <class T>
  Vec<Dim> gradient(const Vec<Dim, T>& local) const {
    Vec<Dim> g{};
    for (int axis = 0; axis < Dim; ++axis) {
      Vec<Dim, Real> low = local.template cast<Real>(), high = low;
      low[axis] = 0;
      high[axis] = 1;
      g[axis] = (value(high) - value(low)) / size;
    }
    return g;
  }
  double nearest() const {
    Real least = std::abs(corner[0]);
    for (int c = 1; c < child_count<Dim>; ++c) least = std::min(least, std::abs(corner[c]));
    return static_cast<double>(least);
  }

  double size;  // of the leaf, m
  Real corner[child_count<Dim>];
};

}  // namespace octavo
