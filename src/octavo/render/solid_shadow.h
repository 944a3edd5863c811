#pragma once

// This is what solids leave of the light on its way to a place in smoke.
//
//   Surroundings around;
//   for (const Vec3d& d : cube_directions) around.add(surfaces.nearest({point, d}, {}));
//   if (around.is_solid()) ...                            // the point is inside of something

#include <array>
#include <numbers>
#include <optional>

#include "octavo/render/surfaces.h"

namespace octavo {

// These go through the faces and corners of a cube.
inline constexpr std::array<Vec3d, 14> cube_directions = [] {
  std::array<Vec3d, 14> all{};
  for (std::size_t i = 0; i < 6; ++i) all[i][static_cast<int>(i / 2)] = i % 2 == 0 ? 1 : -1;
  for (std::size_t c = 0; c < 8; ++c)
    for (int a = 0; a < 3; ++a)
      all[6 + c][a] = (c >> a & 1) == 0 ? std::numbers::inv_sqrt3 : -std::numbers::inv_sqrt3;
  return all;
}();

// It is what a point sees of surfaces around it. One ray that meets a surface from behind says little: a mesh may be
// open.
class Surroundings {
 public:
  void add(const std::optional<SurfaceHit>& hit) {
    met_ += hit ? 1 : 0;
    behind_ += hit && hit->inside ? 1 : 0;
  }
  // Nothing is seen but surfaces, and most of them from behind.
  bool is_solid() const {
    return met_ == static_cast<int>(cube_directions.size()) && 2 * behind_ > met_;
  }

 private:
  int met_ = 0, behind_ = 0;
};

// It is how much of the light at the end of a ray arrives at its origin; of glass it is what light_through() says,
// without its colour. A place inside of a solid, not deeper than `reach`, about which smoke beside it asks, is as
// light as where the ray comes out.
float light_past(const Surfaces& surfaces, const Ray& ray, double reach);

}  // namespace octavo
