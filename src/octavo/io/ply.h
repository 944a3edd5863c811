#pragma once

// Triangle meshes are written to .ply files, binary, for Blender, Houdini, MeshLab and ParaView: places in metres,
// and whatever colours, texture coordinates, normals, velocities (vx, vy, vz in m/s) and radii there are.
//
//   write_ply("mesh/dam.surface.0012.ply", mesh);
//   const SurfaceMesh surface = read_ply("mesh/dam.surface.0012.ply");

#include <filesystem>
#include <string>

#include "octavo/shapes/surface_mesh.h"

namespace octavo {

// The file is complete or not there. Throws FileError if it cannot be written.
void write_ply(const std::filesystem::path& path, const SurfaceMesh& mesh);

// They are the bytes that write_ply would write.
std::string ply_bytes(const SurfaceMesh& mesh);

// It gives back what write_ply has written, vertex by vertex and also if that is nothing. It leaves out what it does
// not know of vertices, as long as that is floats. Files of other programs are for read_surface_mesh. Throws
// InputError for them, and for a file that is missing or damaged.
SurfaceMesh read_ply(const std::filesystem::path& path);

}  // namespace octavo
