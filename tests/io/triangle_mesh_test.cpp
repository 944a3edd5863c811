#include "octavo/io/mesh_import.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "octavo/base/error.h"
#include "temporary_folder.h"

namespace octavo {
namespace {

using Corners = std::array<float, 9>;

double area(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    const Vec3d& p = mesh.vertices[t[0]];
    sum += length(cross(mesh.vertices[t[1]] - p, mesh.vertices[t[2]] - p)) / 2;
  }
  return sum;
}

std::string binary_stl(const std::vector<Corners>& triangles) {
  std::string file(80, ' ');
  const auto count = static_cast<std::uint32_t>(triangles.size());
  file.append(reinterpret_cast<const char*>(&count), 4);
  for (const Corners& t : triangles) {
    file.append(12, '\0');  // the normal
    file.append(reinterpret_cast<const char*>(t.data()), 36);
    file.append(2, '\0');
  }
  return file;
}

std::string message_of(const std::filesystem::path& path) {
  try {
    read_triangle_mesh(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// A unit cube of six quads.
const char* const cube_obj = R"(
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
)";

TEST(TriangleMesh, ObjQuadsBecomeTriangles) {
  TemporaryFolder folder;
  const TriangleMesh mesh = read_triangle_mesh(put_text(folder / "cube.obj", cube_obj));
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_DOUBLE_EQ(area(mesh), 6.0);
}

// Normals and texture coordinates differ at a corner, its place does not.
TEST(TriangleMesh, JoinsVerticesThatDifferOnlyInNormals) {
  TemporaryFolder folder;
  const TriangleMesh mesh =
      read_triangle_mesh(put_text(folder / "a.obj",
                                  "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvn 0 1 0\nf 1//1 "
                                  "2//1 3//1\nf 1//2 4//2 2//2\n"));
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.triangles.size(), 2u);
}

TEST(TriangleMesh, MergesObjectsAndDropsUnusedVertices) {
  TemporaryFolder folder;
  const TriangleMesh mesh =
      read_triangle_mesh(put_text(folder / "a.obj",
                                  "o one\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nf 1 2 3\n"
                                  "o two\nv 0 0 2\nv 1 0 2\nv 0 1 2\nf 5 6 7\n"));
  EXPECT_EQ(mesh.triangles.size(), 2u);
  EXPECT_EQ(mesh.vertices.size(), 6u);
}

TEST(TriangleMesh, StlVerticesAreJoinedAndDegenerateTrianglesDropped) {
  TemporaryFolder folder;
  const TriangleMesh mesh =
      read_triangle_mesh(put_text(folder / "a.stl", binary_stl({{0, 0, 0, 1, 0, 0, 0, 1, 0},
                                                                {1, 0, 0, 1, 1, 0, -0.0f, 1, 0},
                                                                {5, 0, 0, 5, 0, 0, 6, 1, 0},
                                                                {0, 0, 0, 1, 1, 1, 2, 2, 2}})));
  EXPECT_EQ(mesh.vertices.size(), 4u);
  ASSERT_EQ(mesh.triangles.size(), 2u);
  EXPECT_DOUBLE_EQ(area(mesh), 1.0);
}

TEST(TriangleMesh, Ply) {
  TemporaryFolder folder;
  const TriangleMesh mesh = read_triangle_mesh(
      put_text(folder / "a.ply",
               "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float "
               "y\nproperty float z\n"
               "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
               "0 0 0\n2 0 0\n2 3 0\n0 3 0\n4 0 1 2 3\n"));
  EXPECT_EQ(mesh.triangles.size(), 2u);
  EXPECT_DOUBLE_EQ(area(mesh), 6.0);
}

TEST(TriangleMesh, GltfNodesAreMovedIntoPlace) {
  TemporaryFolder folder;
  const TriangleMesh mesh = read_triangle_mesh(put_text(folder / "a.gltf", R"({
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
    "nodes": [{"mesh": 0, "translation": [0, 0, 5]}, {"mesh": 0, "scale": [2, 2, 2]}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                   "min": [0, 0, 0], "max": [1, 1, 0]}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]
  })"));
  EXPECT_EQ(mesh.triangles.size(), 2u);
  EXPECT_DOUBLE_EQ(area(mesh), 0.5 + 2.0);
  double top = 0;
  for (const Vec3d& p : mesh.vertices) top = std::max(top, p[2]);
  EXPECT_EQ(top, 5.0);
}

// Files may have holes, which take no room on the disk.
TEST(TriangleMesh, RefusesHugeFilesAtOnce) {
  TemporaryFolder folder;
  for (const char* name : {"huge.obj", "huge.stl", "huge.ply", "huge.glb"}) {
    const auto path = put_text(folder / name, "");
    std::filesystem::resize_file(path, std::uintmax_t{4} << 30);
    EXPECT_NE(message_of(path).find("too large: 4.0 GB"), std::string::npos) << message_of(path);
  }
  const auto path = put_text(folder / "hole.obj", "v 0 0 0\n");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 30);
  EXPECT_NE(message_of(path).find("damaged, or no text"), std::string::npos) << message_of(path);
}

TEST(TriangleMesh, SaysWhatIsWrong) {
  TemporaryFolder folder;
  auto says = [&](const std::filesystem::path& path, const std::string& text) {
    const std::string message = message_of(path);
    EXPECT_NE(message.find(text), std::string::npos) << message;
    EXPECT_NE(message.find(path.string()), std::string::npos) << message;
  };
  says(folder / "none.obj", "does not exist");
  says(folder.path(), "is not a file");
  says(put_text(folder / "a.unknown", "what?"), "cannot read");
  says(put_text(folder / "text.ply", "this is no mesh"), "cannot read");
  says(put_text(folder / "empty.stl", ""), "cannot read");
  says(put_text(folder / "flat.stl", binary_stl({{0, 0, 0, 1, 1, 1, 2, 2, 2}})), "no triangles");
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = HUGE_VALF;
  says(put_text(folder / "nan.stl", binary_stl({{nan, 0, 0, 1, 0, 0, 0, 1, 0}})), "finite");
  says(put_text(folder / "inf.stl", binary_stl({{0, 0, 0, 1, inf, 0, 0, 1, 0}})), "finite");
}

}  // namespace
}  // namespace octavo
