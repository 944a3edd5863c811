#pragma once

// These say how many time steps a frame is made of: so many that nothing passes more leaves in one of them than the
// CFL number says, within bounds.

#include <algorithm>
#include <cmath>
#include <functional>

#include "octavo/flow/step_report.h"

namespace octavo {

// `leaves_passed` are those in the whole frame, at most.
inline int substeps_of(double leaves_passed, double cfl, int least, int most) {
  const double wanted = std::ceil(leaves_passed / cfl - 1e-9);
  return static_cast<int>(
      std::clamp(wanted, static_cast<double>(least), static_cast<double>(most)));
}

// This is a frame of a simulation: it takes as many steps as it asks for, and the report is about all of them.
// `after_step` may stop it early by returning false.
template <class Simulation>
StepReport advance_frame(Simulation& simulation, double seconds,
                         const std::function<bool(const StepReport&)>& after_step = {}) {
  const int substeps = simulation.substeps_for(seconds);
  StepReport all;
  for (int s = 1; s <= substeps; ++s) {
    const StepReport one = simulation.step(seconds / substeps);
    all.add(one);
    if (after_step && !after_step(one)) break;
  }
  return all;
}

}  // namespace octavo
