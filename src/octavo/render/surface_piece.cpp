#include "octavo/render/surface_piece.h"

#include <algorithm>
#include <cmath>

#include "octavo/base/error.h"
#include "octavo/render/vertex_normals.h"

namespace octavo {
namespace {

void check(const SurfaceLook& look) {
  if (!(look.ior > 0) || !std::isfinite(look.ior))
    throw InputError("a refractive index must be positive, not {}", look.ior);
  if (!(look.squares > 0) || !std::isfinite(look.squares))
    throw InputError("a checkerboard must have some squares, not {}", look.squares);
  for (const float a : look.absorption.v)
    if (!(a >= 0)) throw InputError("an absorption must not be negative, as {} is", a);
}

void check(const SurfaceMesh& mesh) {
  for (const Corners& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle)
      if (corner >= mesh.vertices.size())
        throw InputError("a triangle has a vertex that is not there");
  auto fits = [&](const auto& part) { return part.empty() || part.size() == mesh.vertices.size(); };
  if (!fits(mesh.radii) || (!mesh.radii.empty() && !mesh.triangles.empty()))
    throw InputError("not every vertex is a ball, or there are triangles of them");
  for (const float r : mesh.radii)
    if (!(r > 0) || !std::isfinite(r)) throw InputError("a ball has a radius of {} m", r);
  if (!fits(mesh.colors) || !fits(mesh.texture) || !fits(mesh.normals))
    throw InputError("not every vertex has a colour, a texture coordinate or a normal");
}

// Vertices without a triangle do not count, unless they are balls.
Box<3> box_around(const SurfaceMesh& mesh) {
  Box<3> box{Vec3d::filled(HUGE_VAL), Vec3d::filled(-HUGE_VAL)};
  auto add = [&](std::size_t vertex, double radius) {
    const Vec3d& p = mesh.vertices[vertex];
    if (!std::isfinite(p[0] + p[1] + p[2])) throw InputError("a vertex is not a finite point");
    box = {min(box.lo, p - Vec3d::filled(radius)), max(box.hi, p + Vec3d::filled(radius))};
  };
  for (const Corners& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle) add(corner, 0);
  for (std::size_t i = 0; i < mesh.radii.size(); ++i) add(i, double{mesh.radii[i]});
  return box;
}

template <class T>
T blend(const std::vector<T>& values, const Corners& t, const Vec3f& weight) {
  return values[t[0]] * weight[0] + values[t[1]] * weight[1] + values[t[2]] * weight[2];
}

bool odd(double x) { return std::fmod(std::abs(std::floor(x)), 2.0) == 1; }

// The smooth normal is turned around if it is on the other side of the surface.
Vec3d beside(const Vec3d& smooth, const Vec3d& normal) {
  const double size = length(smooth);
  return size > 0 ? smooth * (std::copysign(1.0, dot(smooth, normal)) / size) : normal;
}

}  // namespace

SurfacePiece::SurfacePiece(SurfaceMesh from, const SurfaceLook& how)
    : look(how), mesh(std::move(from)) {
  check(look);
  check(mesh);
  box = box_around(mesh);
  if (look.smooth && mesh.normals.empty() && mesh.radii.empty())
    mesh.normals = vertex_normals(mesh);
}

SurfacePiece::SurfacePiece(const Shape<3>& from, const Box<3>& within, const SurfaceLook& how)
    : look(how) {
  check(look);
  const Box<3>& all = from.bounds();
  box = {max(all.lo, within.lo), min(all.hi, within.hi)};
  if (empty()) return;
  const bool whole = box.lo == all.lo && box.hi == all.hi;
  shape = whole ? from : intersect({from, box_shape<3>(within.lo, within.hi)});
  clearance = 0.1 * detail();
}

bool SurfacePiece::empty() const {
  for (int a = 0; a < 3; ++a)
    if (!(box.lo[a] <= box.hi[a])) return true;
  return false;
}

double SurfacePiece::size() const {
  const Vec3d s = box.size();
  return std::max({s[0], s[1], s[2]});
}

// With no texture coordinates squares are cubes; no side of the box is where one of them ends.
bool SurfacePiece::other_square(const Vec3d& point, const Vec2f* texture) const {
  if (texture != nullptr)
    return odd(double{(*texture)[0]} * look.squares) != odd(double{(*texture)[1]} * look.squares);
  bool other = false;
  for (int a = 0; a < 3; ++a)
    other = other != odd((point[a] - box.lo[a]) * look.squares / size() + 0.37);
  return other;
}

Light SurfacePiece::color(const Vec3d& point, const Vec2f* texture) const {
  const bool checkered = look.texture == SurfaceLook::Texture::checkerboard;
  return checkered && other_square(point, texture) ? look.other_color : look.color;
}

void SurfacePiece::finish(const Ray& ray, SurfaceHit& hit) const {
  hit.look = &look;
  hit.inside = dot(ray.direction, hit.normal) > 0;
  hit.clearance = clearance;
}

SurfaceHit SurfacePiece::shape_hit(const Ray& ray, double distance) const {
  SurfaceHit hit;
  hit.distance = distance;
  hit.point = ray.at(distance);
  hit.normal = shape->normal(hit.point, detail());
  if (hit.normal == Vec3d{}) hit.normal = -ray.direction;
  hit.shading = hit.normal;
  hit.color = color(hit.point, nullptr);
  finish(ray, hit);
  return hit;
}

// Embree's place of the hit is rounded; the ball is where its equation says.
SurfaceHit SurfacePiece::ball_hit(const Ray& ray, const BallPoint& ball, double distance) const {
  const Vec3d center = middle + Vec3f{ball[0], ball[1], ball[2]}.cast<double>();
  const Vec3d from = ray.at(distance) - center;
  const double along = dot(from, ray.direction), radius = double{ball[3]};
  const double half = std::sqrt(std::max(0.0, along * along - dot(from, from) + radius * radius));
  SurfaceHit hit;
  hit.distance = distance + (along < 0 ? -along - half : half - along);
  hit.point = ray.at(hit.distance);
  hit.normal = hit.shading = normalized(hit.point - center);
  hit.color = color(hit.point, nullptr);
  finish(ray, hit);
  return hit;
}

// The smooth surface is where the planes through the vertices, at right angles to their normals, meet in the
// mean (Hanika 2021, "Hacking the shadow terminator").
void SurfacePiece::smoothen(const Corners& t, const Vec3f& weight, SurfaceHit& hit) const {
  hit.shading = beside(blend(mesh.normals, t, weight).cast<double>(), hit.normal);
  if (look.kind == SurfaceLook::Kind::glass) return;
  const Vec3d side = hit.inside ? -hit.normal : hit.normal, point = hit.point - middle;
  for (int i = 0; i < 3; ++i) {
    const std::uint32_t corner = t[static_cast<std::size_t>(i)];
    const Vec3d normal = beside(mesh.normals[corner].cast<double>(), side);
    const double below = std::min(0.0, dot(point - vertices[corner].cast<double>(), normal));
    hit.lift -= normal * (below * double{weight[i]});
  }
}

SurfaceHit SurfacePiece::mesh_hit(const Ray& ray, const Corners& t, const Vec2f& uv) const {
  const Vec3d a = vertices[t[0]].cast<double>();
  const Vec3d ab = vertices[t[1]].cast<double>() - a, ac = vertices[t[2]].cast<double>() - a;
  const Vec3d across = cross(ab, ac);
  const Vec3f weight{1 - uv[0] - uv[1], uv[0], uv[1]};
  SurfaceHit hit;
  hit.point = middle + a + ab * double{uv[0]} + ac * double{uv[1]};
  hit.distance = dot(hit.point - ray.origin, ray.direction);
  hit.normal = across == Vec3d{} ? -ray.direction : normalized(across);
  hit.shading = hit.normal;
  if (look.texture == SurfaceLook::Texture::vertex_color && !mesh.colors.empty()) {
    hit.color = blend(mesh.colors, t, weight);
  } else {
    const Vec2f at = mesh.texture.empty() ? Vec2f{} : blend(mesh.texture, t, weight);
    hit.color = color(hit.point, mesh.texture.empty() ? nullptr : &at);
  }
  finish(ray, hit);
  if (!mesh.normals.empty()) smoothen(t, weight, hit);
  return hit;
}

}  // namespace octavo
