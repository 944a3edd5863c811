#pragma once

// Vertices of these triangle meshes have more than a place: colours, texture coordinates, normals, velocities,
// or a size.

#include "octavo/shapes/triangle_mesh.h"

namespace octavo {

// What there is nothing of is empty; everything else is there for each vertex. If there are radii, the vertices are
// balls, and there are no triangles.
struct SurfaceMesh : TriangleMesh {
  std::vector<Vec3f> colors;      // linear light, 0 .. 1
  std::vector<Vec2f> texture;     // coordinates
  std::vector<Vec3f> normals;     // of length 1, or zero where the file has nonsense
  std::vector<Vec3f> velocities;  // m/s
  std::vector<float> radii;       // m
};

// This joins vertices that have everything in common, then drops triangles without an area and vertices
// without a triangle.
void tidy(SurfaceMesh& mesh);

// This gives the triangles alone: vertices at the same place are one, whatever else they have.
TriangleMesh triangles_of(const SurfaceMesh& mesh);

}  // namespace octavo
