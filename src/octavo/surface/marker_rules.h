#pragma once

// These are the numbers and rules of the particles that mark both sides of a surface. Lengths are in units of the leaf
// in which a particle is, so that they hold on leaves of all levels.
//
//   adaptive    8 particles in each leaf of a band of 2 leaves, whatever their level
//   losasso04   64 (in 2D 16), in the finest leaves of a band of 3, put back every 20 steps: Enright et al. 2002, as
//               Losasso et al. 2004, section 6, use it on an octree

#include <array>
#include <cstdint>
#include <string_view>

namespace octavo {

struct MarkerRules {
  int particles_per_leaf = 8;
  double band = 2;              // how far from the surface there are particles, leaves
  double least_radius = 0.05;   // leaves
  double largest_radius = 0.5;  // leaves
  int reseed_every = 20;        // steps; 0: never after the start
  bool finest_only = false;     // only leaves of the deepest level get particles
  int most_tries = 15;          // to bring a new particle into the band
  std::uint64_t seed = 1;       // of the random numbers

  static MarkerRules named(std::string_view name, int dim);
  // This throws InputError if the numbers make no sense.
  void check() const;
};

inline constexpr std::array<std::string_view, 2> marker_rule_names{"adaptive", "losasso04"};

}  // namespace octavo
