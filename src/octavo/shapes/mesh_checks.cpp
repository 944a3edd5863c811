#include "octavo/shapes/mesh_checks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "octavo/base/checks.h"
#include "octavo/base/error.h"

namespace octavo {

namespace {

bool is_degenerate(const TriangleMesh& mesh, const std::array<std::uint32_t, 3>& t) {
  const Vec3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
  const double longest = std::max({length(b - a), length(c - b), length(a - c)});
  return !(length(cross(b - a, c - a)) > 1e-14 * longest * longest);
}

struct Edge {
  std::uint32_t low, high;
  int direction;  // 1 from low to high
};

}  // namespace

void check_mesh(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) throw InputError("a mesh without triangles has no surface");
  for (const Vec3d& p : mesh.vertices) check_finite("a vertex of a mesh", p);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (const std::uint32_t v : mesh.triangles[i])
      if (v >= mesh.vertices.size())
        throw InputError("triangle {} of a mesh has the vertex {}, but there are {} vertices", i, v,
                         mesh.vertices.size());
}

TriangleMesh without_degenerate(const TriangleMesh& mesh) {
  check_mesh(mesh);
  TriangleMesh usable = mesh;
  std::erase_if(usable.triangles, [&](const auto& t) { return is_degenerate(mesh, t); });
  if (usable.triangles.empty())
    throw InputError("a mesh has no surface: none of its {} triangles has an area",
                     mesh.triangles.size());
  return usable;
}

bool is_closed(const TriangleMesh& mesh) {
  const std::vector<std::uint32_t> joined = joined_vertices(mesh.vertices);
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const auto& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t from = joined[t[k]], to = joined[t[(k + 1) % 3]];
      edges.push_back({std::min(from, to), std::max(from, to), from < to ? 1 : -1});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& p, const Edge& q) {
    return p.low != q.low ? p.low < q.low : p.high < q.high;
  });

  int sum = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& e = edges[i];
    if (i > 0 && (e.low != edges[i - 1].low || e.high != edges[i - 1].high) && sum != 0)
      return false;
    if (e.low != e.high) sum += e.direction;
  }
  return sum == 0;
}

}  // namespace octavo
