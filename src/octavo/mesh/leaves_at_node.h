#pragma once

// This finds the leaves that touch a node, whether it is their corner or hangs on their side.

#include "octavo/mesh/mesh.h"
#include "octavo/tree/surroundings.h"

namespace octavo {

// This calls f(leaf) for each; large ones may come several times.
template <int Dim, class F>
void for_each_leaf_at(const MeshView<Dim>& mesh, NodeId node, F&& f) {
  const auto at = mesh.corner_of(node);
  const LeafSurroundings<Dim> self(mesh.around, at.leaf);
  const CornerSurroundings<Dim> corner(mesh.tree, self, at.corner);
  for (int o = 0; o < child_count<Dim>; ++o)
    if (const LeafId leaf = corner.leaf(o); leaf.is_here()) f(leaf);
}

}  // namespace octavo
