#pragma once

// OpenVDB's own grid behind a VolumeGrid; for sources of this folder only, since OpenVDB's headers take long to
// compile.

#include <openvdb/openvdb.h>

#include "octavo/base/error.h"
#include "octavo/io/vdb.h"

namespace octavo {

// With voxels that are cubes along the axes: resampled if they are not, as finely as the shortest side of a voxel or
// as so many cubes allow; converted if numbers are doubles. Throws InputError, a sentence about the grid, if it has
// vectors or if resampling would take too long.
openvdb::FloatGrid::ConstPtr float_grid_of(const VolumeGrid& volume, std::size_t most_cubes);

}  // namespace octavo
