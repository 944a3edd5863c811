#pragma once

// It reads octrees from the grid files (.htg) that write_htg has made.
//
//   std::visit([](const auto& grid) { draw(grid.tree, grid.fields.at("density")); },
//              read_htg("grid/smoke.0001.htg"));
//
// Everything in a file is checked against the file's size before memory is asked for, and the leaves
// have to cover the box: a file is a valid tree with a value of each field for each leaf, or refused.

#include <filesystem>
#include <map>
#include <string>
#include <variant>

#include "octavo/tree/octree.h"

namespace octavo {

// The box is the one that was written: its coordinates, not only nearly, are those of the file. Fields
// have one number for each leaf, of whatever type it was; `level` is not among them, for the tree knows it.
template <int Dim>
struct HtgGrid {
  Octree<Dim> tree;
  std::map<std::string, Buffer<float>> fields;
};
using AnyHtgGrid = std::variant<HtgGrid<2>, HtgGrid<3>>;

// All that may be wrong with a file is an InputError with a sentence that names it.
AnyHtgGrid read_htg(const std::filesystem::path& path);
// This reads a file that is in memory already; `name` is what messages call it.
AnyHtgGrid read_htg(View<const unsigned char> bytes, const std::string& name);

}  // namespace octavo
