#pragma once

// These plots show what a run was like, from its log: leaves, seconds, iterations, mass and more over frames
// and time.
//
//   const RunHistory history = read_history("runs/plume");
//   for (const LogPlot& p : log_plots({history})) write_png(p.name + ".png", drawn(p.plot));

#include <string>
#include <vector>

#include "octavo/draw/plot.h"
#include "octavo/output/run_history.h"

namespace octavo {

struct LogPlot {
  std::string name;  // for a file: leaves, seconds, iterations, mass, energy, divergence, memory
  Plot plot;
};

// There are plots of whatever the logs have numbers for; several runs are curves in the same plots.
std::vector<LogPlot> log_plots(const std::vector<RunHistory>& runs);

}  // namespace octavo
