#include "octavo/render/black_body.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace octavo {
namespace {

// A lobe is two halves of a bell curve (Wyman, Sloan, Shirley 2013, "Simple analytic approximations to the CIE XYZ
// color matching functions").
double lobe(double x, double middle, double left, double right) {
  const double t = (x - middle) * (x < middle ? left : right);
  return std::exp(-0.5 * t * t);
}

std::array<double, 3> matching(double nm) {
  return {1.056 * lobe(nm, 599.8, 0.0264, 0.0323) + 0.362 * lobe(nm, 442.0, 0.0624, 0.0374) -
              0.065 * lobe(nm, 501.1, 0.0490, 0.0382),
          0.821 * lobe(nm, 568.8, 0.0213, 0.0247) + 0.286 * lobe(nm, 530.9, 0.0613, 0.0322),
          1.217 * lobe(nm, 437.0, 0.0845, 0.0278) + 0.681 * lobe(nm, 459.0, 0.0385, 0.0725)};
}

// This is Planck's law, seen by the standard observer, up to a factor.
std::array<double, 3> xyz_of(double kelvin) {
  std::array<double, 3> xyz{};
  for (int i = 0; i <= 80; ++i) {
    const double nm = 380 + 5 * i;
    const double radiance = std::pow(nm / 560, -5) / std::expm1(1.438776877e7 / (nm * kelvin));
    const auto eye = matching(nm);
    for (std::size_t c = 0; c < 3; ++c) xyz[c] += radiance * eye[c];
  }
  return xyz;
}

}  // namespace

// The colour is in the primaries of sRGB; what is outside of what these can show is brought to the nearest that they
// can.
Light black_body_color(double kelvin) {
  const auto xyz = xyz_of(std::clamp(kelvin, 600.0, 12000.0));
  const double x = xyz[0] / xyz[1], z = xyz[2] / xyz[1];
  const Light rgb = Vec3d{3.2406 * x - 1.5372 - 0.4986 * z, -0.9689 * x + 1.8758 + 0.0415 * z,
                          0.0557 * x - 0.2040 + 1.0570 * z}
                        .cast<float>();
  const Light shown = max(rgb, Light{0, 0, 0});
  return shown / luminance(shown);
}

double black_body_luminance(double kelvin) {
  static const double reference = xyz_of(1500)[1];
  return kelvin > 0 ? xyz_of(kelvin)[1] / reference : 0;
}

}  // namespace octavo
