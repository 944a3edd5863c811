#pragma once

// `octavo run SCENE.toml` simulates a scene and writes its files.

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "octavo/scene/scene_file.h"

namespace octavo {

struct RunCommand {
  std::string scene, output, frames, grid_names, from;
  std::vector<std::string> set;
  std::optional<int> explain;
  bool resume = false, force = false, overwrite = false, json = false, quiet = false;
  bool ignore_limits = false;
};

void add_run_options(CLI::App& command, RunCommand& options);

// Returns the exit code. `words` is the command line, from which the one that continues is made.
int run_run(const RunCommand& options, const std::vector<std::string>& words);

// With the option, a run goes on although memory or disk space will not suffice.
void add_limit_option(CLI::App& command, bool& ignore_limits);

// It adds the changes to a scene that --set and --frames ask for.
void add_scene_options(CLI::App& command, std::string& scene, std::vector<std::string>& set,
                       std::string& frames);
std::vector<std::string> overrides_of(const std::vector<std::string>& set,
                                      const std::string& frames);

// It warns about a scene without smoke, on standard error.
void print_warnings(const SceneFile& file);

}  // namespace octavo
