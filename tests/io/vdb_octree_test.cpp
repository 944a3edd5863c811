#include "octavo/io/vdb_octree.h"

#include <gtest/gtest.h>

#include <numbers>

#include "octavo/base/text.h"
#include "octavo/io/openvdb_grids.h"
#include "octavo/io/openvdb_start.h"
#include "octavo/mesh/interpolate.h"
#include "support/sanitized.h"
#include "support/volume_tree.h"
#include "temporary_folder.h"

namespace octavo {
namespace {

// A file of a smoky field on a tree of many levels.
std::filesystem::path smoky_file(const TemporaryFolder& folder, std::uint64_t seed) {
  const Octree<3> tree = test::volume_tree<3>(seed, 6);
  const Mesh<3> mesh(tree);
  std::vector<VdbVolume> volumes;
  volumes.push_back({"density", make_volume(mesh, test::smoky_field<float>(mesh, seed))});
  write_vdb(folder / "smoke.vdb", make_vdb(std::move(volumes), {}, {.half = false}));
  return folder / "smoke.vdb";
}

Vec3d point_in(const Box<3>& box, const Random& random, std::uint64_t i) {
  Vec3d p{};
  for (int a = 0; a < 3; ++a)
    p[a] = box.lo[a] + box.size()[a] * random.uniform(i, static_cast<std::uint32_t>(a));
  return p;
}

double largest_difference(const VdbOctree& octree, const VolumeGrid& volume) {
  Sampler<3, float> at(octree.grid.mesh().view(), std::as_const(octree.field).view());
  const Random random(5);
  double most = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const Vec3d p = point_in(octree.grid.tree().domain().box(), random, i);
    most = std::max(most, std::abs(static_cast<double>(at(p)) - volume.number_at(p)));
  }
  return most;
}

TEST(VdbOctree, HasWhatTheFileHas) {
  for (std::uint64_t seed = 0; seed < (test::sanitized ? 1 : 5); ++seed) {
    const TemporaryFolder folder;
    const auto path = smoky_file(folder, seed);
    const VolumeGrid volume = read_vdb_grid(path, "density");
    const VdbOctree exact = read_vdb_octree(path, "density", {.tolerance = 0});
    EXPECT_EQ(exact.grid.tree().validate() + exact.grid.mesh().validate(), "");
    EXPECT_LT(largest_difference(exact, volume), 2e-6);
    const VdbOctree near = read_vdb_octree(path, "density", {.tolerance = 0.05});
    EXPECT_LT(largest_difference(near, volume), 0.05);
    EXPECT_LT(near.grid.tree().leaf_count(), exact.grid.tree().leaf_count());
    const NodeField<float> again = nodal_values(volume, exact.grid.mesh());
    for (std::size_t n = 0; n < again.size(); ++n)
      EXPECT_NEAR(again[NodeId(n)], exact.field[NodeId(n)], 2e-6f);
  }
}

TEST(VdbOctree, FewLeavesWhereNothingIs) {
  const TemporaryFolder folder;
  start_openvdb();
  const openvdb::FloatGrid::Ptr grid = openvdb::FloatGrid::create(0.0f);
  grid->setName("density");
  grid->tree().setValue({0, 0, 0}, 1.0f);
  grid->tree().setValue({1000, 500, -300}, 1.0f);
  openvdb::io::File((folder / "far.vdb").string()).write({grid});
  const VdbOctree octree = read_vdb_octree(folder / "far.vdb", "density");
  EXPECT_LT(octree.grid.tree().leaf_count(), 20000u);
  const MeshView<3> mesh = octree.grid.mesh().view();
  EXPECT_EQ(sample(mesh, octree.field.view(), Vec3d{0, 0, 0}), 1);
  EXPECT_EQ(sample(mesh, octree.field.view(), Vec3d{1000, 500, -300}), 1);
  EXPECT_EQ(sample(mesh, octree.field.view(), Vec3d{1000, 500.5, -300}), 0.5f);
}

// Grids of other programs may be turned, stretched, or of doubles.
TEST(VdbOctree, TurnedAndStretchedGrids) {
  const TemporaryFolder folder;
  start_openvdb();
  const openvdb::DoubleGrid::Ptr grid = openvdb::DoubleGrid::create(0.0);
  grid->setName("density");
  openvdb::Mat4d map = openvdb::Mat4d::identity();
  map.preScale(openvdb::Vec3d(0.1, 0.2, 0.15));
  map.preRotate(openvdb::math::Z_AXIS, 0.4);
  map.preTranslate(openvdb::Vec3d(3, -1, 2));
  grid->setTransform(openvdb::math::Transform::createLinearTransform(map));
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j < 20; ++j)
      for (int k = 0; k < 25; ++k) grid->tree().setValue({i, j, k}, 1 + 0.01 * i + 0.02 * j);
  openvdb::io::File((folder / "turned.vdb").string()).write({grid});
  const VdbOctree octree = read_vdb_octree(folder / "turned.vdb", "density");
  const MeshView<3> mesh = octree.grid.mesh().view();
  for (int i = 3; i < 27; i += 4)
    for (int j = 3; j < 17; j += 3) {
      const openvdb::Vec3d at = grid->indexToWorld(openvdb::Vec3d(i, j, 12));
      EXPECT_NEAR(sample(mesh, octree.field.view(), Vec3d{at[0], at[1], at[2]}),
                  1 + 0.01 * i + 0.02 * j, 0.003);
    }
}

