#pragma once

// The voxels of a grid of OpenVDB are seen as densities, with what an octree wants to know of cubes of them; this is
// for sources of this folder only.
//
//   const VdbDensities voxels(float_grid_of(read_vdb_grid(path, "density"), 1 << 24));
//   if (!voxels.is_constant(first, size)) ...
//
// Files of others may have anything in them: what is negative, infinite or no number counts as none.

#include <limits>

#include "octavo/io/vdb_float_grid.h"

namespace octavo {

class VdbDensities {
 public:
  using Coord = openvdb::Coord;
  static constexpr int block =
      openvdb::FloatTree::LeafNodeType::DIM;  // voxels along OpenVDB's leaves

  explicit VdbDensities(openvdb::FloatGrid::ConstPtr grid);

  const openvdb::FloatGrid& grid() const { return *grid_; }
  float at(const Coord& voxel) const { return clean(grid_->tree().getValue(voxel)); }

  // It is the largest difference of an active voxel from the background.
  float largest() const;

  // A cube goes from its first voxel to the one `size` further along each axis, both included. This tells whether all
  // of it is in tiles that have the same value, without a look at each voxel.
  bool is_constant(const Coord& first, int size) const;

  // It tells whether one of its corners differs from the background.
  bool has_something(const Coord& first, int size, float tolerance) const;

  // It tells whether all of its voxels have what is between those at its corners.
  bool is_multilinear(const Coord& first, int size, float tolerance) const;

  // It is the mean between a voxel and those `reach` voxels away, weighted as a tent twice as wide: what is left of
  // them when only every 2 reach-th voxel is kept.
  float mean_around(const Coord& voxel, int reach) const;

 private:
  using Accessor = openvdb::FloatGrid::ConstUnsafeAccessor;

  static float clean(float value) {
    return value > 0 && value <= std::numeric_limits<float>::max() ? value : 0;
  }
  static std::array<float, 8> corners(const Accessor& voxels, const Coord& first, int size);

  openvdb::FloatGrid::ConstPtr grid_;
  float background_;
};

}  // namespace octavo
