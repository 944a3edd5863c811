#include "octavo/io/ply.h"

#include <gtest/gtest.h>

#include <cstring>

#include "octavo/base/error.h"
#include "octavo/base/random.h"
#include "octavo/io/mesh_import.h"
#include "temporary_folder.h"

namespace octavo {
namespace {

template <int Count>
Vec<Count, float> any(std::uint64_t i) {
  Vec<Count, float> v{};
  for (int a = 0; a < Count; ++a)
    v[a] = static_cast<float>(Random(7).uniform(8 * i + static_cast<std::uint64_t>(a)));
  return v;
}

// Four corners, with everything that a mesh can have, and two triangles of them.
SurfaceMesh full_mesh() {
  SurfaceMesh mesh;
  for (std::uint64_t i = 0; i < 4; ++i) {
    mesh.vertices.push_back(any<3>(i).cast<double>());
    mesh.normals.push_back(any<3>(10 + i));
    mesh.texture.push_back(any<2>(20 + i));
    mesh.colors.push_back(any<3>(30 + i));
    mesh.velocities.push_back(any<3>(40 + i) * 100.0f);
  }
  mesh.triangles = {{0, 1, 2}, {3, 2, 1}};
  return mesh;
}

void expect_same(const SurfaceMesh& p, const SurfaceMesh& q) {
  EXPECT_EQ(p.vertices, q.vertices);
  EXPECT_EQ(p.normals, q.normals);
  EXPECT_EQ(p.texture, q.texture);
  EXPECT_EQ(p.colors, q.colors);
  EXPECT_EQ(p.velocities, q.velocities);
  EXPECT_EQ(p.radii, q.radii);
  EXPECT_EQ(p.triangles, q.triangles);
}

std::string complaint(const std::filesystem::path& file) {
  try {
    read_ply(file);
  } catch (const InputError& e) {
    return e.what();
  }
  return "nothing";
}

class Ply : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_ / "a.ply"; }
  SurfaceMesh written(const SurfaceMesh& mesh) const {
    write_ply(file(), mesh);
    return read_ply(file());
  }

  TemporaryFolder folder_;
};

TEST_F(Ply, IsReadAsItWasWritten) {
  SurfaceMesh mesh = full_mesh();
  expect_same(written(mesh), mesh);
  mesh.colors.clear();
  mesh.texture.clear();
  expect_same(written(mesh), mesh);
  mesh.normals.clear();
  mesh.velocities.clear();
  expect_same(written(mesh), mesh);
  expect_same(written({}), {});
}

TEST_F(Ply, DropsAreReadAsTheyWereWritten) {
  SurfaceMesh drops;
  for (std::uint64_t i = 0; i < 9; ++i) {
    drops.vertices.push_back(any<3>(i).cast<double>());
    drops.velocities.push_back(any<3>(10 + i));
    drops.radii.push_back(any<1>(20 + i)[0]);
  }
  expect_same(written(drops), drops);
}

// They are numbers of their own; who knows nothing of them leaves them out.
TEST_F(Ply, VelocitiesAreInTheFile) {
  SurfaceMesh mesh = full_mesh();
  const std::string bytes = ply_bytes(mesh);
  for (const char* name : {"vx", "vy", "vz"})
    EXPECT_NE(bytes.find("property float " + std::string(name) + "\n"), std::string::npos);
  mesh.velocities.clear();
  EXPECT_EQ(ply_bytes(mesh).size() + 3 * 18 + 4 * 12, bytes.size());
  write_ply(file(), full_mesh());
  EXPECT_EQ(read_surface_mesh(file()).triangles.size(), 2u);
}

// Points of other programs may have more.
TEST_F(Ply, WhatIsUnknownIsLeftOut) {
  std::string text =
      "ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty float age\n"
      "property float z\nproperty float y\nproperty float x\nelement face 0\n"
      "property list uchar int vertex_indices\nend_header\n";
  const float numbers[] = {9, 3, 2, 1, 9, 6, 5, 4};
  text.append(reinterpret_cast<const char*>(numbers), sizeof(numbers));
  put_text(file(), text);
  EXPECT_EQ(read_ply(file()).vertices, (std::vector<Vec3d>{{1, 2, 3}, {4, 5, 6}}));
}

TEST_F(Ply, EveryDamageIsNoticed) {
  const std::string whole = ply_bytes(full_mesh());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    put_text(file(), whole.substr(0, size));
    EXPECT_NE(complaint(file()), "nothing") << size;
  }
  put_text(file(), whole + " ");
  EXPECT_NE(complaint(file()).find("not as many bytes"), std::string::npos);
  EXPECT_NE(complaint(folder_ / "none.ply").find("does not exist"), std::string::npos);
  put_text(file(), "ply\nformat ascii 1.0\nelement vertex 0\nend_header\n");
  EXPECT_NE(complaint(file()).find("none that octavo writes"), std::string::npos);
  const std::string many = "18446744073709551615";
  std::string header = whole.substr(0, whole.find("end_header\n") + 11);
  header.replace(header.find("element vertex 4") + 15, 1, many);
  put_text(file(), header);
  EXPECT_NE(complaint(file()).find("not as many bytes"), std::string::npos);
}

TEST_F(Ply, NonsenseIsRefused) {
  SurfaceMesh mesh = full_mesh();
  mesh.triangles[1][2] = 4;
  put_text(file(), ply_bytes(mesh));
  EXPECT_NE(complaint(file()).find("vertex that is not there"), std::string::npos);
  mesh = full_mesh();
  mesh.velocities[2][1] = std::numeric_limits<float>::infinity();
  put_text(file(), ply_bytes(mesh));
  EXPECT_NE(complaint(file()).find("the vy of a vertex is not finite"), std::string::npos);
  std::string bytes = ply_bytes(full_mesh());
  bytes[bytes.size() - 13] = 4;
  put_text(file(), bytes);
  EXPECT_NE(complaint(file()).find("no triangle"), std::string::npos);
}

}  // namespace
}  // namespace octavo