TEST(VdbOctree, NothingAtAll) {
  const TemporaryFolder folder;
  start_openvdb();
  const openvdb::FloatGrid::Ptr grid = openvdb::FloatGrid::create(0.0f);
  grid->setName("density");
  openvdb::io::File((folder / "none.vdb").string()).write({grid});
  const VdbOctree octree = read_vdb_octree(folder / "none.vdb", "density");
  for (std::size_t n = 0; n < octree.field.size(); ++n) EXPECT_EQ(octree.field[NodeId(n)], 0);
  EXPECT_THROW(read_vdb_octree(folder / "none.vdb", "smoke"), InputError);
}

std::filesystem::path written(const TemporaryFolder& folder, const openvdb::FloatGrid::Ptr& grid) {
  grid->setName("density");
  openvdb::io::File((folder / "grid.vdb").string()).write({grid});
  return folder / "grid.vdb";
}

openvdb::FloatGrid::Ptr new_grid(float background = 0) {
  start_openvdb();
  return openvdb::FloatGrid::create(background);
}

// Of what is multilinear in leaves.
double mass(const VdbOctree& octree) {
  const MeshView<3> mesh = octree.grid.mesh().view();
  double sum = 0;
  for (std::size_t i = 0; i < mesh.leaf_count(); ++i)
    for (int c = 0; c < 8; ++c)
      sum += static_cast<double>(octree.field[mesh.node(LeafId(i), c)]) *
             std::pow(mesh.tree.size(LeafId(i)), 3) / 8;
  return sum;
}

// Noise, which fades towards its border, needs all the leaves there can be; with fewer of them no smoke is lost.
TEST(VdbOctree, CoarserIfThereWouldBeTooManyLeaves) {
  const TemporaryFolder folder;
  const openvdb::FloatGrid::Ptr grid = new_grid();
  const Random random(3);
  double sum = 0;
  std::uint64_t n = 0;
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j)
      for (int k = 0; k < 40; ++k) {
        auto fade = [](int a) { return std::sin(std::numbers::pi * (a + 1) / 41); };
        const auto value = static_cast<float>(random.uniform(n++) * fade(i) * fade(j) * fade(k));
        grid->tree().setValue({i, j, k}, value);
        sum += static_cast<double>(value);
      }
  const auto path = written(folder, grid);
  const VdbOctree all = read_vdb_octree(path, "density");
  EXPECT_EQ(all.finest, 1);
  EXPECT_GT(all.grid.tree().leaf_count(), 64000u);
  EXPECT_NEAR(mass(all) / sum, 1, 1e-5);
  for (const std::size_t most : {20000u, 4000u, 600u}) {
    const VdbOctree some = read_vdb_octree(path, "density", {.most_leaves = most});
    EXPECT_LE(some.grid.tree().leaf_count(), most);
    EXPECT_GT(some.grid.tree().leaf_count(), most / 8);
    EXPECT_EQ(some.finest, most == 20000 ? 2 : most == 4000 ? 4 : 8);
    EXPECT_NEAR(mass(some) / sum, 1, 0.01 * some.finest);
  }
}

