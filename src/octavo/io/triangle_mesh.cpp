#include "octavo/io/triangle_mesh.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <cstring>
#include <numeric>

#include "octavo/base/error.h"
#include "octavo/io/apart.h"
#include "octavo/io/files.h"

namespace octavo {

namespace {

bool is_finite(const Vec3d& p) {
  return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
}

void append(const aiMesh& from, TriangleMesh& to) {
  const auto first = static_cast<std::uint32_t>(to.vertices.size());
  for (unsigned i = 0; i < from.mNumVertices; ++i) {
    const aiVector3D& p = from.mVertices[i];
    to.vertices.push_back({double{p.x}, double{p.y}, double{p.z}});
  }
  for (unsigned i = 0; i < from.mNumFaces; ++i) {
    const aiFace& face = from.mFaces[i];
    if (face.mNumIndices != 3) continue;  // a point or a line
    to.triangles.push_back(
        {first + face.mIndices[0], first + face.mIndices[1], first + face.mIndices[2]});
  }
}

// Formats such as stl repeat a vertex for every triangle.
void join_vertices(TriangleMesh& mesh) {
  const std::vector<std::uint32_t> joined = joined_vertices(mesh.vertices);
  for (auto& triangle : mesh.triangles)
    for (auto& corner : triangle) corner = joined[corner];
}

void drop_degenerate(TriangleMesh& mesh) {
  std::erase_if(mesh.triangles, [&](const std::array<std::uint32_t, 3>& t) {
    const Vec3d& p = mesh.vertices[t[0]];
    return cross(mesh.vertices[t[1]] - p, mesh.vertices[t[2]] - p) == Vec3d{};
  });
}

// Numbers anew the vertices that are still in use, in their order.
void drop_unused_vertices(TriangleMesh& mesh) {
  std::vector<std::uint32_t> number(mesh.vertices.size(), 0);
  for (const auto& triangle : mesh.triangles)
    for (const auto corner : triangle) number[corner] = 1;
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] == 0) continue;
    mesh.vertices[count] = mesh.vertices[i];
    number[i] = count++;
  }
  mesh.vertices.resize(count);
  for (auto& triangle : mesh.triangles)
    for (auto& corner : triangle) corner = number[corner];
}

// Assimp's readers crash on some damaged files, so they work apart.
TriangleMesh import_mesh(const std::filesystem::path& path) {
  Assimp::Importer importer;
  const aiScene* scene =
      importer.ReadFile(path.string(), aiProcess_Triangulate | aiProcess_PreTransformVertices);
  const std::string error = importer.GetErrorString();
  if (scene == nullptr && error.find("o output meshes") != std::string::npos) return {};
  if (scene == nullptr) throw InputError("cannot read the mesh '{}': {}", path.string(), error);
  TriangleMesh mesh;
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) append(*scene->mMeshes[i], mesh);
  return mesh;
}

// As bytes: how many vertices, the vertices, the triangles.
std::string packed(const TriangleMesh& mesh) {
  const std::uint64_t count = mesh.vertices.size();
  std::string bytes(reinterpret_cast<const char*>(&count), sizeof(count));
  bytes.append(reinterpret_cast<const char*>(mesh.vertices.data()), count * sizeof(Vec3d));
  bytes.append(reinterpret_cast<const char*>(mesh.triangles.data()),
               mesh.triangles.size() * sizeof(mesh.triangles[0]));
  return bytes;
}

// Trusts nothing: what has read a damaged file may be damaged itself.
TriangleMesh unpacked(const std::string& bytes, const std::string& path) {
  TriangleMesh mesh;
  std::uint64_t count = 0;
  auto fail = [&] { throw InputError("cannot read the mesh '{}': it is damaged", path); };
  if (bytes.size() < sizeof(count)) fail();
  std::memcpy(&count, bytes.data(), sizeof(count));
  const std::size_t rest = bytes.size() - sizeof(count);
  if (count > rest / sizeof(Vec3d) ||
      (rest - count * sizeof(Vec3d)) % sizeof(mesh.triangles[0]) != 0)
    fail();
  mesh.vertices.resize(count);
  mesh.triangles.resize((rest - count * sizeof(Vec3d)) / sizeof(mesh.triangles[0]));
  const char* from = bytes.data() + sizeof(count);
  if (count > 0) std::memcpy(mesh.vertices.data(), from, count * sizeof(Vec3d));
  if (!mesh.triangles.empty())
    std::memcpy(mesh.triangles.data(), from + count * sizeof(Vec3d),
                mesh.triangles.size() * sizeof(mesh.triangles[0]));
  for (const Vec3d& v : mesh.vertices)
    if (!is_finite(v))
      throw InputError("the mesh '{}' has a vertex that is not a finite point", path);
  for (const auto& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle)
      if (corner >= count) fail();
  return mesh;
}

}  // namespace

std::vector<std::uint32_t> joined_vertices(const std::vector<Vec3d>& vertices) {
  std::vector<std::uint32_t> order(vertices.size()), joined(vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    for (int a = 0; a < 3; ++a)
      if (vertices[i][a] != vertices[j][a]) return vertices[i][a] < vertices[j][a];
    return i < j;
  });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool same = k > 0 && vertices[order[k]] == vertices[order[k - 1]];
    joined[order[k]] = same ? joined[order[k - 1]] : order[k];
  }
  return joined;
}

TriangleMesh read_triangle_mesh(const std::filesystem::path& path) {
  require_file(path, "mesh file");
  std::error_code error;
  const auto megabytes = static_cast<std::size_t>(std::filesystem::file_size(path, error) >> 20);
  const ApartLimits limits{.seconds = static_cast<unsigned>(20 + 2 * megabytes),
                           .bytes = (900 + 60 * megabytes) << 20};
  const Apart result = do_apart(limits, [&] { return packed(import_mesh(path)); });
  if (result.died())
    throw InputError("cannot read the mesh '{}': it is damaged, or too large", path.string());
  if (result.end == Apart::End::threw) throw InputError("{}", result.bytes);

  TriangleMesh mesh = unpacked(result.bytes, path.string());
  join_vertices(mesh);
  drop_degenerate(mesh);
  drop_unused_vertices(mesh);
  if (mesh.triangles.empty()) throw InputError("the mesh '{}' has no triangles", path.string());
  return mesh;
}

}  // namespace octavo
