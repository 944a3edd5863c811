#pragma once

// An octree is drawn as a solid block from which a part is cut away, as a camera sees it: leaves on the sides of the
// box and on the cuts are coloured as in a slice, with their edges.
//
//   const CutawayOptions options{.cut = CutPart::octant};
//   const Camera camera = corner_view(tree.domain().box(), {0, 0, 1}, 1024, options);
//   write_png("inside.png", draw_cutaway(LeafPicture<3>{tree.view()}, camera, options));

#include <optional>

#include "octavo/camera/camera.h"
#include "octavo/draw/leaf_colors.h"
#include "octavo/image/image.h"

namespace octavo {

// This part is cut away, on the camera's side of the cuts: half of the box, across an axis; a quarter, all along an
// axis; an octant.
enum class CutPart { nothing, half, quarter, octant };

struct CutawayOptions {
  CutPart cut = CutPart::octant;
  int axis = 2;  // across or along which; 0, 1 or 2
  std::optional<Vec3d> position =
      {};  // a point that all cuts go through, m; else the middle of the box
  int min_level = -1, max_level = -1;  // see SliceOptions
  bool lines = true;
  bool legend = true;  // to the right of what the camera sees
  Color background{1, 1, 1};
};

// Sides of different directions are of different brightness: those that face up are as the legend says. Throws
// InputError for options that make no sense, such as cuts outside the box or a camera inside of the block.
Image draw_cutaway(const LeafPicture<3>& picture, const Camera& camera,
                   const CutawayOptions& options = {});

// The camera looks from the front, the right and above, with little room around what the cut leaves of the box; the
// longer side of the picture has so many pixels. Throws InputError for cuts outside the box.
Camera corner_view(const Box<3>& box, const Vec3d& up, int pixels,
                   const CutawayOptions& options = {});

}  // namespace octavo
