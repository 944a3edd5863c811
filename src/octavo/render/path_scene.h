#pragma once

// This is what paths of light meet, and what lamps send them.

#include <cmath>
#include <optional>

#include "octavo/render/path_tracer.h"
#include "octavo/render/samples.h"

namespace octavo {

inline bool is_glass(const SurfaceHit& hit) { return hit.look->kind == SurfaceLook::Kind::glass; }

// It is what so many metres of glass leave of the light.
inline Light left_by(const SurfaceLook& glass, double distance) {
  Light left{};
  for (int c = 0; c < 3; ++c)
    left[c] = static_cast<float>(std::exp(-double{glass.absorption[c]} * distance));
  return left;
}

// It holds all that paths have in common.
struct PathScene {
  const Surfaces& surfaces;
  const Lighting& lighting;
  const Medium* medium;
  const PathOptions& options;
  SurfaceLook ground_look{};  // by its address

  // It is what a ray within a glass, or in none, meets first, the ground included. Where glass touches something, its
  // own surface is not met.
  std::optional<SurfaceHit> met(const Ray& ray, const SurfaceLook* within) const;

  // It is what a lamp lights of a matte surface of color 1, sampled; `within` is the glass that touches it.
  Light direct(const SurfaceHit& hit, const Vec3d& normal, const Vec3d& shading,
               const SurfaceLook* within, Samples& samples) const;

  // These are the lamps as they are seen in that direction.
  Light mirrored_lamps(const SurfaceHit& hit, const Vec3d& direction) const;

  // It is what comes through from a lamp in that direction.
  Light arriving(const SurfaceHit& hit, const Vec3d& direction, std::size_t lamp,
                 const SurfaceLook* within = nullptr) const;

 private:
  std::optional<SurfaceHit> touched(const SurfaceHit& glass, const Ray& ray,
                                    const std::optional<SurfaceHit>& ground) const;
};

}  // namespace octavo
