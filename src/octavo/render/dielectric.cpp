#include "octavo/render/dielectric.h"

#include <algorithm>
#include <cmath>

namespace octavo {
namespace {

// It is the square of the cosine behind the surface, by Snell's law; it is negative where no ray
// is.
double cos_squared_behind(double cos_in, double ior) {
  return 1 - (1 - cos_in * cos_in) / (ior * ior);
}

}  // namespace

float fresnel(double cos_in, double ior) {
  const double in = std::clamp(cos_in, 0.0, 1.0), squared = cos_squared_behind(in, ior);
  if (!(squared > 0)) return 1;
  const double behind = std::sqrt(squared);
  const double across = (in - ior * behind) / (in + ior * behind);
  const double along = (ior * in - behind) / (ior * in + behind);
  return static_cast<float>((across * across + along * along) / 2);
}

std::optional<Vec3d> refracted(const Vec3d& direction, const Vec3d& normal, double ior) {
  const double in = -dot(direction, normal), squared = cos_squared_behind(in, ior);
  if (!(squared > 0)) return std::nullopt;
  const Vec3d result = (direction + normal * in) / ior - normal * std::sqrt(squared);
  return result / length(result);
}

}  // namespace octavo
