#include "octavo/render/path.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "octavo/render/dielectric.h"

namespace octavo {
namespace {

// Directions are as frequent as the cosine to the normal says.
Vec3d by_cosine(const Vec3d& normal, const Vec2d& at) {
  const double s = std::sqrt(at[0]), angle = 2 * std::numbers::pi * at[1];
  return Basis(normal)({s * std::cos(angle), s * std::sin(angle), std::sqrt(1 - at[0])});
}

// The normals are on the side from which the ray comes.
Vec3d towards(const Vec3d& normal, const SurfaceHit& hit) { return hit.inside ? -normal : normal; }

// It is what glass does to a ray: one of two things, by chance.
struct Deflection {
  Vec3d direction;
  bool mirrored;
};

Deflection deflected(const Vec3d& direction, const Vec3d& normal, double ior, double chance) {
  const bool mirrored = chance < double{fresnel(-dot(direction, normal), ior)};
  const auto into = mirrored ? std::nullopt : refracted(direction, normal, ior);
  return into ? Deflection{*into, false} : Deflection{reflected(direction, normal), true};
}

}  // namespace

void Path::follow() {
  while (step()) ++bounce_;
}

bool Path::step() {
  samples_.begin(bounce_);
  const auto hit = scene_.met(ray_, within_);
  if (hit && bounce_ == 0) note(*hit);
  travel(hit ? &*hit : nullptr);
  if (!hit) {
    escape();
    return false;
  }
  if (hit->look == &scene_.ground_look && !fade(*hit)) return false;
  return is_glass(*hit) ? pass_glass(*hit) : scatter(*hit);
}

void Path::note(const SurfaceHit& hit) {
  first.color = is_glass(hit) ? Light{1, 1, 1} : hit.color;
  first.normal = towards(hit.shading, hit).cast<float>();
  first.depth = static_cast<float>(hit.distance);
}

void Path::add(const Light& more) {
  Light part = scaled(weight_, more);
  const auto most = static_cast<float>(scene_.options.clamp);
  const float size = std::max({part[0], part[1], part[2]});
  if (bounce_ > 0 && most > 0 && size > most) part *= most / size;
  light += part;
}

// The path goes from one surface to the next: through the medium, or through glass. A ray that hits glass
// from its inside has come through it, even if the camera stands there.
void Path::travel(const SurfaceHit* hit) {
  const SurfaceLook* in = hit != nullptr && hit->inside && is_glass(*hit) ? hit->look : within_;
  if (in != nullptr) {
    if (hit != nullptr) weight_ = scaled(weight_, left_by(*in, hit->distance));
  } else if (scene_.medium != nullptr) {
    const double distance = hit != nullptr ? hit->distance : HUGE_VAL;
    const Marched m =
        bounce_ == 0 ? first_march_->to(distance) : scene_.medium->march(ray_, {0, distance});
    add(m.light);
    weight_ *= m.transmittance;
  }
}

void Path::escape() {
  if (bounce_ > 0 || scene_.options.background)
    add(scene_.lighting.sky.at(ray_.direction));
  else
    opacity -= weight_[0];
  if (bounce_ == 0) first.color = {1, 1, 1};
}

// The ground becomes the horizon; the result is false if nothing of it is left.
bool Path::fade(const SurfaceHit& hit) {
  const double part = hit.distance / scene_.lighting.ground->fade;
  const auto left = static_cast<float>(std::exp(-part * part));
  if (bounce_ > 0 || scene_.options.background)
    add(scene_.lighting.sky.horizon * (1 - left));
  else
    opacity -= weight_[0] * (1 - left);
  weight_ *= left;
  return left > 1e-4f;
}

// These are the lamps in a mirror, which paths would find too seldom.
Light Path::glint(const SurfaceHit& hit, const Vec3d& shading) const {
  const Vec3d direction = reflected(ray_.direction, shading);
  if (hit.inside || !(dot(direction, hit.normal) > 0)) return {};
  return scene_.mirrored_lamps(hit, direction) *
         fresnel(-dot(ray_.direction, shading), hit.look->ior);
}

bool Path::pass_glass(const SurfaceHit& hit) {
  const double ior = hit.inside ? 1 / hit.look->ior : hit.look->ior;
  const Vec3d normal = towards(hit.normal, hit), shading = towards(hit.shading, hit);
  const double chance = samples_.single();
  if (bounce_ == 0) add(glint(hit, shading));
  // Where a smooth normal would send light to the wrong side of the surface, the true one is taken.
  Deflection bent = deflected(ray_.direction, shading, ior, chance);
  if ((dot(bent.direction, normal) > 0) != bent.mirrored || dot(ray_.direction, shading) >= 0)
    bent = deflected(ray_.direction, normal, ior, chance);
  within_ = hit.inside == bent.mirrored ? hit.look : nullptr;
  ray_ = hit.onward(bent.direction);
  if (bounce_ < scene_.options.max_bounces) return survives();
  add(scene_.lighting.sky.at(ray_.direction));
  return false;
}

// A direction below the true surface is mirrored at it, so that no light is lost.
bool Path::scatter(const SurfaceHit& hit) {
  const Vec3d normal = towards(hit.normal, hit), shading = towards(hit.shading, hit);
  weight_ = scaled(weight_, hit.color);
  add(scene_.direct(hit, normal, shading, within_, samples_));
  if (bounce_ >= scene_.options.max_bounces) return false;
  Vec3d direction = by_cosine(shading, samples_.pair());
  if (dot(direction, normal) < 0) direction = reflected(direction, normal);
  ray_ = hit.back(direction);
  return survives();
}

// This is Russian roulette (Arvo, Kirk 1990): dim paths end by chance, and those that go on stand for them.
bool Path::survives() {
  constexpr int safe_bounces = 3;
  if (bounce_ < safe_bounces) return true;
  const float chance = std::min(1.0f, std::max({weight_[0], weight_[1], weight_[2]}));
  if (!(samples_.single() < double{chance})) return false;
  weight_ = weight_ / chance;
  return true;
}

}  // namespace octavo
