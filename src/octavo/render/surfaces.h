#pragma once

// These are the surfaces of a picture, meshes and shapes, and where rays meet them. Meshes are traced by Embree.
//
//   Surfaces surfaces;
//   surfaces.add(read_surface_mesh("water.ply"), {.kind = SurfaceLook::Kind::glass, .ior = 1.33});
//   surfaces.add(sphere_shape<3>({0, 0, 1}, 0.5), domain.box(), {});
//   surfaces.commit();
//   if (const auto hit = surfaces.nearest(ray, {})) ray = hit->onward(direction);
//
// Queries may come from many threads, and what they find does not depend on how many.
//
// Precision: Embree's numbers are floats. They are taken from the middle of all surfaces, and rays begin where
// they enter the box around them, so that it does not matter how far away the origin or the camera is; the
// place of a hit is computed anew from the triangle. A ray that goes on from there begins a few millionths of
// the scene's size beside the surface.

#include <memory>
#include <optional>

#include "octavo/camera/ray.h"
#include "octavo/render/surface_look.h"
#include "octavo/shapes/shape.h"
#include "octavo/shapes/surface_mesh.h"

namespace octavo {

struct SurfaceHit {
  double distance = 0;
  Vec3d point{};
  Vec3d normal{};   // of the surface as it is, length 1, outwards
  Vec3d shading{};  // smooth from triangle to triangle, if the mesh is to look so; to the same side
  Light color{};
  const SurfaceLook* look = nullptr;
  bool inside = false;   // the ray came from within
  double clearance = 0;  // how far from the surface another ray should begin, m
  Vec3d lift{};  // from the triangle to the smooth surface it stands for, where that is above it

  // It is the ray that begins here, on the side to which it goes.
  Ray onward(const Vec3d& direction) const {
    const double side = dot(direction, normal) < 0 ? -clearance : clearance;
    return {point + normal * side, direction};
  }

  // It is the ray that begins on the side from which this one came, and on the smooth surface: the edges of triangles
  // must not be seen in the shadow that a round thing casts on itself.
  Ray back(const Vec3d& direction) const {
    return {point + lift + normal * (inside ? -clearance : clearance), direction};
  }
};

// Rays may look for any surface, or only for those that are not glass.
enum class Seen { all, matte };

class Surfaces {
 public:
  Surfaces();
  Surfaces(const Surfaces&) = delete;
  Surfaces& operator=(const Surfaces&) = delete;
  Surfaces(Surfaces&&) noexcept;
  Surfaces& operator=(Surfaces&&) noexcept;
  ~Surfaces();

  // Outwards is where the vertices of a triangle go around against the clock; vertices with radii are balls. Throws
  // InputError for triangles of vertices that do not exist, for balls that are none, and for a look that makes no sense.
  void add(SurfaceMesh mesh, const SurfaceLook& look);

  // It adds what of the shape is within the box, which closes it. A step along a ray asks the shape once; for a mesh
  // that is much more than tracing its triangles.
  void add(const Shape<3>& shape, const Box<3>& within, const SurfaceLook& look);

  // It is called after the last surface is added, and before the first query.
  void commit();

  bool empty() const;
  bool has_glass() const;

  std::optional<SurfaceHit> nearest(const Ray& ray, const Span& span, Seen seen = Seen::all) const;

  // Is there something that is not glass?
  bool blocked(const Ray& ray, const Span& span) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo
