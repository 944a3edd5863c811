#include "octavo/io/vdb_octree.h"

#include <gtest/gtest.h>
#include <openvdb/openvdb.h>

#include "octavo/io/openvdb_start.h"
#include "octavo/mesh/interpolate.h"
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
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const TemporaryFolder folder;
    const auto path = smoky_file(folder, seed);
    const VolumeGrid volume = read_vdb_grid(path, "density");
    const VdbOctree exact = read_vdb_octree(path, "density", 0);
    EXPECT_EQ(exact.grid.tree().validate() + exact.grid.mesh().validate(), "");
    EXPECT_LT(largest_difference(exact, volume), 2e-6);
    const VdbOctree near = read_vdb_octree(path, "density", 0.05);
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

}  // namespace
}  // namespace octavo
