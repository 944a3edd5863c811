#include "octavo/render/solid_shadow.h"

#include <cmath>

#include "octavo/render/path_scene.h"

namespace octavo {
namespace {

bool is_inside(const Surfaces& surfaces, const Vec3d& point) {
  Surroundings around;
  for (const Vec3d& d : cube_directions) around.add(surfaces.nearest({point, d}, {}));
  return around.is_solid();
}

}  // namespace

float light_past(const Surfaces& surfaces, const Ray& ray, double reach) {
  const auto hit = surfaces.nearest(ray, {});
  if (!hit) return 1;
  if (is_glass(*hit)) return luminance(light_through(surfaces, ray, HUGE_VAL));
  if (!hit->inside || hit->distance > reach || !is_inside(surfaces, ray.origin)) return 0;
  return luminance(light_through(surfaces, hit->onward(ray.direction), HUGE_VAL));
}

}  // namespace octavo
