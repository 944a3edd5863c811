#pragma once

// The light of a hot body: Planck's law, as the eye of a standard observer sees it.

#include "octavo/image/picture.h"

namespace octavo {

// The colour of a hot body, with a luminance of 1; from 600 to 12000 K.
Light black_body_color(double kelvin);

// How bright it is, by Planck's law and to the standard observer, of what it is at 1500 K.
double black_body_luminance(double kelvin);

}  // namespace octavo
