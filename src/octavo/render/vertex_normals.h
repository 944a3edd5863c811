#pragma once

// Normals that make a mesh look smooth.

#include "octavo/shapes/surface_mesh.h"

namespace octavo {

// At each vertex the mean of the normals of its triangles, weighted by their angles there (Thurmer, Wuthrich
// 1998), so that it does not matter how a polygon was cut. Vertices at the same place have the same normal.
std::vector<Vec3f> vertex_normals(const TriangleMesh& mesh);

}  // namespace octavo
