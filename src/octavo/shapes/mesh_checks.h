#pragma once

// These checks ask whether a mesh encloses something, and which of its triangles count.

#include "octavo/shapes/triangle_mesh.h"

namespace octavo {

// This throws InputError for a mesh without triangles, for vertices that are not finite, and for
// triangles of vertices that do not exist.
void check_mesh(const TriangleMesh& mesh);

// This gives the mesh without the triangles whose area is none but rounding. It throws InputError as
// check_mesh() does, and for a mesh of which no triangle is left.
TriangleMesh without_degenerate(const TriangleMesh& mesh);

// A mesh is closed if every edge is passed as often in one direction as in the other: then winding
// numbers are integers. Vertices at the same place count as one, so it does not matter whether
// triangles share them.
bool is_closed(const TriangleMesh& mesh);

}  // namespace octavo
