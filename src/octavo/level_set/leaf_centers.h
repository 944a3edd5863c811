#pragma once

// This is the one map from the nodes, where trackers have the level set, to the centres of leaves, where the pressure
// wants it: the value there of the multilinear interpolant, which is the mean of the corners. It is exact for planes; for
// a surface of curvature k it is about h^2 k / 8 too large, like the interpolant everywhere between the nodes.

#include "octavo/mesh/field.h"

namespace octavo {

template <int Dim, class Real>
Real at_leaf_center(const MeshView<Dim>& mesh, View<const Real> nodal, LeafId leaf) {
  Real sum = 0;
  for (int c = 0; c < child_count<Dim>; ++c) sum += nodal[mesh.node(leaf, c)];
  return sum / static_cast<Real>(child_count<Dim>);
}

template <int Dim, class Real>
void at_leaf_centers(const Mesh<Dim>& mesh, const NodeField<Real>& nodal, LeafField<Real>& out) {
  OCTAVO_CHECK(nodal.belongs_to(mesh));
  out.resize(mesh);
  const MeshView<Dim> m = mesh.view();
  const View<const Real> from = nodal.view();
  const View<Real> to = out.view();
  parallel_for("level set at leaf centres", m.leaf_count(),
               [=](std::size_t i) { to[i] = at_leaf_center<Dim, Real>(m, from, LeafId(i)); });
}

}  // namespace octavo
