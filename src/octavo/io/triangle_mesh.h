#pragma once

// Triangle meshes from files: obj, ply, stl, gltf and whatever else Assimp reads.

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "octavo/base/vec.h"

namespace octavo {

struct TriangleMesh {
  std::vector<Vec3d> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;  // indices of vertices
};

// All meshes of the file as one, each where the file's scene puts it; polygons cut into triangles,
// vertices at the same place joined, triangles without an area and vertices without a triangle
// dropped. Throws InputError, which says what is wrong with the file.
TriangleMesh read_triangle_mesh(const std::filesystem::path& path);

// The smallest box with all points in it, of which there is one at least.
Box<3> box_around(const std::vector<Vec3d>& points);

// For every vertex the first of those at exactly its place; -0 is the same place as 0.
std::vector<std::uint32_t> joined_vertices(const std::vector<Vec3d>& vertices);

}  // namespace octavo
