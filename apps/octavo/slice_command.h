#pragma once

// `octavo slice FILE|FOLDER` makes a picture of the leaves of a grid or a checkpoint, by level or by a field.

#include <CLI/App.hpp>
#include <optional>
#include <string>

namespace octavo {

struct SliceCommand {
  std::string input;
  std::optional<int> frame;        // run folders only; none: the newest
  std::string axis;                // empty: y
  std::optional<double> position;  // m; none: the middle of the box
  std::string field = "level", range, colors = "auto";
  bool cutaway = false, bare = false;
  bool lines = false, no_lines = false;  // neither: unless it is to look like smoke
  int pixels = 1024;
  std::string output = "slice.png";
};

void add_slice_options(CLI::App& command, SliceCommand& options);

// Returns the exit code.
int run_slice(const SliceCommand& options);

}  // namespace octavo
