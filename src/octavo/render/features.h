#pragma once

// This is what is known of the pixels of a picture beside their light.

#include <vector>

#include "octavo/image/picture.h"

namespace octavo {

// They stand row after row; each is the mean over the samples of a pixel, of what they met first.
struct Features {
  struct Pixel {
    Light color{};       // of a matte surface; 1 for all else
    Vec3f normal{};      // towards the camera; zero for the background
    float depth = 0;     // m; 0 for the background
    float variance = 0;  // of the pixel's luminance, from sample to sample, by their number
  };
  int width = 0, height = 0;
  std::vector<Pixel> pixels;
};

}  // namespace octavo
