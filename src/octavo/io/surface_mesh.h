#pragma once

// Triangle meshes for pictures: as read_triangle_mesh() reads them, with what else their vertices have.
//
//   const SurfaceMesh bunny = read_surface_mesh("bunny.ply");
//   if (!bunny.colors.empty()) ...                            // one for each vertex

#include "octavo/io/triangle_mesh.h"

namespace octavo {

// What a file says nothing of is empty, everything else there for each vertex.
struct SurfaceMesh : TriangleMesh {
  std::vector<Vec3f> colors;   // linear light, 0 .. 1
  std::vector<Vec2f> texture;  // coordinates
  std::vector<Vec3f> normals;  // of length 1, or zero where the file has nonsense
};

// Vertices at the same place are joined only if they have everything else in common, too. Colours in files
// are taken for sRGB, as Blender, MeshLab and scanners write them; in gltf they are linear. Throws InputError.
SurfaceMesh read_surface_mesh(const std::filesystem::path& path);

// Joins vertices that have everything in common, then drops triangles without an area and vertices without a
// triangle.
void tidy(SurfaceMesh& mesh);

}  // namespace octavo
