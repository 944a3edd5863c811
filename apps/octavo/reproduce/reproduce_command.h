#pragma once

// `octavo reproduce NAME` runs a known test and prints what came out beside what was published.

#include <CLI/App.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace octavo {

struct ReproduceOptions {
  std::string name;                // one of the tests in reproduce_command.cpp
  std::optional<int> levels;       // losasso-table-1 only: how often every cell is halved
  std::optional<int> frames;       // of the view's shots: fewer than the scenes have
  std::string plot;                // an SVG file for the curves
  std::filesystem::path pictures;  // a folder for the pictures of the view's shots
  std::vector<std::string> set;    // keys of the scenes of the view's shots
  std::string domain;              // one of the view's shots; all if empty
  std::optional<int> resolution;   // of the surface's tests: leaves along an edge
  std::string tracker;             // of the surface's tests; all if empty
  std::string particles;           // of the surface's tests: so many a leaf, or the name of rules
  bool json = false;
};

void add_reproduce_options(CLI::App& command, ReproduceOptions& options);

// Returns the exit code.
int run_reproduce(const ReproduceOptions& options);

}  // namespace octavo
