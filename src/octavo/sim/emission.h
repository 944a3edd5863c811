#pragma once

// What sources do to the fields of a mesh in one step.
//
// A place takes part by how far it is inside of the shape, from 0 half a leaf outside of its surface to 1
// half a leaf inside, so that a source that moves or is not aligned with the grid does not flicker.

#include "octavo/mesh/field.h"
#include "octavo/sim/smoke_parameters.h"

namespace octavo {

// The fields that sources act on; scalars in the order of SmokeParameters::scalars.
template <int Dim, class Real>
struct EmissionTargets {
  NodeField<Real>* density;
  NodeField<Real>* temperature;
  std::vector<NodeField<Real>*> scalars;
  FaceField<Real>* velocity;
};

template <int Dim, class Real>
void emit(const Mesh<Dim>& mesh, const Source<Dim>& source, double time, double dt,
          const EmissionTargets<Dim, Real>& targets);

}  // namespace octavo
