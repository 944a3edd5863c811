#pragma once

// These make pictures of another size, or without opacity.
//
//   write_png("small.png", resized(image, image.width / 4, image.height / 4));

#include "octavo/image/image.h"

namespace octavo {

// Each pixel is the mean light of the area that it covers: the light of the whole picture stays the same. Enlarged by
// a whole number, pixels become squares. Width and height are at least 1.
Image resized(const Image& image, int width, int height);

// The result has three channels; what can be seen through is black.
Image on_black(const Image& image);

}  // namespace octavo
