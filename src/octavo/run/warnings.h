#pragma once

// A run warns of steps that were not what the scene asks for. Each sentence is said when it is true for the first
// time; how often it was is said at the end. The log has every step.

#include <fmt/format.h>

#include "octavo/flow/step_report.h"
#include "octavo/output/progress.h"

namespace octavo {

// The scene asks for these; `table` is where it does.
struct StepLimits {
  std::string table;
  double cfl = 0;
  int max_substeps = 0, max_iterations = 0;
};

class StepWarnings {
 public:
  StepWarnings(StepLimits limits, Progress& progress)
      : limits_(std::move(limits)), progress_(progress) {}

  // A frame begins in which so many leaves are passed in so many steps.
  void begin_frame(int frame, double leaves, int substeps) {
    constexpr double rounding = 1e-9;
    ++frames_;
    if (substeps < limits_.max_substeps || leaves <= (1 + rounding) * limits_.cfl * substeps)
      return;
    if (long_frames_++ > 0) return;
    progress_.say(fmt::format(
        "warning: steps of frame {0} may pass {1:.3g} leaves, more than {2}.cfl = {3:.6g}, "
        "since there are no more than "
        "{2}.max_substeps = {4} of them; the run goes on",
        frame, leaves / substeps, limits_.table, limits_.cfl, limits_.max_substeps));
  }

  void step(int frame, const StepReport& report) {
    ++steps_;
    if (report.all_converged || inexact_steps_++ > 0) return;
    progress_.say(
        fmt::format("warning: a step of frame {0} ended at {1}.max_iterations = {2}, before the "
                    "pressure was as exact as "
                    "{1}.tolerance asks for; the run goes on",
                    frame, limits_.table, limits_.max_iterations));
  }

  void end() const {
    if (long_frames_ > 0)
      progress_.say(
          fmt::format("warning: {} of {} frames had steps that may pass more leaves than {}.cfl",
                      long_frames_, frames_, limits_.table));
    if (inexact_steps_ > 0)
      progress_.say(fmt::format("warning: {} of {} steps ended at {}.max_iterations",
                                inexact_steps_, steps_, limits_.table));
  }

 private:
  StepLimits limits_;
  Progress& progress_;
  int frames_ = 0, steps_ = 0, long_frames_ = 0, inexact_steps_ = 0;
};

}  // namespace octavo
