#pragma once

// This shows how much two pictures differ, as a number and as a picture. Pictures with an opacity are taken as on
// black.
//
//   fmt::print("{:.1f} dB\n", psnr(one, other));
//   write_png("difference.png", difference(one, other, gain_for(difference_range(one, other))));

#include "octavo/image/image.h"

namespace octavo {

// It is the peak signal-to-noise ratio, dB: 20 log10(255 / root mean square of the differences of all channels). It
// is infinite if they are equal. All of these throw InputError if the sizes differ.
double psnr(const Image& one, const Image& other);

// Lightness, 0 .. 1, is CIE's L* / 100: equal steps look equal. The range is the difference that only one pixel in a
// thousand exceeds, and 0 only if there is none at all.
double difference_range(const Image& one, const Image& other);

// It is by how much a difference is made larger to be seen: a power of two up to 64.
int gain_for(double range);

// The picture is red where the other one is lighter, blue where it is darker, else light grey.
Image difference(const Image& one, const Image& other, int gain);

}  // namespace octavo
