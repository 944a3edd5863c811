#include "octavo/io/mesh_import.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "octavo/base/error.h"
#include "octavo/base/srgb.h"
#include "temporary_folder.h"

namespace octavo {
namespace {

// The number of the vertex at a place, which must be one.
std::size_t vertex_at(const SurfaceMesh& mesh, const Vec3d& place) {
  EXPECT_EQ(std::count(mesh.vertices.begin(), mesh.vertices.end(), place), 1);
  return static_cast<std::size_t>(std::find(mesh.vertices.begin(), mesh.vertices.end(), place) -
                                  mesh.vertices.begin());
}

std::string ply(const std::string& properties, const std::string& body) {
  return "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
         "property float z\n" +
         properties + "element face 1\nproperty list uchar int vertex_indices\nend_header\n" +
         body + "4 0 1 2 3\n";
}

// Half of what a display can show is about a fifth of its light.
TEST(SurfaceMesh, PlyColoursAreSrgbAndBecomeLinear) {
  TemporaryFolder folder;
  const SurfaceMesh mesh = read_surface_mesh(put_text(
      folder / "a.ply", ply("property uchar red\nproperty uchar green\nproperty uchar blue\n",
                            "0 0 0 255 0 0\n1 0 0 0 255 0\n1 1 0 0 0 255\n0 1 0 128 188 10\n")));
  ASSERT_EQ(mesh.triangles.size(), 2u);
  ASSERT_EQ(mesh.colors.size(), 4u);
  EXPECT_TRUE(mesh.texture.empty());
  EXPECT_EQ(mesh.colors[vertex_at(mesh, {0, 0, 0})], (Vec3f{1, 0, 0}));
  EXPECT_EQ(mesh.colors[vertex_at(mesh, {1, 1, 0})], (Vec3f{0, 0, 1}));
  const Vec3f grey = mesh.colors[vertex_at(mesh, {0, 1, 0})];
  EXPECT_NEAR(grey[0], 0.2159f, 1e-4f);
  EXPECT_NEAR(grey[1], 0.5029f, 1e-4f);
  EXPECT_NEAR(grey[2], 10.0f / 255 / 12.92f, 1e-6f);
}

TEST(SurfaceMesh, PlyTextureCoordinatesByBothNamesAndNormals) {
  TemporaryFolder folder;
  for (const std::string names : {"s t", "u v"}) {
    const SurfaceMesh mesh = read_surface_mesh(put_text(
        folder / "a.ply",
        ply("property float nx\nproperty float ny\nproperty float nz\nproperty float " +
                names.substr(0, 1) + "\nproperty float " + names.substr(2) + "\n",
            "0 0 0 0 0 1 0 0\n1 0 0 0 0 2 0.5 0\n1 1 0 0 3 4 0.5 0.25\n0 1 0 0 0 0 0 0.25\n")));
    ASSERT_EQ(mesh.texture.size(), 4u) << names;
    EXPECT_EQ(mesh.texture[vertex_at(mesh, {1, 1, 0})], (Vec2f{0.5f, 0.25f}));
    ASSERT_EQ(mesh.normals.size(), 4u);
    EXPECT_EQ(mesh.normals[vertex_at(mesh, {1, 0, 0})], (Vec3f{0, 0, 1}));
    EXPECT_EQ(mesh.normals[vertex_at(mesh, {1, 1, 0})], (Vec3f{0, 0.6f, 0.8f}));
    EXPECT_EQ(mesh.normals[vertex_at(mesh, {0, 1, 0})], (Vec3f{}));
  }
}

TEST(SurfaceMesh, ObjColours) {
  TemporaryFolder folder;
  const SurfaceMesh mesh = read_surface_mesh(
      put_text(folder / "a.obj", "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0.5 0.5 0.5\nf 1 2 3\n"));
  ASSERT_EQ(mesh.colors.size(), 3u);
  EXPECT_EQ(mesh.colors[vertex_at(mesh, {1, 0, 0})], (Vec3f{0, 1, 0}));
  EXPECT_EQ(mesh.colors[vertex_at(mesh, {0, 1, 0})], Vec3f::filled(srgb_decoded(0.5f)));
}

// Two triangles share an edge. At one of its ends their texture coordinates differ, so that there must be two
// vertices there; at the other one they agree.
TEST(SurfaceMesh, VerticesAreJoinedOnlyIfTheyHaveEverythingInCommon) {
  TemporaryFolder folder;
  const auto file = put_text(folder / "a.obj",
                             "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n"
                             "vt 0 0\nvt 1 0\nvt 0 1\nvt 0.5 0.5\nvt 1 1\n"
                             "f 1/1 2/2 3/3\nf 2/4 4/5 3/3\n");
  const SurfaceMesh mesh = read_surface_mesh(file);
  ASSERT_EQ(mesh.triangles.size(), 2u);
  ASSERT_EQ(mesh.vertices.size(), 5u);
  ASSERT_EQ(mesh.texture.size(), 5u);
  EXPECT_EQ(std::count(mesh.vertices.begin(), mesh.vertices.end(), Vec3d{1, 0, 0}), 2);
  EXPECT_EQ(mesh.texture[vertex_at(mesh, {0, 1, 0})], (Vec2f{0, 1}));
  EXPECT_EQ(read_triangle_mesh(file).vertices.size(), 4u);
}

// The second object has no texture coordinates; those of the first stay with their vertices.
TEST(SurfaceMesh, PartsThatOnlySomeObjectsHave) {
  TemporaryFolder folder;
  const SurfaceMesh mesh = read_surface_mesh(
      put_text(folder / "a.obj",
               "o one\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
               "o two\nv 0 0 2\nv 1 0 2\nv 0 1 2\nvt 0.25 0.5\nvt 1 0\nvt 0 1\nf 4/1 5/2 6/3\n"));
  ASSERT_EQ(mesh.vertices.size(), 6u);
  ASSERT_EQ(mesh.texture.size(), 6u);
  EXPECT_EQ(mesh.texture[vertex_at(mesh, {0, 0, 2})], (Vec2f{0.25f, 0.5f}));
  EXPECT_EQ(mesh.texture[vertex_at(mesh, {1, 0, 2})], (Vec2f{1, 0}));
  EXPECT_EQ(mesh.texture[vertex_at(mesh, {1, 0, 0})], (Vec2f{}));
}

// A mesh can do without texture, not without places.
TEST(SurfaceMesh, WhatIsNotFinite) {
  TemporaryFolder folder;
  EXPECT_THROW(read_surface_mesh(folder / "none.ply"), InputError);
  const SurfaceMesh mesh = read_surface_mesh(
      put_text(folder / "a.ply", ply("property float s\nproperty float t\n",
                                     "0 0 0 0 0\n1 0 0 nan 0\n1 1 0 0.5 0.25\n0 1 0 0 0.25\n")));
  EXPECT_TRUE(mesh.texture.empty());
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_THROW(
      read_surface_mesh(put_text(folder / "b.ply",
                                 ply("property float s\nproperty float t\n",
                                     "0 0 0 0 0\n1 nan 0 0 0\n1 1 0 0.5 0.25\n0 1 0 0 0.25\n"))),
      InputError);
}

// The same triangles, also where a vertex that nothing uses is at the place of another.
TEST(SurfaceMesh, ItsTrianglesAloneAreThoseOfTheFile) {
  TemporaryFolder folder;
  for (const char* text : {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvn 1 0 0\n"
                           "f 1//1 2//1 3//1\nf 1//2 3//2 4//2\n",
                           "v 1 0 0\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nf 2 3 4\n"}) {
    const auto file = put_text(folder / "a.obj", text);
    const TriangleMesh direct = read_triangle_mesh(file),
                       alone = triangles_of(read_surface_mesh(file));
    EXPECT_EQ(alone.vertices, direct.vertices);
    EXPECT_EQ(alone.triangles, direct.triangles);
  }
}

}  // namespace
}  // namespace octavo
