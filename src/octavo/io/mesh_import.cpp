#include "octavo/io/mesh_import.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

#include "octavo/base/error.h"
#include "octavo/base/srgb.h"
#include "octavo/io/apart.h"
#include "octavo/io/files.h"

namespace octavo {
namespace {

enum class MeshParts { triangles, all };

// A part that only some of a file's meshes have is filled up with `other` for the rest.
template <class T, class Get>
void append_part(std::size_t vertices, bool there, std::size_t first, std::vector<T>& to,
                 const T& other, Get get) {
  if (!there && to.empty()) return;
  to.resize(first, other);
  for (std::size_t i = 0; i < vertices; ++i) to.push_back(there ? get(i) : other);
}

void append_parts(const aiMesh& from, SurfaceMesh& to) {
  const std::size_t count = from.mNumVertices, first = to.vertices.size();
  append_part(count, from.HasVertexColors(0), first, to.colors, Vec3f{1, 1, 1}, [&](std::size_t i) {
    const aiColor4D& c = from.mColors[0][i];
    return Vec3f{c.r, c.g, c.b};
  });
  append_part(count, from.HasTextureCoords(0), first, to.texture, Vec2f{}, [&](std::size_t i) {
    const aiVector3D& t = from.mTextureCoords[0][i];
    return Vec2f{t.x, t.y};
  });
  append_part(count, from.HasNormals(), first, to.normals, Vec3f{}, [&](std::size_t i) {
    const aiVector3D& n = from.mNormals[i];
    return Vec3f{n.x, n.y, n.z};
  });
}

void append(const aiMesh& from, SurfaceMesh& to) {
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

SurfaceMesh read_with_assimp(const std::filesystem::path& path, MeshParts parts) {
  Assimp::Importer importer;
  const aiScene* scene =
      importer.ReadFile(path.string(), aiProcess_Triangulate | aiProcess_PreTransformVertices);
  const std::string error = importer.GetErrorString();
  if (scene == nullptr && error.find("o output meshes") != std::string::npos) return {};
  if (scene == nullptr) throw InputError("cannot read the mesh '{}': {}", path.string(), error);
  SurfaceMesh mesh;
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
    if (parts == MeshParts::all) append_parts(*scene->mMeshes[i], mesh);
    append(*scene->mMeshes[i], mesh);
  }
  return mesh;
}

// It goes through the arrays of a mesh, in the order in which they are packed.
template <class Mesh, class F>
void for_each_array(Mesh& mesh, F&& f) {
  f(mesh.vertices);
  f(mesh.triangles);
  f(mesh.colors);
  f(mesh.texture);
  f(mesh.normals);
}

// A mesh is packed as bytes: each array has its length before it.
std::string packed(const SurfaceMesh& mesh) {
  std::string bytes;
  for_each_array(mesh, [&](const auto& values) {
    const std::uint64_t count = values.size();
    bytes.append(reinterpret_cast<const char*>(&count), sizeof(count));
    bytes.append(reinterpret_cast<const char*>(values.data()), count * sizeof(values[0]));
  });
  return bytes;
}

// It is false if there are not as many bytes as there should be.
bool unpack(const std::string& bytes, SurfaceMesh& mesh) {
  std::size_t at = 0;
  bool good = true;
  for_each_array(mesh, [&]<class T>(std::vector<T>& values) {
    std::uint64_t count = 0;
    good = good && bytes.size() - at >= sizeof(count);
    if (!good) return;
    std::memcpy(&count, bytes.data() + at, sizeof(count));
    at += sizeof(count);
    good = count <= (bytes.size() - at) / sizeof(T);
    if (!good || count == 0) return;
    values.resize(count);
    std::memcpy(values.data(), bytes.data() + at, count * sizeof(T));
    at += count * sizeof(T);
  });
  return good && at == bytes.size();
}

bool fits_together(const SurfaceMesh& mesh) {
  const std::size_t count = mesh.vertices.size();
  for (const auto& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle)
      if (corner >= count) return false;
  auto fits = [&](const auto& part) { return part.empty() || part.size() == count; };
  return fits(mesh.colors) && fits(mesh.texture) && fits(mesh.normals);
}

template <int Dim, class T>
bool all_finite(const std::vector<Vec<Dim, T>>& values) {
  for (const auto& value : values)
    for (const T x : value.v)
      if (!std::isfinite(x)) return false;
  return true;
}

// What has read a damaged file may be damaged itself.
void check(const SurfaceMesh& mesh, const std::string& path) {
  if (!fits_together(mesh)) throw InputError("cannot read the mesh '{}': it is damaged", path);
  if (!all_finite(mesh.vertices))
    throw InputError("the mesh '{}' has a vertex that is not a finite point", path);
}

// Colours, texture coordinates and normals that are not numbers are left out, since a mesh can do without.
void drop_nonsense(SurfaceMesh& mesh) {
  if (!all_finite(mesh.colors)) mesh.colors.clear();
  if (!all_finite(mesh.texture)) mesh.texture.clear();
  if (!all_finite(mesh.normals)) mesh.normals.clear();
}

bool has_linear_colors(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".gltf" || ending == ".glb";
}

// Large files take minutes and much memory, so what cannot be a mesh is not read: the words of an .obj file have no
// bytes of zero, of which files have many that are copied badly or have holes.
void require_plausible(const std::filesystem::path& path) {
  constexpr std::uintmax_t most = std::uintmax_t{2} << 30;
  const std::uintmax_t size = std::filesystem::file_size(path);
  if (size > most)
    throw InputError("the mesh '{}' is too large: {:.1f} GB; {} GB is the most", path.string(),
                     static_cast<double>(size) / (1 << 30), most >> 30);
  std::string beginning(std::min<std::size_t>(size, 4096), '\0');
  std::ifstream(path, std::ios::binary)
      .read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  if (lower_extension(path) == ".obj" && beginning.find('\0') != std::string::npos)
    throw InputError("cannot read the mesh '{}': it is damaged, or no text", path.string());
}

// The mesh is tidy, with at least one triangle; colours and normals are as they stand in the file.
SurfaceMesh imported_mesh(const std::filesystem::path& path, MeshParts parts) {
  require_file(path, "mesh file");
  require_plausible(path);
  const auto megabytes = static_cast<std::size_t>(std::filesystem::file_size(path) >> 20);
  const ApartLimits limits{.seconds = static_cast<unsigned>(20 + 2 * megabytes),
                           .bytes = (900 + 60 * megabytes) << 20};
  const Apart result = do_apart(limits, [&] { return packed(read_with_assimp(path, parts)); });
  if (result.died())
    throw InputError("cannot read the mesh '{}': it is damaged, or too large", path.string());
  if (result.end == Apart::End::threw) throw InputError("{}", result.bytes);

  SurfaceMesh mesh;
  if (!unpack(result.bytes, mesh))
    throw InputError("cannot read the mesh '{}': it is damaged", path.string());
  check(mesh, path.string());
  drop_nonsense(mesh);
  tidy(mesh);
  if (mesh.triangles.empty()) throw InputError("the mesh '{}' has no triangles", path.string());
  return mesh;
}

}  // namespace

TriangleMesh read_triangle_mesh(const std::filesystem::path& path) {
  SurfaceMesh mesh = imported_mesh(path, MeshParts::triangles);
  return {std::move(mesh.vertices), std::move(mesh.triangles)};
}

SurfaceMesh read_surface_mesh(const std::filesystem::path& path) {
  SurfaceMesh mesh = imported_mesh(path, MeshParts::all);
  const bool linear = has_linear_colors(path);
  for (Vec3f& color : mesh.colors)
    for (float& c : color.v) {
      c = std::clamp(c, 0.0f, 1.0f);
      if (!linear) c = srgb_decoded(c);
    }
  for (Vec3f& normal : mesh.normals) {
    const float size = length(normal);
    normal = size > 0 ? normal / size : Vec3f{};
  }
  return mesh;
}

}  // namespace octavo
