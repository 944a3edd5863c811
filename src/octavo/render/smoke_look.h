#pragma once

// This is what smoke looks like: how it stops light, sends it on and glows.

#include <algorithm>
#include <cmath>
#include <optional>

#include "octavo/image/picture.h"

namespace octavo {

// Soot glows as hot bodies do: what it gives off by its temperature is a source of light.
struct Glow {
  double base = 800;         // temperature of smoke at 0 K of the simulation, K
  double per_kelvin = 1000;  // by which it grows with the simulation's, K
  double strength = 1;       // of the light at 1500 K
};

struct SmokeLook {
  double extinction = 40;             // of a density of 1: how much light is stopped, 1/m
  Light albedo{0.95f, 0.95f, 0.95f};  // the part of it that is sent on
  double anisotropy = 0;              // forwards if above 0, back if below; between -1 and 1
  // Light is sent on several times: each order is like the first, with a half of the light, less stopped and
  // more even (Wrenninge, Kulla, Lundqvist 2013). 1 is single scattering, which is exact.
  int orders = 1;
  std::optional<Glow> glow{};
};

// It is how much of the light is sent on by an angle, of what would be if all directions were equal (Henyey,
// Greenstein 1941); its mean over all directions is 1.
inline double phase(double cosine, double anisotropy) {
  const double g = std::abs(anisotropy);
  const double c = std::clamp(anisotropy < 0 ? -cosine : cosine, -1.0, 1.0);
  const double d = (1 - g) * (1 - g) + 2 * g * (1 - c);
  return (1 - g) * (1 + g) / (d * std::sqrt(d));
}

// It is what smoke of a temperature, as the simulation has it, gives off.
Light emitted(const Glow& glow, double temperature);

}  // namespace octavo
