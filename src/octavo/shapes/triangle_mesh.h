#pragma once

// A triangle mesh is a list of vertices and a list of triangles between them.

#include <array>
#include <cstdint>
#include <vector>

#include "octavo/base/vec.h"

namespace octavo {

struct TriangleMesh {
  std::vector<Vec3d> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;  // indices of vertices
};

// This is the smallest box with all points in it, of which there is one at least.
Box<3> box_around(const std::vector<Vec3d>& points);

// This gives for every vertex the first of those at exactly its place; -0 is the same place as 0.
std::vector<std::uint32_t> joined_vertices(const std::vector<Vec3d>& vertices);

}  // namespace octavo
