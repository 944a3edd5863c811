#pragma once

// Small smoke simulations to test with.

#include <gtest/gtest.h>

#include "octavo/smoke/smoke.h"
#include "support/random_tree.h"

namespace octavo::test {

template <int Dim>
Vec<Dim> point(double x, double y, double z) {
  if constexpr (Dim == 2)
    return {x, z};
  else
    return {x, y, z};
}

// Hot smoke that rises from a ball near the floor, past another one, in a box that is open but for the
// floor; the tree follows it.
template <int Dim>
SmokeParameters<Dim> plume(int level) {
  SmokeParameters<Dim> p;
  p.lift = 4;
  p.weight = 0.2;
  p.walls.fill(Wall::open);
  p.walls[2 * (Dim - 1)] = Wall::closed;
  Source<Dim> source{.shape = sphere_shape<Dim>(point<Dim>(0.5, 0.5, 0.15), 0.1)};
  source.values = {{"density", 1}, {"temperature", 1}};
  p.sources.push_back(source);
  p.obstacles.push_back({.shape = sphere_shape<Dim>(point<Dim>(0.5, 0.5, 0.5), 0.12)});
  p.refinement.min_level = 2;
  p.refinement.max_level = level;
  p.refinement.rules = {{.by = RefineBy::objects},
                        {.by = RefineBy::sources},
                        {.by = RefineBy::band, .field = "density", .low = 0.05, .high = 0.9},
                        {.by = RefineBy::vorticity, .above = 2}};
  return p;
}

template <int Dim, class Real>
double largest_speed(const Smoke<Dim, Real>& smoke) {
  double largest = 0;
  for (const Real u : smoke.velocity().view())
    largest = std::max(largest, std::abs(static_cast<double>(u)));
  return largest;
}

// The integral of the density at the end of a step.
inline double total_density(const StepReport& report) {
  for (const LedgerLine& line : report.ledger)
    if (line.field == "density") return line.after;
  ADD_FAILURE() << "no report of the density";
  return 0;
}

}  // namespace octavo::test
