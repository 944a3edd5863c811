#pragma once

// It takes the noise out of a path traced picture.
//
//   Features features;
//   const Picture noisy = path_traced(..., {.samples = 16}, &features);
//   const Picture clean = denoised(noisy, features);
//
// It is an edge-avoiding wavelet filter (Dammertz, Sewtz, Hanika, Lensch 2010), which knows how noisy each pixel is
// (Schied et al. 2017): a pixel takes from others that show the same surface, as far as their light differs by no
// more than noise does. Colours of surfaces are divided out before, so that textures stay sharp. What is seen in
// glass is not known to it, and becomes soft.

#include "octavo/render/features.h"

namespace octavo {

struct DenoiseOptions {
  int passes = 5;       // each reaches twice as far as the one before, the first two pixels
  double strength = 3;  // by how many standard deviations pixels may differ, about
};

// Denoising takes about 100 bytes for each pixel, the picture and its features included. Throws InputError if that
// would be more than 7 GB; it is to be asked before the picture is made.
void require_denoisable(const Vec<2, int>& resolution);

// Throws InputError if the features are not those of a picture of this size, or if it is too large.
Picture denoised(const Picture& picture, const Features& features,
                 const DenoiseOptions& options = {});

}  // namespace octavo
