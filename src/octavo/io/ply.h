#pragma once

// Triangle meshes are written to .ply files, binary, for Blender, Houdini, MeshLab and ParaView: places in metres,
// and whatever colours, texture coordinates, normals and velocities (vx, vy, vz in m/s) there are.

#include <filesystem>

#include "octavo/shapes/surface_mesh.h"

namespace octavo {

// The file is complete or not there. Throws FileError if it cannot be written.
void write_ply(const std::filesystem::path& path, const SurfaceMesh& mesh);

}  // namespace octavo
