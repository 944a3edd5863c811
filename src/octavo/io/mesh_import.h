#pragma once

// Mesh files as Assimp reads them. Its readers crash on some damaged files, so they work apart, and nothing of
// what they give is trusted.

#include "octavo/io/surface_mesh.h"

namespace octavo {

enum class MeshParts { triangles, all };

// Tidy, with at least one triangle; colours and normals are as they stand in the file. Throws InputError.
SurfaceMesh imported_mesh(const std::filesystem::path& path, MeshParts parts);

}  // namespace octavo
