#include "octavo/flow/flow_parameters.h"

#include "octavo/base/checks.h"
#include "octavo/mesh/solid_mark.h"

namespace octavo {

template <int Dim>
void FlowParameters<Dim>::check(const Domain<Dim>& domain) const {
  domain.check();
  check_positive("the CFL number", cfl);
  check_positive("the density of the fluid", density);
  if (min_substeps < 1 || max_substeps < min_substeps)
    throw InputError(
        "the fewest steps of a frame must be 1 or more, and the most no fewer: not {} and {}",
        min_substeps, max_substeps);
  if (up_axis < 0 || up_axis >= Dim)
    throw InputError("up is an axis from 0 to {}, not {}", Dim - 1, up_axis);
  for (int a = 0; a < Dim; ++a) check_finite("an acceleration", acceleration[a]);
  if (stepping == TimeStepping::reflection && !pressure.shares_velocity())
    throw InputError("time stepping by reflection needs the pressure scheme losasso06s, not {}",
                     name(pressure.scheme));
  if (obstacles.size() > most_solids)
    throw InputError("there can be at most {} obstacles, not {}; unite some", most_solids,
                     obstacles.size());
  for (const Wall& wall : walls)
    for (int a = 0; a < 3; ++a) {
      check_finite("the velocity of a wall", wall.velocity[a]);
      if (wall.is_open && wall.velocity[a] != 0)
        throw InputError("an open wall has no velocity of its own");
    }
  for (const Obstacle<Dim>& o : obstacles)
    if (o.temperature) check_finite("the temperature of an obstacle", *o.temperature);
  for (const Source<Dim>& s : sources) s.check();
  for (const ScalarParameters& s : scalars) {
    check_finite("the value of a scalar outside", s.outside);
    check_not_negative("the decay of a scalar", s.decay);
  }
  refinement.check(domain);
}

template struct FlowParameters<2>;
template struct FlowParameters<3>;

}  // namespace octavo
