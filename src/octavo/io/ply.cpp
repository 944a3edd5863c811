#include "octavo/io/ply.h"

#include <fmt/format.h>

#include <bit>

#include "octavo/io/atomic_file.h"

namespace octavo {
namespace {

static_assert(std::endian::native == std::endian::little);

std::string header(const SurfaceMesh& mesh) {
  std::string text = fmt::format("ply\nformat binary_little_endian 1.0\nelement vertex {}\n",
                                 mesh.vertices.size());
  auto property = [&](bool there, std::initializer_list<const char*> names) {
    if (there)
      for (const char* name : names) text += fmt::format("property float {}\n", name);
  };
  property(true, {"x", "y", "z"});
  property(!mesh.normals.empty(), {"nx", "ny", "nz"});
  property(!mesh.velocities.empty(), {"vx", "vy", "vz"});
  property(!mesh.texture.empty(), {"s", "t"});
  property(!mesh.colors.empty(), {"red", "green", "blue"});
  property(!mesh.radii.empty(), {"radius"});
  return text + fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n",
                            mesh.triangles.size());
}

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace

std::string ply_bytes(const SurfaceMesh& mesh) {
  std::string bytes = header(mesh);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    for (int a = 0; a < 3; ++a) append(bytes, static_cast<float>(mesh.vertices[i][a]));
    if (!mesh.normals.empty()) append(bytes, mesh.normals[i]);
    if (!mesh.velocities.empty()) append(bytes, mesh.velocities[i]);
    if (!mesh.texture.empty()) append(bytes, mesh.texture[i]);
    if (!mesh.colors.empty()) append(bytes, mesh.colors[i]);
    if (!mesh.radii.empty()) append(bytes, mesh.radii[i]);
  }
  for (const auto& triangle : mesh.triangles) {
    append(bytes, std::uint8_t{3});
    for (const std::uint32_t vertex : triangle) append(bytes, static_cast<std::int32_t>(vertex));
  }
  return bytes;
}

void write_ply(const std::filesystem::path& path, const SurfaceMesh& mesh) {
  write_file(path, ply_bytes(mesh));
}

}  // namespace octavo
