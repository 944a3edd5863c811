#pragma once

// This is what is behind a VolumeGrid; it is for sources of this folder only, since OpenVDB's headers take
// long to compile.

#include "octavo/io/openvdb_grids.h"
#include "octavo/io/vdb.h"

namespace octavo {

struct VolumeGrid::Grid {
  std::string name;
  std::variant<openvdb::FloatGrid::ConstPtr, openvdb::DoubleGrid::ConstPtr,
               openvdb::Vec3SGrid::ConstPtr, openvdb::Vec3DGrid::ConstPtr>
      data;
};

// It gives access to what OpenVDB has made of a file.
struct VolumeGridAccess {
  static const auto& grid(const VolumeGrid& volume) { return *volume.grid_; }
};

template <class Grid>
constexpr bool has_vectors = openvdb::VecTraits<typename Grid::ValueType>::IsVec;

}  // namespace octavo
