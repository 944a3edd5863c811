#pragma once

// The values of a block are filled in leaf by leaf: the leaves of a block stand together along the curve, and each
// knows by its key which voxels it covers.

#include <utility>

#include "octavo/volume/volume_lattice.h"
#include "octavo/volume/volume_values.h"

namespace octavo {

template <int Dim, class Source>
class BlockFiller {
 public:
  using Value = typename Source::Value;

  BlockFiller(const VoxelLattice<Dim>& lattice, const Source& source)
      : lattice_(lattice), tree_(lattice.tree), source_(source) {}

  // Voxels outside of the box are left as they are.
  void fill(const BlockCandidate& block, Value* values) const {
    const Vec<Dim, int> origin = lattice_.without_depth(block.origin);
    const Cell cell = block.cell;
    if (cell.is_outside()) return fill_from_roots(origin, values);
    if (cell.is_leaf() && tree_.level(cell.leaf()) <= lattice_.block_level()) {
      const LeafId leaf = cell.leaf();
      const Vec<Dim, int> begin = origin - lattice_.voxel_at(tree_.lo(leaf));
      source_.fill({leaf, begin, VolumeBlock::edge, lattice_.along(leaf)}, values);
      return;
    }
    const LeafId first = first_leaf(cell);
    fill_leaves(first, tree_.leaf_key[first].ancestor(lattice_.block_level()), origin, values);
  }

  // It tells between which values some voxels of the block are, far apart from each other if it has hundreds of
  // leaves: that is seldom all there is between, but enough to see that most blocks are not of one value.
  Bounds<Value> glance(const BlockCandidate& block) const {
    Bounds<Value> bounds{};
    if (block.cell.is_outside()) return bounds;
    const LeafId first = first_leaf(block.cell);
    if (tree_.level(first) <= lattice_.block_level()) return bounds;
    const Key<Dim> last = tree_.leaf_key[first].ancestor(lattice_.block_level()).last();
    constexpr std::size_t step = 73;  // the eighth is the last of 512
    bool any = false;
    for (std::size_t i = first; i < tree_.leaf_count() && tree_.leaf_key[i] <= last; i += step) {
      if (tree_.level(LeafId(i)) > lattice_.level) continue;
      Value value;
      source_.fill({LeafId(i), {}, 1, lattice_.along(LeafId(i))}, &value);
      if (!std::exchange(any, true)) bounds = {value, value};
      bounds.include(value);
    }
    return bounds;
  }

 private:
  LeafId first_leaf(Cell cell) const {
    return cell.is_leaf() ? cell.leaf() : tree_.branch_first_leaf[cell.branch()];
  }

  // Root cells have 1, 2 or 4 voxels along an edge.
  void fill_from_roots(const Vec<Dim, int>& origin, Value* values) const {
    for_each_voxel<Dim>(VolumeBlock::edge >> lattice_.level, [&](int, const Vec<Dim, int>& step) {
      Lattice<Dim> at{};
      for (int a = 0; a < Dim; ++a) {
        at[a] = static_cast<std::uint32_t>((origin[a] >> lattice_.level) + step[a]);
        if (at[a] >= static_cast<std::uint32_t>(tree_.domain.roots[a])) return;
      }
      const std::uint32_t root = tree_.domain.root_index(at);
      fill_leaves(first_leaf(tree_.root[root]), Key<Dim>::root(root), origin, values);
    });
  }

  void fill_leaves(LeafId first, Key<Dim> cell, const Vec<Dim, int>& origin, Value* values) const {
    const Key<Dim> last = cell.last();
    for (std::size_t i = first; i < tree_.leaf_count() && tree_.leaf_key[i] <= last; ++i)
      fill_leaf(LeafId(i), origin, values);
  }

  // Of the leaves smaller than a voxel that meet in its centre, the one above it along all axes counts: it
  // is the one that holds the point.
  void fill_leaf(LeafId leaf, const Vec<Dim, int>& origin, Value* values) const {
    const Lattice<Dim> lo = tree_.lo(leaf);
    const Vec<Dim, int> at = lattice_.voxel_at(lo) - origin;
    for (int a = 0; a < Dim; ++a) values += at[a] * VolumeBlock::stride[a];
    if (tree_.level(leaf) <= lattice_.level) {
      const int along = lattice_.along(leaf);
      source_.fill({leaf, {}, along, along}, values);
      return;
    }
    for (int a = 0; a < Dim; ++a)
      if ((lo[a] & (lattice_.voxel_size() - 1)) != lattice_.voxel_size() / 2) return;
    *values = source_.inside_voxel(leaf);
  }

  const VoxelLattice<Dim>& lattice_;
  const OctreeView<Dim>& tree_;
  const Source& source_;
};

}  // namespace octavo
