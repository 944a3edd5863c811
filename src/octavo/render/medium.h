#pragma once

// A medium fills the space between surfaces, as rays see it.

#include "octavo/camera/ray.h"
#include "octavo/image/picture.h"

namespace octavo {

// It is a part of a ray through a medium: the light that comes out at its beginning, and how much of what is
// behind its end gets through.
struct Marched {
  Light light{};
  float transmittance = 1;
};

class Medium {
 public:
  Medium() = default;
  Medium(const Medium&) = delete;
  Medium& operator=(const Medium&) = delete;
  virtual ~Medium() = default;

  virtual Marched march(const Ray& ray, const Span& span) const = 0;

  // Beyond this distance there is nothing of it along a ray.
  virtual double reach(const Ray& /*ray*/) const { return std::numeric_limits<double>::infinity(); }

  // It is how much of the light of a Lighting's light with this index arrives at a point.
  virtual float arriving(const Vec3d& point, std::size_t light) const = 0;
};

}  // namespace octavo
