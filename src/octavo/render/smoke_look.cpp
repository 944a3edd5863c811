#include "octavo/render/smoke_look.h"

#include "octavo/render/black_body.h"

namespace octavo {

Light emitted(const Glow& glow, double temperature) {
  const double kelvin = glow.base + glow.per_kelvin * temperature;
  return black_body_color(kelvin) *
         static_cast<float>(glow.strength * black_body_luminance(kelvin));
}

}  // namespace octavo
