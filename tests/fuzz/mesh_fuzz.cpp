// Any bytes as a file of triangles; the first one chooses the format.

#include <unistd.h>

#include <array>
#include <fstream>

#include "octavo/base/error.h"
#include "octavo/io/mesh_import.h"
#include "octavo/io/ply.h"

static void check(const octavo::TriangleMesh& mesh) {
  for (const auto& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle)
      if (corner >= mesh.vertices.size()) std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace octavo;
  if (size == 0) return 0;
  constexpr std::array<const char*, 6> endings{"obj", "ply", "stl", "gltf", "glb", "off"};
  const auto path = std::filesystem::temp_directory_path() /
                    fmt::format("octavo-fuzz-{}.{}", getpid(), endings[data[0] % endings.size()]);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data) + 1, static_cast<std::streamsize>(size - 1));
  try {
    check(read_triangle_mesh(path));
    const SurfaceMesh mesh = read_surface_mesh(path);
    check(mesh);
    for (const std::size_t count : {mesh.colors.size(), mesh.texture.size(), mesh.normals.size()})
      if (count != 0 && count != mesh.vertices.size()) std::abort();
  } catch (const InputError&) {
  }
  try {
    check(read_ply(path));
  } catch (const InputError&) {
  }
  std::filesystem::remove(path);
  return 0;
}
