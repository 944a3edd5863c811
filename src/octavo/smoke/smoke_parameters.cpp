#include "octavo/smoke/smoke_parameters.h"

#include "octavo/base/checks.h"

namespace octavo {

template <int Dim>
void SmokeParameters<Dim>::check(const Domain<Dim>& domain) const {
  FlowParameters<Dim>::check(domain);
  check_finite("the weight of smoke", weight);
  check_finite("the lift of warm air", lift);
  check_finite("the ambient temperature", ambient);
  check_not_negative("vorticity confinement", confinement);
  check_not_negative("the rate of cooling", cooling);
  check_not_negative("the decay of density", density_decay);
}

std::vector<FieldInfo> smoke_fields(const SmokeForces& forces) {
  return {{.name = "density",
           .help = "How much smoke there is, as a plain number.",
           .decay = forces.density_decay,
           .has_ledger = true,
           .role = FieldRole::haze},
          {.name = "temperature",
           .unit = "K",
           .help = "How warm the air is.",
           .in_solids = InSolids::heat,
           .outside = forces.ambient,
           .decay = forces.cooling,
           .role = FieldRole::heat}};
}

template struct SmokeParameters<2>;
template struct SmokeParameters<3>;

}  // namespace octavo
