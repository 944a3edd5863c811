#pragma once

// This lists which blocks of a volume may have something: BlockLister looks at leaves larger than a block as
// a whole and lists the blocks in the others, each with the cell it is.

#include "octavo/volume/volume_lattice.h"
#include "octavo/volume/volume_values.h"

namespace octavo {

template <int Dim, class Source>
class BlockLister {
 public:
  using Value = typename Source::Value;

  BlockLister(const VoxelLattice<Dim>& lattice, const Source& source, const Value& background,
              float tolerance)
      : lattice_(lattice),
        tree_(lattice.tree),
        source_(source),
        background_(background),
        tolerance_(tolerance) {}

  // It lists the blocks of a mask, without looking at the field.
  Buffer<BlockCandidate> within(const VolumeMask& mask, const VolumeLayout& layout) const {
    OCTAVO_CHECK(mask.fits(layout));
    const View<const std::uint64_t> blocks = mask.blocks();
    return numbered(layout, blocks.size(), [=](std::size_t i) { return blocks[i]; });
  }

  Buffer<BlockCandidate> in_box(const VolumeLayout& layout) const {
    if (lattice_.block_level() >= 0) return along_curve();
    const auto all = product(layout.blocks_along().template cast<std::size_t>());
    return numbered(layout, all, [](std::size_t i) { return i; });
  }

 private:
  static constexpr double max_blocks = 1 << 24;  // 10^10 voxels: a mistake rather than a picture

  template <class Number>
  Buffer<BlockCandidate> numbered(const VolumeLayout& layout, std::size_t count,
                                  Number&& number) const {
    Buffer<BlockCandidate> list(count);
    parallel_for("list volume blocks", count, [&](std::size_t i) {
      const Vec<3, int> origin = layout.block_origin(number(i));
      list[i] = {origin, Cell::outside(), 0};
      if (lattice_.block_level() >= 0)
        list[i].cell =
            tree_.cell_at(lattice_.lattice(lattice_.without_depth(origin)), lattice_.block_level());
    });
    return list;
  }

  Buffer<BlockCandidate> along_curve() const {
    const double count =
        parallel_sum("count volume blocks", tree_.leaf_count(),
                     [&](std::size_t i) { return static_cast<double>(cubes_of(LeafId(i)).count); });
    if (count > max_blocks)
      throw InputError(
          "a volume of the whole box with voxels of {} m would have {:.3g} blocks of 8 x 8 x 8; "
          "choose a "
          "coarser level",
          tree_.domain.size(lattice_.level), count);
    std::vector<std::vector<BlockCandidate>> parts(block_count(tree_.leaf_count()));
    parallel_blocks("list volume blocks", tree_.leaf_count(),
                    [&](std::size_t p, std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) list_of(LeafId(i), parts[p]);
                    });
    Buffer<BlockCandidate> list;
    concatenate("list volume blocks", parts, list);
    return list;
  }

  // It is what a leaf is listed as: blocks or tiles that fill it, or nothing. Of the leaves that are smaller
  // than a block, the first one in it stands for all.
  struct Cubes {
    std::uint64_t count;
    int size;  // voxels along an edge
    bool are_tiles;
  };
  Cubes cubes_of(LeafId leaf) const {
    const int edge = VolumeBlock::edge;
    if (tree_.level(leaf) > lattice_.block_level()) return {is_first(leaf) ? 1u : 0u, edge, false};
    const Bounds<Value> bounds = source_.bounds(leaf);
    if (bounds.near(background_, tolerance_)) return {0, edge, false};
    const bool are_tiles = Dim == 3 && bounds.narrower_than(2 * tolerance_);
    const int along = lattice_.along(leaf);
    const int size = are_tiles && along >= 4096 ? 4096 : are_tiles && along >= 128 ? 128 : edge;
    std::uint64_t count = 1;
    for (int a = 0; a < Dim; ++a) count *= static_cast<std::uint64_t>(along / size);
    return {count, size, are_tiles};
  }

  bool is_first(LeafId leaf) const {
    return leaf.value == 0 || !block_of(leaf).contains(tree_.leaf_key[leaf.value - 1]);
  }
  Key<Dim> block_of(LeafId leaf) const {
    return tree_.leaf_key[leaf].ancestor(lattice_.block_level());
  }

  void list_of(LeafId leaf, std::vector<BlockCandidate>& list) const {
    const Cubes cubes = cubes_of(leaf);
    if (cubes.count == 0) return;
    if (tree_.level(leaf) > lattice_.block_level()) {
      const Vec<Dim, int> at = lattice_.voxel_at(tree_.lo(block_of(leaf)));
      list.push_back({lattice_.with_depth(at), Cell::leaf(leaf), 0});
      return;
    }
    const Vec<Dim, int> begin = lattice_.voxel_at(tree_.lo(leaf));
    const auto along = static_cast<std::uint64_t>(lattice_.along(leaf) / cubes.size);
    for (std::uint64_t i = 0; i < cubes.count; ++i) {
      Vec<Dim, int> at = begin;
      std::uint64_t rest = i;
      for (int a = 0; a < Dim; ++a, rest /= along)
        at[a] += static_cast<int>(rest % along) * cubes.size;
      const int tile = cubes.are_tiles ? cubes.size : 0;
      list.push_back({lattice_.with_depth(at), Cell::leaf(leaf), tile});
    }
  }

  const VoxelLattice<Dim>& lattice_;
  const OctreeView<Dim>& tree_;
  const Source& source_;
  Value background_;
  float tolerance_;
};

}  // namespace octavo
