#pragma once

// This is what happens to light where glass or water begins or ends.
//
// `ior` is the refractive index behind the surface over that in front of it: 1.5 into glass, 1 / 1.5 out of
// it. The normal has length 1 and points against the ray.

#include <optional>

#include "octavo/base/vec.h"

namespace octavo {

// It is the part of unpolarised light that is reflected (Fresnel 1823), for the cosine of the angle between
// the ray and the normal; it is 1 where there is no refracted ray.
float fresnel(double cos_in, double ior);

// It is the direction of the refracted ray, of length 1; it is none if all light is reflected.
std::optional<Vec3d> refracted(const Vec3d& direction, const Vec3d& normal, double ior);

inline Vec3d reflected(const Vec3d& direction, const Vec3d& normal) {
  return direction - normal * (2 * dot(direction, normal));
}

}  // namespace octavo
