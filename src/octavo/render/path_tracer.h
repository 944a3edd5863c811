#pragma once

// Pictures of surfaces are made by path tracing (Kajiya 1986): they have all light there is, with soft shadows, light
// from one surface to another, glass and water.
//
//   const Picture picture = path_traced(CameraRays(camera), camera.resolution, surfaces, lighting, nullptr,
//                                       {.samples = 64});
//
// Lights are asked for at every matte surface, the sky is found by the paths themselves. At glass a path is reflected
// or refracted, by chance. Simplification: light on its way from a lamp passes through glass in a straight line, with
// what Fresnel and absorption leave of it; so glass has shadows that are not black, but does not gather light. Of
// lamps only what the first surface mirrors is seen in it: a spot of at least 4 degrees with the lamp's light.
//
// The picture is the same for any number of threads, and with the same seed.

#include <cstdint>
#include <functional>

#include "octavo/camera/camera.h"
#include "octavo/render/features.h"
#include "octavo/render/lighting.h"
#include "octavo/render/medium.h"
#include "octavo/render/surfaces.h"

namespace octavo {

struct PathOptions {
  int samples = 32;  // of each pixel; powers of two are spread best

  // A pixel is done with a quarter of its samples, or half of them, but no fewer than 8, if their mean is this well
  // known: it is the part of its luminance by which it may be wrong (one standard deviation). 0 takes all samples.
  double tolerance = 0;

  // It is how often a path may go on from a surface. Then it ends; in glass, it ends with the sky for what it would
  // have met.
  int max_bounces = 12;

  // If positive, it is the most that a path may add after its first surface: there are fewer bright specks and less
  // light.
  double clamp = 0;

  // If positive, glass or water that comes so near to something matte, or to the ground, touches it, m: there is
  // nothing between them at which light would be mirrored or refracted. Without this the mesh of water beside a solid
  // shows its triangles, since it is now in front of the solid and now behind it.
  double contact = 0;

  std::uint64_t seed = 1;
  bool background = true;  // else it is transparent, where nothing is before it

  // Any thread asks it now and then: true ends the work, and the picture is empty.
  std::function<bool()> stop{};
};

// The medium may be null. What is seen first in each pixel is left in `features`, if that is not null. Throws
// InputError for less than one pixel or sample.
Picture path_traced(const CameraRays& camera, const Vec<2, int>& resolution,
                    const Surfaces& surfaces, const Lighting& lighting, const Medium* medium,
                    const PathOptions& options, Features* features = nullptr);

// It is how much of the light that comes from so far along a ray arrives at its origin: none gets through what is
// matte; light gets through glass as said above. An origin `within` glass touches it: what there is between them does
// not count.
Light light_through(const Surfaces& surfaces, Ray ray, double distance,
                    const SurfaceLook* within = nullptr);

}  // namespace octavo
