#pragma once

// `octavo check SCENE.toml` looks for mistakes and predicts what the run will need.

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace octavo {

struct CheckCommand {
  std::string scene, frames;
  std::vector<std::string> set;
  double seconds = 10;  // for trials, of a processor of two cores
  bool json = false, ignore_limits = false;
};

void add_check_options(CLI::App& command, CheckCommand& options);

// Returns the exit code.
int run_check(const CheckCommand& options);

}  // namespace octavo
