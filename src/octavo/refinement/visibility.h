#pragma once

// What there is to see in leaves, and what hides others, as simulations say it to the view.

#include <functional>

#include "octavo/mesh/mesh.h"

namespace octavo {

// What there is to see in a leaf.
struct Visibility {
  double shows = 0;  // how much of it is noticed, at most
  double hides = 0;  // by how much it dims what is behind, per extinction and metre
};

// Finds that for all leaves; none if nothing is seen and nothing hides.
template <int Dim>
using FindVisibility = std::function<void(const Mesh<Dim>&, View<Visibility>)>;

}  // namespace octavo
