#pragma once

// Does a mesh enclose something, and which of its triangles count?

#include "octavo/shapes/triangle_mesh.h"

namespace octavo {

// Throws InputError for a mesh without triangles, for vertices that are not finite, and for triangles
// of vertices that do not exist.
void check_mesh(const TriangleMesh& mesh);

// The mesh without the triangles whose area is none but rounding. Throws InputError as check_mesh()
// does, and for a mesh of which no triangle is left.
TriangleMesh without_degenerate(const TriangleMesh& mesh);

// Is every edge passed as often in one direction as in the other? Then winding numbers are integers.
// Vertices at the same place count as one, so it does not matter whether triangles share them.
bool is_closed(const TriangleMesh& mesh);

}  // namespace octavo
