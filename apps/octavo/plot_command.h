#pragma once

// `octavo plot DIR` plots what the log of a run, or of several, says.

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace octavo {

struct PlotCommand {
  std::vector<std::string> folders;
  std::vector<std::string> names;  // for the folders, or none
  std::string output;
  bool svg = false, png = false, json = false;
};

void add_plot_options(CLI::App& command, PlotCommand& options);

// Returns the exit code.
int run_plot(const PlotCommand& options);

}  // namespace octavo
