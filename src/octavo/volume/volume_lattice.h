#pragma once

// This is octree and voxels, one seen from the other.

#include "octavo/tree/octree.h"
#include "octavo/volume/volume.h"

namespace octavo {

template <int Dim>
struct VoxelLattice {
  OctreeView<Dim> tree;
  int level;  // of the voxels

  // It is the level of cells as large as a block, below 0 if even root cells are smaller.
  int block_level() const { return level - 3; }

  std::uint32_t voxel_size() const { return 1u << (max_level - level); }  // in lattice units

  // These are the voxel that holds a lattice position, and the lowest position in a voxel.
  Vec<Dim, int> voxel_at(Lattice<Dim> p) const {
    for (int a = 0; a < Dim; ++a) p[a] >>= max_level - level;
    return p.template cast<int>();
  }
  Lattice<Dim> lattice(const Vec<Dim, int>& voxel) const {
    return voxel.template cast<std::uint32_t>() * voxel_size();
  }

  // It is how many voxels there are along an edge of a leaf that is no smaller than one.
  int along(LeafId leaf) const { return 1 << (level - tree.level(leaf)); }

  // A quadtree has only voxels of depth 0.
  static Vec<3, int> with_depth(const Vec<Dim, int>& p) {
    Vec<3, int> r{};
    for (int a = 0; a < Dim; ++a) r[a] = p[a];
    return r;
  }
  static Vec<Dim, int> without_depth(const Vec<3, int>& p) {
    Vec<Dim, int> r{};
    for (int a = 0; a < Dim; ++a) r[a] = p[a];
    return r;
  }
};

// It is a block to look at, with the leaf in which it lies, or else the branch that it is or the first leaf
// in it, or none if root cells are smaller than blocks. If `tile` is not 0, it is a cube of that many voxels
// along an edge, in a leaf where the field varies so little that a tile will do.
struct BlockCandidate {
  Vec<3, int> origin;
  Cell cell;
  int tile;
};

}  // namespace octavo
