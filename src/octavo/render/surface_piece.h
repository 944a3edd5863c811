#pragma once

// It is one of the surfaces of a Surfaces: what is known of it, and what a ray finds at a place of
// it.

#include <optional>

#include "octavo/render/surfaces.h"

namespace octavo {

using Corners = std::array<std::uint32_t, 3>;
using BallPoint = std::array<float, 4>;  // middle and radius, as Embree has them

struct SurfacePiece {
  SurfaceLook look;
  Box<3> box;
  SurfaceMesh mesh{};  // without vertices and triangles when Embree has them
  std::optional<Shape<3>> shape{};
  const Vec3f* vertices = nullptr;  // relative to `middle`
  const Corners* triangles = nullptr;
  const BallPoint* balls = nullptr;  // relative to `middle`; then there are no triangles
  Vec3d middle{};
  double clearance = 0;

  // Both throw InputError for what makes no sense.
  SurfacePiece(SurfaceMesh from, const SurfaceLook& how);
  SurfacePiece(const Shape<3>& from, const Box<3>& within, const SurfaceLook& how);

  bool empty() const;  // nothing to be seen
  double size() const;
  double detail() const { return 1e-5 * size(); }  // what may be missed of a shape

  SurfaceHit shape_hit(const Ray& ray, double distance) const;
  SurfaceHit ball_hit(const Ray& ray, const BallPoint& ball, double distance) const;  // about there

  // The hit is at a + u (b - a) + v (c - a).
  SurfaceHit mesh_hit(const Ray& ray, const Corners& triangle, const Vec2f& uv) const;

 private:
  bool other_square(const Vec3d& point, const Vec2f* texture) const;
  Light color(const Vec3d& point, const Vec2f* texture) const;
  void finish(const Ray& ray, SurfaceHit& hit) const;
  void smoothen(const Corners& triangle, const Vec3f& weight, SurfaceHit& hit) const;
};

}  // namespace octavo
