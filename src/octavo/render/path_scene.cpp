#include "octavo/render/path_scene.h"

#include <algorithm>
#include <numbers>

#include "octavo/render/dielectric.h"

namespace octavo {
namespace {

double cos_of_half(double degrees) {
  return std::cos(std::clamp(degrees, 0.0, 180.0) * std::numbers::pi / 360);
}

// Directions spread evenly over the directions around one, up to an angle with this cosine.
Vec3d in_cone(const Vec3d& axis, double cosine, const Vec2d& at) {
  const double c = 1 - at[0] * (1 - cosine), s = std::sqrt(std::max(0.0, 1 - c * c));
  const double angle = 2 * std::numbers::pi * at[1];
  return Basis(axis)({s * std::cos(angle), s * std::sin(angle), c});
}

std::optional<SurfaceHit> ground_met(const Ray& ray, const Lighting& lighting) {
  const Vec3d& up = lighting.sky.up;
  const double height = lighting.ground->height, above = dot(ray.origin, up) - height;
  const double distance = -above / dot(ray.direction, up);
  if (!(distance > 0) || !std::isfinite(distance)) return std::nullopt;
  SurfaceHit hit;
  hit.distance = distance;
  hit.point = ray.at(distance);
  hit.point += up * (height - dot(hit.point, up));
  hit.normal = hit.shading = up;
  hit.inside = above < 0;
  hit.color = lighting.ground->color;
  hit.clearance = 1e-9 * std::max(1.0, length(hit.point));
  return hit;
}

}  // namespace

Light light_through(const Surfaces& surfaces, Ray ray, double distance, const SurfaceLook* within) {
  if (!surfaces.has_glass()) return surfaces.blocked(ray, {0, distance}) ? Light{} : Light{1, 1, 1};
  constexpr int enough_sheets = 64;
  Light left{1, 1, 1};
  for (int i = 0; i < enough_sheets; ++i) {
    const auto hit = surfaces.nearest(ray, {0, distance});
    if (!hit) return left;
    if (!is_glass(*hit)) return {};
    const bool between = !hit->inside && hit->look == within;
    if (hit->inside) within = nullptr;
    ray = hit->onward(ray.direction);
    distance -= hit->distance;
    if (between) continue;
    const double cosine = std::abs(dot(ray.direction, hit->shading));
    left *= 1 - fresnel(cosine, std::max(hit->look->ior, 1 / hit->look->ior));
    if (hit->inside) left = scaled(left, left_by(*hit->look, hit->distance));
  }
  return {};
}

// A ray that comes upon glass from without, though it is within the same glass, is in the gap between the glass and
// what that touches.
std::optional<SurfaceHit> PathScene::met(const Ray& ray, const SurfaceLook* within) const {
  constexpr int enough_gaps = 4;
  std::optional<SurfaceHit> ground;
  if (lighting.ground) ground = ground_met(ray, lighting);
  if (ground) ground->look = &ground_look;
  const double end = ground ? ground->distance : HUGE_VAL;
  Ray onward = ray;
  double passed = 0;
  for (int i = 0; i < enough_gaps; ++i) {
    auto hit = surfaces.nearest(onward, {0, end - passed});
    if (!hit) return ground;
    hit->distance += passed;
    if (!(options.contact > 0) || !is_glass(*hit)) return hit;
    if (hit->inside) return touched(*hit, ray, ground).value_or(*hit);
    if (hit->look != within) return hit;
    onward = hit->onward(ray.direction);
    passed = hit->distance;
  }
  return ground;
}

// Surfaces may also be at the same place, and rounding decides which of them is met first.
std::optional<SurfaceHit> PathScene::touched(const SurfaceHit& glass, const Ray& ray,
                                             const std::optional<SurfaceHit>& ground) const {
  constexpr double flattest = 0.1;
  const double cosine = std::max(std::abs(dot(ray.direction, glass.normal)), flattest);
  const double margin = 8 * glass.clearance, reach = options.contact / cosine;
  const auto solid = surfaces.nearest(
      ray, {std::max(0.0, glass.distance - margin), glass.distance + reach}, Seen::matte);
  if (solid) return solid;
  return ground && ground->distance <= glass.distance + reach ? ground : std::nullopt;
}

Light PathScene::arriving(const SurfaceHit& hit, const Vec3d& direction, std::size_t lamp,
                          const SurfaceLook* within) const {
  const Ray ray = hit.back(direction);
  if (lighting.ground && ground_met(ray, lighting)) return {};
  const Light left = light_through(surfaces, ray, HUGE_VAL, within);
  if (medium == nullptr || left == Light{}) return left;
  return left * medium->arriving(hit.point, lamp);
}

// The light is divided by the mean cosine of the lamp's directions, so that its strength is what a surface that faces
// it shows, however large it is.
Light PathScene::direct(const SurfaceHit& hit, const Vec3d& normal, const Vec3d& shading,
                        const SurfaceLook* within, Samples& samples) const {
  Light sum{};
  for (std::size_t i = 0; i < lighting.lights.size(); ++i) {
    const DistantLight& lamp = lighting.lights[i];
    const double edge = cos_of_half(lamp.angle);
    const Vec3d direction = in_cone(-lamp.direction, edge, samples.pair());
    const double cosine = dot(direction, shading);
    if (!(cosine > 0) || (hit.lift == Vec3d{} && !(dot(direction, normal) > 0))) continue;
    sum += scaled(lamp.strength, arriving(hit, direction, i, within)) *
           static_cast<float>(cosine * 2 / (1 + edge));
  }
  return sum;
}

// A lamp is seen as a spot of radiance exp(-(angle / size)^2) / size^2 times the strength, under which a surface that
// faces it shows the strength.
Light PathScene::mirrored_lamps(const SurfaceHit& hit, const Vec3d& direction) const {
  constexpr double smallest = 4, faintest = 1e-4;
  Light sum{};
  for (std::size_t i = 0; i < lighting.lights.size(); ++i) {
    const DistantLight& lamp = lighting.lights[i];
    const double size = std::max(lamp.angle, smallest) * std::numbers::pi / 360;
    const double squared =
        2 * (1 + dot(direction, lamp.direction));  // of the angle, if it is small
    const double spot = std::exp(-squared / (size * size)) / (size * size);
    if (spot < faintest) continue;
    sum += scaled(lamp.strength, arriving(hit, direction, i)) * static_cast<float>(spot);
  }
  return sum;
}

}  // namespace octavo
