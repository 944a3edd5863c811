#pragma once

// This is a picture of the leaves: a slice across an axis of an octree, or the whole of a quadtree. Leaves are
// coloured by level, or by a field, and outlined where they are large enough for it; a legend names the levels or the
// values.
//
//   write_png("grid.png", draw_slice(tree.view(), {.axis = 1, .position = 0.5}));
//
//   LeafPicture<3> picture{tree.view()};
//   picture.field = {.title = "density", .nodes = density.view(), .mesh = mesh.view()};
//   write_png("density.png", draw_slice(picture, {.axis = 1}));
//
// A slice across z shows x to the right and y upwards; one across y shows x and z; one across x shows y and z.

#include <optional>

#include "octavo/draw/leaf_colors.h"
#include "octavo/image/image.h"

namespace octavo {

struct SliceOptions {
  int axis = 2;                         // 3D only: the axis that is cut; 0, 1 or 2
  std::optional<double> position = {};  // 3D only: where, m; else the middle of the box
  int size = 1024;                      // pixels of the drawing's longer side, at most; 16 .. 16384
  int min_level = -1;  // levels that get the first and the last colour; -1 takes those of
  int max_level = -1;  // the tree. Fix them to compare the frames of a run.
  bool lines = true;
  bool means =
      false;  // pixels are means of 16 points, also where leaves are large: for fields with edges in them
  bool legend = true;
  bool paper = true;  // around the drawing; without it there is no legend either
  // It is the size of the picture in pixels, 1 .. 16384; the drawing is in its middle and as large as fits, whatever
  // `size` is, without paper and on black.
  std::optional<Vec<2, int>> canvas = {};
};

// Throws InputError for options that make no sense, such as a position outside the box.
template <int Dim>
Image draw_slice(const LeafPicture<Dim>& picture, const SliceOptions& options = {});
template <int Dim>
Image draw_slice(const OctreeView<Dim>& tree, const SliceOptions& options = {}) {
  return draw_slice(LeafPicture<Dim>{tree}, options);
}

}  // namespace octavo
