#pragma once

// `octavo render` makes pictures and a movie of a run, or of one file.

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace octavo {

struct RenderCommand {
  std::string input, output, scene, frames, format = "png", resolution, material, texture;
  std::vector<std::string> set;
  int samples = 0;
  double turntable = 0;
  bool grid = false, preview = false, overwrite = false, no_movie = false, json = false,
       quiet = false;
};

void add_render_options(CLI::App& command, RenderCommand& options);

// Returns the exit code. `words` is the command line, which continues what was interrupted.
int run_render(const RenderCommand& options, const std::vector<std::string>& words);

}  // namespace octavo
