#pragma once

// `octavo tree` builds an octree around a shape, says how large it is and writes what it looks
// like.

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

namespace octavo {

struct TreeOptions {
  std::string shape = "sphere";  // sphere, box, torus, or a file of triangles
  int dim = 3;
  std::vector<int> roots;  // root cells along each axis; empty: one
  int min_level = 2;
  int max_level = 7;
  int grading = 0;                 // 0: unrestricted
  double band = 0;                 // cells of the finest level on each side of the surface
  int frames = 1;                  // more than one: the shape moves and the tree follows
  std::string axis = "y";          // 3D only
  std::optional<double> position;  // 3D only; none: the middle of the box
  int pixels = 1024;
  std::string output = ".";
  bool validate = false, json = false, quiet = false, timers = false;
};

void add_tree_options(CLI::App& command, TreeOptions& options);

// Returns the exit code.
int run_tree(const TreeOptions& options);

}  // namespace octavo
