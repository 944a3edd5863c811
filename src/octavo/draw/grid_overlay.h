#pragma once

// The leaves of an octree are drawn as thin lines in front of a picture that a camera has taken: those that a plane
// cuts, and the edges of the box. Everything between the lines stays as it is.
//
//   draw_grid_overlay(frame, CameraRays(camera), tree.view(), {.axis = 1, .opacity = 0.4});

#include <optional>

#include "octavo/camera/camera.h"
#include "octavo/draw/leaf_colors.h"
#include "octavo/image/picture.h"

namespace octavo {

struct GridOverlayOptions {
  int axis = 1;                         // the plane is across it; 0, 1 or 2
  std::optional<double> position = {};  // of the plane, m; else the middle of the box
  double opacity = 0.6;                 // of lines; 0 .. 1
  double width = 1;                     // of lines, pixels; 0 .. 64
  bool leaves = true, outline = true;   // lines of leaves; edges of the box
  Color outline_color = color_of(0xc8ccd2);
  int min_level = -1,
      max_level = -1;  // whose lines have the first and the last colour; see SliceOptions
};

// Throws InputError for options that make no sense, such as a position outside the box.
void draw_grid_overlay(Image& image, const CameraRays& rays, const OctreeView<3>& tree,
                       const GridOverlayOptions& options = {});
void draw_grid_overlay(Picture& picture, const CameraRays& rays, const OctreeView<3>& tree,
                       const GridOverlayOptions& options = {});

}  // namespace octavo
