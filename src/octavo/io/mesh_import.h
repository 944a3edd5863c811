#pragma once

// Triangle meshes come from files: obj, ply, stl, gltf and whatever else Assimp reads. Its readers crash on some
// damaged files, so they work apart, and nothing of what they give is trusted.
//
//   const SurfaceMesh bunny = read_surface_mesh("bunny.ply");
//   if (!bunny.colors.empty()) ...                            // one for each vertex

#include <filesystem>

#include "octavo/shapes/surface_mesh.h"

namespace octavo {

// All meshes of the file become one, each where the file's scene puts it; polygons are cut into triangles, vertices
// at the same place joined, triangles without an area and vertices without a triangle dropped. Throws InputError,
// which says what is wrong with the file.
TriangleMesh read_triangle_mesh(const std::filesystem::path& path);

// Vertices at the same place are joined only if they have everything else in common, too. Colours in files
// are taken for sRGB, as Blender, MeshLab and scanners write them; in gltf they are linear. Throws InputError.
SurfaceMesh read_surface_mesh(const std::filesystem::path& path);

}  // namespace octavo
