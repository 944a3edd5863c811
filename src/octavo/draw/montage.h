#pragma once

// Several pictures go on one: the frames of a run with their numbers, or two pictures beside their difference.
//
//   write_png("sheet.png", sheet(frames, {"1", "2", "3"}, {.columns = 3}));
//   write_png("both.png", side_by_side(one, other, {.left = "octree", .right = "uniform", .gain = 8}));

#include <string>
#include <vector>

#include "octavo/image/image.h"

namespace octavo {

struct SheetOptions {
  int columns = 0;   // 0: about as many as make the sheet as wide as high
  int width = 1600;  // pixels of the sheet, at most
};

// Labels stand below; there may be fewer of them than pictures. Pictures keep their shape; none is made larger.
// Throws InputError if there is no picture or no room for the columns.
Image sheet(const std::vector<Image>& images, const std::vector<std::string>& labels,
            const SheetOptions& options = {});

struct SideBySide {
  std::string title{}, left{}, right{};
  int gain = 1;     // of the difference, see difference.h
  int width = 640;  // of each of the three, pixels; smaller pictures are shown with larger pixels
};

// These are the first, the second and their difference; below their names stand the PSNR and what the colours of the
// difference mean. The result has one size for pictures of one size, whatever the rest is. Throws InputError if the
// sizes differ.
Image side_by_side(const Image& one, const Image& other, const SideBySide& options);

}  // namespace octavo
