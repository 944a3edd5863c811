#include "octavo/surface/marker_rules.h"

#include "octavo/base/checks.h"

namespace octavo {

MarkerRules MarkerRules::named(std::string_view name, int dim) {
  MarkerRules rules;
  if (name == "adaptive") return rules;
  if (name != "losasso04")
    throw InputError("there are no rules for particles named '{}'; there are adaptive, losasso04",
                     name);
  rules.particles_per_leaf = dim == 2 ? 16 : 64;
  rules.band = 3;
  rules.least_radius = 0.1;
  rules.reseed_every = 20;
  rules.finest_only = true;
  return rules;
}

void MarkerRules::check() const {
  if (particles_per_leaf < 0 || particles_per_leaf > 4096)
    throw InputError("a leaf can have 0 to 4096 particles, not {}", particles_per_leaf);
  if (reseed_every < 0)
    throw InputError("particles cannot be reseeded every {} steps", reseed_every);
  if (most_tries < 1) throw InputError("a new particle needs at least one try, not {}", most_tries);
  check_positive("the least radius of particles", least_radius);
  check_finite("the largest radius of particles", largest_radius);
  check_finite("the band of particles", band);
  if (least_radius > largest_radius)
    throw InputError("the least radius of particles, {}, is above the largest, {}", least_radius,
                     largest_radius);
  if (band <= least_radius)
    throw InputError("the band of particles, {} leaves, is no wider than their least radius", band);
}

}  // namespace octavo
