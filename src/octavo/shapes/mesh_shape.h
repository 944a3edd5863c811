#pragma once

// These make shapes of triangle meshes.
//
//   const Shape<3> bunny = closed_mesh_shape(read_triangle_mesh("bunny.ply"));
//   const Shape<3> sail = sheet_mesh_shape(read_triangle_mesh("sail.obj"), 0.01);
//
// Triangles without an area do not count. InputError is thrown for meshes of which none is left, for
// vertices that are not finite and for triangles of vertices that do not exist.
//
// The table shows what a query to a closed sphere of 100352 triangles and radius 1 m costs, in
// nanoseconds, on one thread of an AMD EPYC; it does so for the points of a lattice (of 2, 5, 5 and 10
// cm) along the Z curve, and in random order:
//
//                                 Z curve   random
//   within 6 cm of the surface       1450     4500
//   20 to 70 cm inside               1600     3000
//   20 to 70 cm outside              1800     4000
//   1 to 2 m outside                 2400     5000
//
// Half of the first is for the sign. Building takes 0.15 s and 170 bytes per triangle. A search starts
// from the triangle that was nearest to the last point of the same thread, and inside or outside is
// only asked anew where the points leave the balls around earlier ones that hold no triangle; that
// is why an order along a curve is faster. The values do not depend on it.

#include "octavo/shapes/shape.h"
#include "octavo/shapes/triangle_mesh.h"

namespace octavo {

// The shape is what the mesh encloses: where it goes around a point, in either sense, more than half a
// time. The distance is exact.
//
// A mesh with holes is closed where the winding number is one half. Near a hole the distance to the
// triangles says nothing of that surface, so for such a mesh the value is 0.8 times the distance times
// 1 - 2 |winding number|. This passes through zero without a jump and keeps the promise of a Shape,
// but for jumps of about one per cent where winding numbers are approximate, and for parts of the
// surface that are there more than once. Triangles must be oriented alike, or those that are not
// count as holes.
Shape<3> closed_mesh_shape(const TriangleMesh& mesh);

// The shape is all that is within half the thickness of the mesh, which may be open.
Shape<3> sheet_mesh_shape(const TriangleMesh& mesh, double thickness);

}  // namespace octavo
