#pragma once

// These normals make a mesh look smooth.

#include "octavo/shapes/surface_mesh.h"

namespace octavo {

// Each vertex has the mean of the normals of its triangles, weighted by their angles there (Thurmer, Wuthrich
// 1998), so that it does not matter how a polygon was cut. Vertices at the same place have the same normal.
std::vector<Vec3f> vertex_normals(const TriangleMesh& mesh);

}  // namespace octavo
