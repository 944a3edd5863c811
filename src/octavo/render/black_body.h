#pragma once

// This is the light of a hot body: Planck's law, as the eye of a standard observer sees it.

#include "octavo/image/picture.h"

namespace octavo {

// It is the colour of a hot body, with a luminance of 1; it holds from 600 to 12000 K.
Light black_body_color(double kelvin);

// It is how bright it is, by Planck's law and to the standard observer, of what it is at 1500 K.
double black_body_luminance(double kelvin);

}  // namespace octavo
