#pragma once

// Hanging nodes have values too: each is what the multilinear interpolation of the larger leaf on which it hangs says,
// so that fields are continuous where sizes meet.

#include "octavo/mesh/field.h"
#include "octavo/mesh/solid_mark.h"

namespace octavo {

// This gives every hanging node the value its stencil says, from the coarsest to the finest. If some
// nodes are apart (not zero: inside of a solid), those that are not keep the value they have instead of
// one that has to do with such a node.
template <int Dim, class T>
void constrain(const Mesh<Dim>& mesh, NodeField<T>& field, View<const SolidMark> apart = {}) {
  OCTAVO_CHECK(field.belongs_to(mesh));
  const View<T> value = field.view();
  const View<const HangingNode<Dim>> hanging = mesh.view().hanging;
  for (int g = 0; g < Mesh<Dim>::hanging_groups; ++g) {
    const auto [first, last] = mesh.hanging_group(g);
    if (first == last) continue;
    parallel_for("constrain hanging nodes", last - first, [=, first = first](std::size_t i) {
      const HangingNode<Dim>& h = hanging[first + i];
      if (apart.size() > 0 && apart[h.node] == 0)
        for (const NodeId source : h.source)
          if (apart[source] != 0) return;
      T sum = value[h.source[0]] * h.template weight<Scalar<T>>(0);
      for (int j = 1; j < HangingNode<Dim>::source_count; ++j)
        sum = sum + value[h.source[j]] * h.template weight<Scalar<T>>(j);
      value[h.node] = sum;
    });
  }
}

}  // namespace octavo
