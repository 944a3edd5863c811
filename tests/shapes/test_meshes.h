#pragma once

// Meshes whose inside is known, and ways to spoil them.

#include <algorithm>
#include <map>

#include "octavo/base/random.h"
#include "octavo/shapes/triangle_mesh.h"

namespace octavo::test {

using Corners = std::array<std::uint32_t, 3>;

// The unit cube, normals outwards.
inline TriangleMesh cube_mesh() {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back({double(i & 1), double(i >> 1 & 1), double(i >> 2 & 1)});
  mesh.triangles = {{0, 3, 1}, {0, 2, 3}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 7, 3}, {2, 6, 7}, {0, 6, 2}, {0, 4, 6}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

// An octahedron whose sides are cut into cuts^2 triangles and blown up to a sphere around the origin,
// normals outwards: 8 cuts^2 triangles.
inline TriangleMesh ball_mesh(int cuts, double radius = 1) {
  TriangleMesh mesh;
  std::map<std::array<int, 3>, std::uint32_t> number;
  auto vertex = [&](int x, int y, int z) {
    const auto [place, is_new] =
        number.try_emplace({x, y, z}, static_cast<std::uint32_t>(mesh.vertices.size()));
    const Vec3d p{double(x), double(y), double(z)};
    if (is_new) mesh.vertices.push_back(p * (radius / length(p)));
    return place->second;
  };
  for (int octant = 0; octant < 8; ++octant) {
    const int sx = octant & 1 ? -1 : 1, sy = octant & 2 ? -1 : 1, sz = octant & 4 ? -1 : 1;
    auto at = [&](int i, int j) { return vertex(sx * i, sy * j, sz * (cuts - i - j)); };
    auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      mesh.triangles.push_back(sx * sy * sz > 0 ? Corners{a, b, c} : Corners{a, c, b});
    };
    for (int i = 0; i < cuts; ++i) {
      for (int j = 0; j < cuts - i; ++j) {
        add(at(i, j), at(i + 1, j), at(i, j + 1));
        if (i + j + 1 < cuts) add(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
      }
    }
  }
  return mesh;
}

// Turned inside out.
inline TriangleMesh inverted(TriangleMesh mesh) {
  for (Corners& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

inline TriangleMesh shifted(TriangleMesh mesh, const Vec3d& by) {
  for (Vec3d& p : mesh.vertices) p += by;
  return mesh;
}

inline TriangleMesh joined(TriangleMesh mesh, const TriangleMesh& more) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), more.vertices.begin(), more.vertices.end());
  for (const Corners& t : more.triangles)
    mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  return mesh;
}

// Without the triangles that are wholly above a height.
inline TriangleMesh cut_above(TriangleMesh mesh, double z) {
  std::erase_if(mesh.triangles, [&](const Corners& t) {
    return std::all_of(t.begin(), t.end(), [&](auto v) { return mesh.vertices[v][2] > z; });
  });
  return mesh;
}

// Every triangle has its own three vertices, as in an stl file.
inline TriangleMesh separated(const TriangleMesh& mesh) {
  TriangleMesh soup;
  for (const Corners& t : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(soup.vertices.size());
    for (const std::uint32_t v : t) soup.vertices.push_back(mesh.vertices[v]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  return soup;
}

// With triangles that are points and segments, here and there.
inline TriangleMesh with_degenerate(TriangleMesh mesh) {
  const auto count = static_cast<std::uint32_t>(mesh.vertices.size());
  for (std::uint32_t i = 0; i < 20; ++i) {
    const std::uint32_t a = i * 7 % count, b = i * 13 % count;
    mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]) * 0.5);
    mesh.triangles.push_back({a, a, a});
    mesh.triangles.push_back({a, b, b});
    mesh.triangles.push_back({a, b, static_cast<std::uint32_t>(mesh.vertices.size()) - 1});
  }
  return mesh;
}

}  // namespace octavo::test
