#pragma once

// A volume of densities of a VDB file is put on an octree: what is between the voxels of the file is multilinear
// there as well, and where it can be told from fewer values, leaves are larger; but where there is something, by no
// more than two voxels along each axis, since light may change where density does not.
//
//   const VdbOctree smoke = read_vdb_octree("smoke.0012.vdb", "density");
//   const float rho = sample(smoke.grid.mesh().view(), smoke.field.view(), point);
//
// What is negative, infinite or no number counts as none.

#include <filesystem>
#include <string>

#include "octavo/io/vdb.h"
#include "octavo/mesh/field.h"
#include "octavo/mesh/grid.h"

namespace octavo {

struct VdbOctreeOptions {
  double tolerance = 1.0 / 1024;  // of the largest value: by which the value of a voxel may change

  // If it takes more, leaves are not refined to the end: the smallest are 2, 4 ... voxels wide, and nodes have a mean
  // of the voxels around them. Voxels that are no cubes become at most 8 times as many that are. A leaf takes about
  // 130 bytes.
  std::size_t most_leaves = std::size_t{1} << 25;
};

struct VdbOctree {
  Grid<3> grid;
  NodeField<float> field;  // hanging nodes constrained
  int finest = 1;          // voxels along the smallest leaves
};

// The box is that of the active voxels, and as much around it as it takes to make it one of root cells. It throws as
// read_vdb_grid does, and InputError if voxels are too far apart.
VdbOctree read_vdb_octree(const std::filesystem::path& path, const std::string& name,
                          const VdbOctreeOptions& options = {});

// These are the values of another volume of numbers at the nodes of an octree; they are 0 where they are infinite or
// no number.
NodeField<float> nodal_values(const VolumeGrid& volume, const Mesh<3>& mesh);

}  // namespace octavo
