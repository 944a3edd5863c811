#pragma once

// `octavo info FILE` tells what is in a volume, a grid, a checkpoint, a triangle mesh, a scene or a run
// folder.

#include <CLI/App.hpp>
#include <string>

namespace octavo {

struct InfoCommand {
  std::string file;
  bool json = false;
};

void add_info_options(CLI::App& command, InfoCommand& options);

// Returns the exit code.
int run_info(const InfoCommand& options);

}  // namespace octavo
