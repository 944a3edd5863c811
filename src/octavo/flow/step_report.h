#pragma once

// A report says what happened in a step.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "octavo/flow/ledger.h"
#include "octavo/pressure/projection.h"

namespace octavo {

struct PhaseSeconds {
  double criteria = 0;  // deciding on the next octree
  double mesh = 0;      // building it
  double advection = 0;
  double obstacles = 0;  // measuring solids
  double surface = 0;    // tracking a free surface
  double forces = 0;     // and sources
  double pressure = 0;
  double report = 0;  // totals
  double total = 0;

  PhaseSeconds& operator+=(const PhaseSeconds& o) {
    criteria += o.criteria;
    mesh += o.mesh;
    advection += o.advection;
    obstacles += o.obstacles;
    surface += o.surface;
    forces += o.forces;
    pressure += o.pressure;
    report += o.report;
    total += o.total;
    return *this;
  }
};

// Only some simulations have such a number to say, e.g. how many particles there are.
struct FurtherNumber {
  std::string name;
  double value;
};

// This is the report of a step, or of several.
struct StepReport {
  std::uint64_t step = 0;   // steps since the beginning
  double time = 0, dt = 0;  // s
  int substeps = 1;         // steps this report is about
  std::size_t leaves = 0, faces = 0, nodes = 0;
  bool changed_tree = false;
  double strictness = 1;          // by which thresholds have risen to keep the number of leaves
  double cfl = 0;                 // leaves passed in the step, at most
  PressureReport pressure;        // of the last projection
  int iterations = 0;             // of all projections
  bool all_converged = true;      // all projections
  double kinetic_energy = 0;      // per density of the fluid, m^5/s^2 (2D: m^4/s^2)
  double largest_divergence = 0;  // after any projection, 1/s
  Ledger ledger{};                // of the fields that have one
  std::vector<FurtherNumber> further{};
  PhaseSeconds seconds;
  std::size_t bytes = 0;       // at the end of the step
  std::size_t peak_bytes = 0;  // largest during it, with the buffers that live only then

  // This makes it the report of one more step.
  void add(const StepReport& one) {
    const StepReport before = *this;
    *this = one;
    if (before.leaves == 0) return;  // of none so far
    substeps += before.substeps;
    seconds += before.seconds;
    iterations += before.iterations;
    cfl = std::max(cfl, before.cfl);
    changed_tree = changed_tree || before.changed_tree;
    all_converged = all_converged && before.all_converged;
    largest_divergence = std::max(largest_divergence, before.largest_divergence);
    peak_bytes = std::max(peak_bytes, before.peak_bytes);
    ledger = before.ledger;
    for (std::size_t i = 0; i < ledger.size() && i < one.ledger.size(); ++i)
      ledger[i].add(one.ledger[i]);
  }
};

}  // namespace octavo
