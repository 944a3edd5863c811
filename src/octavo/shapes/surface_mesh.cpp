#include "octavo/shapes/surface_mesh.h"

#include "octavo/base/equals.h"

namespace octavo {
namespace {

template <int Dim, class T>
int compared(const std::vector<Vec<Dim, T>>& values, std::uint32_t i, std::uint32_t j) {
  if (values.empty()) return 0;
  for (int a = 0; a < Dim; ++a)
    if (values[i][a] != values[j][a]) return values[i][a] < values[j][a] ? -1 : 1;
  return 0;
}

int compared(const SurfaceMesh& m, std::uint32_t i, std::uint32_t j) {
  if (const int c = compared(m.vertices, i, j); c != 0) return c;
  if (const int c = compared(m.colors, i, j); c != 0) return c;
  if (const int c = compared(m.texture, i, j); c != 0) return c;
  if (const int c = compared(m.normals, i, j); c != 0) return c;
  return compared(m.velocities, i, j);
}

// Formats such as stl repeat a vertex for every triangle.
void join_vertices(SurfaceMesh& mesh) {
  const std::vector<std::uint32_t> joined = first_of_equals(
      mesh.vertices.size(), [&](std::uint32_t i, std::uint32_t j) { return compared(mesh, i, j); });
  for (auto& triangle : mesh.triangles)
    for (auto& corner : triangle) corner = joined[corner];
}

void drop_degenerate(TriangleMesh& mesh) {
  std::erase_if(mesh.triangles, [&](const std::array<std::uint32_t, 3>& t) {
    const Vec3d& p = mesh.vertices[t[0]];
    return cross(mesh.vertices[t[1]] - p, mesh.vertices[t[2]] - p) == Vec3d{};
  });
}

// This keeps the values whose mark is not zero, in their order.
template <class T>
void keep(std::vector<T>& values, const std::vector<std::uint32_t>& used) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (used[i] != 0) values[count++] = values[i];
  values.resize(count);
}

void drop_unused_vertices(SurfaceMesh& mesh) {
  std::vector<std::uint32_t> number(mesh.vertices.size(), 0);
  for (const auto& triangle : mesh.triangles)
    for (const auto corner : triangle) number[corner] = 1;
  keep(mesh.vertices, number);
  keep(mesh.colors, number);
  keep(mesh.texture, number);
  keep(mesh.normals, number);
  keep(mesh.velocities, number);
  keep(mesh.radii, number);
  std::uint32_t count = 0;
  for (auto& n : number) n = n != 0 ? count++ : 0;
  for (auto& triangle : mesh.triangles)
    for (auto& corner : triangle) corner = number[corner];
}

}  // namespace

void tidy(SurfaceMesh& mesh) {
  join_vertices(mesh);
  drop_degenerate(mesh);
  drop_unused_vertices(mesh);
}

TriangleMesh triangles_of(const SurfaceMesh& mesh) {
  SurfaceMesh bare;
  bare.vertices = mesh.vertices;
  bare.triangles = mesh.triangles;
  tidy(bare);
  return {std::move(bare.vertices), std::move(bare.triangles)};
}

}  // namespace octavo
