#pragma once

// `octavo help scene [TABLE]` tells what can stand in a scene file.

#include <CLI/App.hpp>
#include <string>

namespace octavo {

struct HelpCommand {
  std::string topic, table;
  bool markdown = false;
};

void add_help_options(CLI::App& command, HelpCommand& options);

// Returns the exit code.
int run_help(const HelpCommand& options, const CLI::App& app);

}  // namespace octavo
