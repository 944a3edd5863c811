#include "octavo/io/triangle_mesh.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <numeric>

#include "octavo/base/error.h"

namespace octavo {

namespace {

bool is_finite(const Vec3d& p) {
  return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
}

void append(const aiMesh& from, const std::string& path, TriangleMesh& to) {
  const auto first = static_cast<std::uint32_t>(to.vertices.size());
  for (unsigned i = 0; i < from.mNumVertices; ++i) {
    const aiVector3D& p = from.mVertices[i];
    to.vertices.push_back({double{p.x}, double{p.y}, double{p.z}});
    if (!is_finite(to.vertices.back()))
      throw InputError("the mesh '{}' has a vertex that is not a finite point", path);
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

void check_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    throw InputError("the mesh file '{}' does not exist", path.string());
  if (!std::filesystem::is_regular_file(status))
    throw InputError("the mesh file '{}' is not a file", path.string());
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
  check_file(path);
  Assimp::Importer importer;
  const aiScene* scene =
      importer.ReadFile(path.string(), aiProcess_Triangulate | aiProcess_PreTransformVertices);
  if (scene == nullptr)
    throw InputError("cannot read the mesh '{}': {}", path.string(), importer.GetErrorString());

  TriangleMesh mesh;
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) append(*scene->mMeshes[i], path.string(), mesh);
  importer.FreeScene();
  join_vertices(mesh);
  drop_degenerate(mesh);
  drop_unused_vertices(mesh);
  if (mesh.triangles.empty()) throw InputError("the mesh '{}' has no triangles", path.string());
  return mesh;
}

}  // namespace octavo