TEST(VdbOctree, VoxelsFarApart) {
  const TemporaryFolder folder;
  constexpr int far = 1 << 28;
  const openvdb::FloatGrid::Ptr grid = new_grid();
  grid->tree().setValue({0, 0, 0}, 1.0f);
  grid->tree().setValue({far, 5, 0}, 0.5f);
  const VdbOctree octree = read_vdb_octree(written(folder, grid), "density");
  EXPECT_LT(octree.grid.tree().leaf_count(), 20000u);
  const MeshView<3> mesh = octree.grid.mesh().view();
  EXPECT_EQ(sample(mesh, octree.field.view(), Vec3d{0, 0, 0}), 1);
  EXPECT_EQ(sample(mesh, octree.field.view(), Vec3d{far, 5, 0}), 0.5f);
  EXPECT_NEAR(mass(octree), 1.5, 1e-5);
  for (const openvdb::Coord& place :
       {openvdb::Coord(far, far, far), openvdb::Coord(std::numeric_limits<int>::max(), 0, 0),
        openvdb::Coord(0, std::numeric_limits<int>::min(), 0)}) {
    grid->tree().setValue(place, 1.0f);
    EXPECT_THROW(read_vdb_octree(written(folder, grid), "density"), InputError);
  }
}

// What OpenVDB stores as one value for many voxels.
TEST(VdbOctree, Tiles) {
  const TemporaryFolder folder;
  const openvdb::FloatGrid::Ptr grid = new_grid(0.25f);
  grid->tree().root().sparseFill({{0, 0, 0}, {15, 23, 127}}, 0.75f);
  grid->tree().root().sparseFill({{4096, 0, 0}, {4096 + 127, 127, 127}},
                                 0.25f);  // no other than the background
  ASSERT_EQ(grid->tree().leafCount(), 0u);
  const VdbOctree octree = read_vdb_octree(written(folder, grid), "density");
  const MeshView<3> mesh = octree.grid.mesh().view();
  for (const double z : {0.0, 7.0, 8.0, 64.5, 127.0})
    for (const double x : {0.0, 7.5, 15.0})
      EXPECT_EQ(sample(mesh, octree.field.view(), Vec3d{x, 3, z}), 0.75f) << x << " " << z;
  EXPECT_EQ(sample(mesh, octree.field.view(), Vec3d{15.5, 3, 5}), 0.5f);
  EXPECT_EQ(sample(mesh, octree.field.view(), Vec3d{5, 24, 5}), 0.25f);
  EXPECT_EQ(sample(mesh, octree.field.view(), Vec3d{4100, 3, 5}), 0.25f);
  EXPECT_LT(octree.grid.tree().leaf_count(), 60000u);
}

// What is no density is as if it were not there, and nothing else changes.
TEST(VdbOctree, NumbersThatAreNoDensities) {
  const TemporaryFolder folder;
  constexpr float infinite = std::numeric_limits<float>::infinity();
  auto octree_with = [&](const std::array<float, 4>& odd) {
    const openvdb::FloatGrid::Ptr grid = new_grid();
    const Random random(4);
    for (int i = 0; i < 1000; ++i) {
      const auto n = static_cast<std::uint64_t>(i);
      grid->tree().setValue({i % 10, i / 10 % 10, i / 100}, static_cast<float>(random.uniform(n)));
    }
    for (int i = 0; i < 4; ++i)
      grid->tree().setValue({2 * i, 3, 5}, odd[static_cast<std::size_t>(i)]);
    return read_vdb_octree(written(folder, grid), "density");
  };
  const VdbOctree odd = octree_with({NAN, infinite, -infinite, -3.0f});
  const VdbOctree none = octree_with({0, 0, 0, 0});
  ASSERT_EQ(odd.grid.tree().leaf_count(), none.grid.tree().leaf_count());
  for (std::size_t n = 0; n < odd.field.size(); ++n)
    EXPECT_EQ(odd.field[NodeId(n)], none.field[NodeId(n)]);
  const VdbOctree background = read_vdb_octree(written(folder, new_grid(NAN)), "density");
  for (std::size_t n = 0; n < background.field.size(); ++n)
    EXPECT_EQ(background.field[NodeId(n)], 0);
}

// Voxels that are very flat would be a great many cubes.
TEST(VdbOctree, FlatVoxelsAreNotTooManyCubes) {
  const TemporaryFolder folder;
  const openvdb::FloatGrid::Ptr grid = new_grid();
  openvdb::Mat4d map = openvdb::Mat4d::identity();
  map.preScale(openvdb::Vec3d(1, 1, 1e-3));
  map.preTranslate(openvdb::Vec3d(1e6, 0, 0));
  grid->setTransform(openvdb::math::Transform::createLinearTransform(map));
  grid->tree().root().sparseFill({{0, 0, 0}, {15, 15, 1999}}, 1.0f);
  const VdbOctree octree = read_vdb_octree(written(folder, grid), "density", {.most_leaves = 4000});
  EXPECT_LE(octree.grid.tree().leaf_count(), 4000u);
  EXPECT_NEAR(mass(octree) / (16 * 16 * 2), 1, 0.2);
  const MeshView<3> mesh = octree.grid.mesh().view();
  EXPECT_GT(sample(mesh, octree.field.view(), Vec3d{1e6 + 7, 8, 1}), 0.9f);
}

