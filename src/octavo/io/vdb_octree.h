#pragma once

// A volume of a VDB file on an octree: what is between the voxels of the file is multilinear there as well, and
// where it can be told from fewer values, leaves are larger; but where there is something, by no more than two
// voxels along each axis, since light may change where density does not.
//
//   const VdbOctree smoke = read_vdb_octree("smoke.0012.vdb", "density");
//   const float rho = sample(smoke.grid.mesh().view(), smoke.field.view(), point);

#include <filesystem>
#include <string>

#include "octavo/io/vdb.h"
#include "octavo/mesh/field.h"
#include "octavo/mesh/grid.h"

namespace octavo {

struct VdbOctree {
  Grid<3> grid;
  NodeField<float> field;  // hanging nodes constrained
};

// No voxel's value changes by more than the tolerance, of the largest value. The box is that of the active
// voxels, and as much around it as it takes to make it one of root cells. Throws as read_vdb_grid does.
VdbOctree read_vdb_octree(const std::filesystem::path& path, const std::string& name,
                          double tolerance = 1.0 / 1024);

// Values of another volume of numbers at the nodes of an octree.
NodeField<float> nodal_values(const VolumeGrid& volume, const Mesh<3>& mesh);

}  // namespace octavo
