#pragma once

// What a simulation of smoke remembers from one step to the next, to be kept and to be gone on from:
//
//   const SmokeState<3> now = smoke.state();     // looks at the simulation: copy it before the next step
//   ...
//   Smoke<3> again(domain, parameters);          // the same ones
//   again.restore(copy);
//
// Steps from there on are the same bit for bit as if nothing had been in between, with any number of
// threads. A frame in several steps decides on their number at its beginning, so keep states of its end.

#include <cstdint>
#include <vector>

#include "octavo/base/buffer.h"
#include "octavo/tree/key.h"

namespace octavo {

template <int Dim, class Real = float>
struct SmokeState {
  double time = 0;  // s
  std::uint64_t steps = 0;

  // When the solids were last measured and since when they had moved then: that tells their velocities,
  // and is half a step for advection-reflection.
  double solids_since = 0, solids_time = 0;  // s
  double strictness = 1;                     // of the rules of refinement

  View<const Key<Dim>> leaves;
  View<const Real> velocity;              // faces
  View<const Real> pressure;              // leaves; the first guess of the next one
  View<const Real> density, temperature;  // nodes
  std::vector<View<const Real>> scalars;  // nodes
};

}  // namespace octavo
