#pragma once

// Scenes whose pictures are known.

#include <algorithm>
#include <cmath>

#include "octavo/render/path_tracer.h"
#include "shapes/test_meshes.h"

namespace octavo::test {

inline constexpr Box<3> everywhere{{-100, -100, -100}, {100, 100, 100}};

// The same light from all directions.
inline Lighting furnace(float light) {
  const Light l = Light::filled(light);
  Lighting lighting;
  lighting.sky = {{0, 0, 1}, l, l, l};
  return lighting;
}

// One lamp in the dark.
inline Lighting lamp(const Vec3d& direction, float strength, double angle = 0) {
  Lighting lighting = furnace(0);
  lighting.lights = {{normalized(direction), Light::filled(strength), angle}};
  return lighting;
}

inline Camera camera_from(const Vec3d& position, const Vec3d& target, double field_of_view,
                          const Vec<2, int>& resolution, const Vec3d& up = {0, 0, 1}) {
  return {position, target, up, field_of_view, resolution};
}

inline SurfaceMesh surface(const TriangleMesh& mesh) {
  SurfaceMesh result;
  static_cast<TriangleMesh&>(result) = mesh;
  return result;
}

// A parallelogram; its normal is the cross product of its sides.
inline SurfaceMesh sheet(const Vec3d& corner, const Vec3d& a, const Vec3d& b) {
  return surface({{corner, corner + a, corner + a + b, corner + b}, {{0, 1, 2}, {0, 2, 3}}});
}

inline SurfaceLook matte(float color) {
  return {.kind = SurfaceLook::Kind::matte, .color = Light::filled(color)};
}
inline SurfaceLook glass(double ior = 1.5, float absorption = 0) {
  return {.kind = SurfaceLook::Kind::glass, .ior = ior, .absorption = Light::filled(absorption)};
}

inline Surfaces only(SurfaceMesh mesh, const SurfaceLook& look) {
  Surfaces surfaces;
  surfaces.add(std::move(mesh), look);
  surfaces.commit();
  return surfaces;
}
inline Surfaces only(const Shape<3>& shape, const SurfaceLook& look) {
  Surfaces surfaces;
  surfaces.add(shape, everywhere, look);
  surfaces.commit();
  return surfaces;
}

inline Picture taken(const Camera& camera, const Surfaces& surfaces, const Lighting& lighting,
                     const PathOptions& options, const Medium* medium = nullptr) {
  return path_traced(CameraRays(camera), camera.resolution, surfaces, lighting, medium, options);
}

// The largest difference of any channel of any pixel from a value.
inline float worst(const Picture& picture, float value) {
  float most = 0;
  for (const Picture::Pixel& p : picture.pixels)
    for (const float c : p.light.v) most = std::max(most, std::abs(c - value));
  return most;
}

inline double mean(const Picture& picture) {
  double sum = 0;
  for (const Picture::Pixel& p : picture.pixels) sum += double{luminance(p.light)};
  return sum / static_cast<double>(picture.pixels.size());
}

}  // namespace octavo::test
