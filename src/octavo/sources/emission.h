#pragma once

// Sources act on the fields of a mesh in one step.
//
// A place takes part by how much of the leaf around it is inside of the shape, so that a source that moves or is
// not aligned with the grid does not flicker, and brings as much on coarse leaves as on fine ones.

#include <span>
#include <string>
#include <vector>

#include "octavo/mesh/field.h"
#include "octavo/sources/source.h"

namespace octavo {

// Sources act on a nodal field by its name; it has a value in the air outside.
template <class Real>
struct EmissionTarget {
  std::string name;
  NodeField<Real>* field;
  double outside;
};

template <class Real>
struct EmissionTargets {
  std::vector<EmissionTarget<Real>> nodal;
  FaceField<Real>* velocity;
};

// Sources act between two moments, one after the other; they are where they are at the second.
template <int Dim, class Real>
void emit(const Mesh<Dim>& mesh, std::span<const Source<Dim>> sources, double from, double to,
          const EmissionTargets<Real>& targets);

}  // namespace octavo
