#pragma once

// Simulations tell the view what there is to see in leaves, and what hides others.

#include <functional>

#include "octavo/mesh/mesh.h"

namespace octavo {

// This is what there is to see in a leaf.
struct Visibility {
  double shows = 0;  // how much of it is noticed, at most
  double hides = 0;  // by how much it dims what is behind, per extinction and metre
};

// This finds the visibility of all leaves; it is empty if nothing is seen and nothing hides.
template <int Dim>
using FindVisibility = std::function<void(const Mesh<Dim>&, View<Visibility>)>;

}  // namespace octavo
