#pragma once

// A picture of the leaves: a slice across an axis of an octree, or the whole of a quadtree. Leaves
// are coloured by level and outlined where they are large enough for it; a legend names the levels.
//
//   write_png("grid.png", draw_slice(tree.view(), {.axis = 1, .position = 0.5}));
//
// A slice across z shows x to the right and y upwards; across y: x and z; across x: y and z.

#include <optional>

#include "octavo/io/png.h"
#include "octavo/tree/octree.h"

namespace octavo {

struct SliceOptions {
  int axis = 2;                         // 3D only: the axis that is cut; 0, 1 or 2
  std::optional<double> position = {};  // 3D only: where, m; else the middle of the box
  int size = 1024;                      // pixels of the drawing's longer side, at most; 16 .. 16384
  int min_level = -1;  // levels that get the first and the last colour; -1 takes those of
  int max_level = -1;  // the tree. Fix them to compare the frames of a run.
  bool lines = true;
  bool legend = true;
};

// Throws InputError for options that make no sense, such as a position outside the box.
template <int Dim>
Image draw_slice(const OctreeView<Dim>& tree, const SliceOptions& options = {});

}  // namespace octavo
