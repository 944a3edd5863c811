#pragma once

// A simulation of smoke is made of these, apart from its state: what any flow has, and what smoke carries and obeys.

#include <vector>

#include "octavo/flow/field_info.h"
#include "octavo/flow/flow_parameters.h"

namespace octavo {

// These are asked of smoke alone.
struct SmokeForces {
  // The force is -weight rho + lift (T - ambient) along up, m/s^2.
  double weight = 0;         // alpha, per unit of density
  double lift = 0;           // beta, m/s^2/K
  double ambient = 0;        // temperature of the air outside, K
  double confinement = 0;    // epsilon of vorticity confinement
  double cooling = 0;        // 1/s, towards ambient
  double density_decay = 0;  // 1/s
};

template <int Dim>
struct SmokeParameters : FlowParameters<Dim>, SmokeForces {
  // This throws InputError for values that make no sense.
  void check(const Domain<Dim>& domain) const;
};

// Smoke carries these fields: density and temperature.
std::vector<FieldInfo> smoke_fields(const SmokeForces& forces);

}  // namespace octavo
