#pragma once

// What sources do to the fields of a mesh in one step.
//
// A place takes part by how much of the leaf around it is inside of the shape, so that a source that moves or is
// not aligned with the grid does not flicker, and brings as much on coarse leaves as on fine ones.

#include <span>

#include "octavo/mesh/field.h"
#include "octavo/sim/smoke_parameters.h"

namespace octavo {

// A nodal field that sources act on, and its value in the air outside.
template <class Real>
struct EmissionTarget {
  NodeField<Real>* field;
  double outside;
};

// Scalars in the order of SmokeParameters::scalars.
template <class Real>
struct EmissionTargets {
  EmissionTarget<Real> density, temperature;
  std::vector<EmissionTarget<Real>> scalars;
  FaceField<Real>* velocity;
};

// What sources do between two moments, one after the other; they are where they are at the second.
template <int Dim, class Real>
void emit(const Mesh<Dim>& mesh, std::span<const Source<Dim>> sources, double from, double to,
          const EmissionTargets<Real>& targets);

}  // namespace octavo