// Voxels at the limit of what OpenVDB computes with are where they should be.
TEST(VdbOctree, VoxelsOfMicrometres) {
  const TemporaryFolder folder;
  for (const openvdb::Vec3d& voxel : {openvdb::Vec3d(1.5e-5), openvdb::Vec3d(2e-5, 1.5e-5, 3e-5)}) {
    const openvdb::FloatGrid::Ptr grid = new_grid();
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 10; ++j)
        for (int k = 0; k < 8; ++k)
          grid->tree().setValue({i, j, k}, static_cast<float>(1 + 0.1 * i + 0.2 * j));
    openvdb::Mat4d map = openvdb::Mat4d::identity();
    map.preTranslate(openvdb::Vec3d(0.5, -2, 0.25));
    map.preScale(voxel);
    grid->setTransform(openvdb::math::Transform::createLinearTransform(map));
    const auto path = written(folder, grid);
    const VolumeGrid volume = read_vdb_grid(path, "density");
    const VdbOctree octree = read_vdb_octree(path, "density", {.most_leaves = 1 << 16});
    const MeshView<3> mesh = octree.grid.mesh().view();
    for (const double x : {2.0, 5.5, 9.0})
      for (const double y : {3.0, 6.5}) {
        const Vec3d at{0.5 + x * voxel[0], -2 + y * voxel[1], 0.25 + 4 * voxel[2]};
        EXPECT_NEAR(volume.number_at(at), 1 + 0.1 * x + 0.2 * y, 1e-3) << voxel;
        EXPECT_NEAR(sample(mesh, octree.field.view(), at), 1 + 0.1 * x + 0.2 * y, 0.02) << voxel;
      }
  }
}

// OpenVDB itself writes no smaller ones; other programs may.
TEST(VdbOctree, RefusesVoxelsThatAreTooSmall) {
  const TemporaryFolder folder;
  const openvdb::FloatGrid::Ptr grid = new_grid();
  grid->tree().setValue({1, 2, 3}, 1.0f);
  const double size = 0.3;
  grid->setTransform(openvdb::math::Transform::createLinearTransform(size));
  std::string bytes = read_text(written(folder, grid));
  auto put = [&](double from, double to) {
    const std::string before(reinterpret_cast<const char*>(&from), sizeof(from));
    const std::string after(reinterpret_cast<const char*>(&to), sizeof(to));
    bytes = replaced(bytes, before, after);
  };
  for (const double small : {5e-6, 1e-9, 0.0}) {
    put(size, small);
    put(1 / size, 1 / small);
    put(1 / (size * size), 1 / (small * small));
    put(0.5 / size, 0.5 / small);
    const auto path = put_text(folder / "small.vdb", bytes);
    bytes = read_text(folder / "grid.vdb");
    for (int what = 0; what < 3; ++what) try {
        if (what == 0) vdb_contents(path);
        if (what == 1) read_vdb_grid(path, "density");
        if (what == 2) read_vdb_octree(path, "density");
        ADD_FAILURE() << small << ' ' << what;
      } catch (const InputError& e) {
        const std::string text = e.what();
        EXPECT_NE(text.find("small.vdb' cannot be read: its voxels are too small"),
                  std::string::npos)
            << text;
      }
  }
}

// A few bytes may be a tile of thousands of voxels along each side, of which there would be too many cubes.
TEST(VdbOctree, RefusesTooManyCubes) {
  const TemporaryFolder folder;
  const openvdb::FloatGrid::Ptr grid = new_grid();
  grid->setTransform(
      openvdb::math::Transform::createFrustumTransform({{0, 0, 0}, {30, 30, 30}}, 0.5, 2, 0.1));
  grid->tree().root().sparseFill({{0, 0, 0}, {15, 15, 15}}, 1.0f);
  EXPECT_GT(mass(read_vdb_octree(written(folder, grid), "density", {.most_leaves = 4000})), 0);
  grid->tree().addTile(3, {0, 0, 0}, 0.5f, false);
  grid->tree().root().sparseFill({{0, 0, -16}, {15, 15, -1}}, 1.0f);
  try {
    read_vdb_octree(written(folder, grid), "density");
    ADD_FAILURE();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("too many or too far apart"), std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace octavo
