#pragma once

// Octrees are written as VTK HyperTreeGrid files (.htg), which ParaView and VTK 9.1 or later open.
//
//   write_htg("grid/smoke.0001.htg", tree, {{"density", density.view()}});
//
// The file has version 2.0 of the format, with raw appended data. Every root cell is one tree; the
// cells of a tree stand level after level, each level along the curve, with one bit for each cell
// above the tree's deepest level that tells whether it has children. A quadtree lies in the plane z
// = 0.

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "octavo/tree/octree.h"

namespace octavo {

// There is one number for each leaf, in the order of the leaves; the numbers must outlive the call. Vectors are
// written as one field for each component: VTK 9.1 reads others wrongly. VTK wants values on branches, too: they get
// the mean of their children for floating point numbers and the value of their first child for integers, which may be
// labels.
struct LeafArray {
  std::string name;
  std::variant<View<const float>, View<const double>, View<const std::uint8_t>,
               View<const std::int32_t>>
      values;
};

// A cell field `level` is always part of the file. Throws FileError if the file cannot be written
// and InputError if two fields have the same name.
template <int Dim>
void write_htg(const std::filesystem::path& path, const Octree<Dim>& tree,
               const std::vector<LeafArray>& fields = {});

// It holds what is in a file that write_htg has made. Throws InputError if it is missing or something else.
struct HtgContents {
  struct Array {
    std::string name, type;
  };
  Vec<3, int> roots{};    // along each axis; 0 across a quadtree
  std::size_t cells = 0;  // leaves and branches
  std::vector<Array> fields;
};
HtgContents htg_contents(const std::filesystem::path& path);

}  // namespace octavo
