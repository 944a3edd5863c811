#include "octavo/render/vertex_normals.h"

#include <algorithm>
#include <cmath>

namespace octavo {
namespace {

double angle(const Vec3d& p, const Vec3d& q) { return std::atan2(length(cross(p, q)), dot(p, q)); }

}  // namespace

std::vector<Vec3f> vertex_normals(const TriangleMesh& mesh) {
  const std::vector<std::uint32_t> place = joined_vertices(mesh.vertices);
  std::vector<Vec3d> sum(mesh.vertices.size());
  for (const auto& t : mesh.triangles) {
    const Vec3d p[3] = {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
    const Vec3d across = cross(p[1] - p[0], p[2] - p[0]);
    const double size = length(across);
    if (!(size > 0)) continue;
    for (std::size_t i = 0; i < 3; ++i)
      sum[place[t[i]]] += across * (angle(p[(i + 1) % 3] - p[i], p[(i + 2) % 3] - p[i]) / size);
  }
  std::vector<Vec3f> normals(sum.size());
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const Vec3d& n = sum[place[i]];
    const double size = length(n);
    if (size > 0) normals[i] = (n / size).cast<float>();
  }
  return normals;
}

}  // namespace octavo
