#pragma once

// This is OpenVDB's own grid behind a VolumeGrid; it is for sources of this folder only, since OpenVDB's headers take
// long to compile.

#include "octavo/base/error.h"
#include "octavo/io/openvdb_grids.h"
#include "octavo/io/vdb.h"

namespace octavo {

// The grid has voxels that are cubes along the axes: it is resampled if they are not, as finely as the shortest side
// of a voxel or as so many cubes allow; it is converted if numbers are doubles. Throws InputError, a sentence about
// the grid, if it has vectors or if resampling would take too long.
openvdb::FloatGrid::ConstPtr float_grid_of(const VolumeGrid& volume, std::size_t most_cubes);

}  // namespace octavo
