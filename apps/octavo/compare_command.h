#pragma once

// `octavo compare A B` shows how much the pictures of two runs, or two pictures, differ.

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace octavo {

struct CompareCommand {
  std::string one, other;          // two files or two folders of runs
  std::vector<std::string> names;  // what they are called in the pictures: two or none
  std::string output = "compare";
  double fps = 24;
  bool json = false;
};

void add_compare_options(CLI::App& command, CompareCommand& options);

// Returns the exit code.
int run_compare(const CompareCommand& options);

}  // namespace octavo
