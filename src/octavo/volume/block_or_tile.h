#pragma once

// A block of a volume is left out where the field is the background, becomes a tile where it hardly varies, and has a
// value for each voxel elsewhere. This looks at the field in a block and tells which.

#include "octavo/volume/volume_fill.h"

namespace octavo {

enum class BlockKind : std::uint8_t { nothing, tile, block };

template <class Value>
struct BlockVerdict {
  BlockKind kind;
  Value middle;  // of a tile: between the smallest and the largest
};

// It works in eight lanes, which the processor handles at once.
template <class Value>
Bounds<Value> bounds_of(const Value* values) {
  constexpr int lanes = VolumeBlock::edge;
  Bounds<Value> lane[lanes];
  for (int i = 0; i < lanes; ++i) lane[i] = {values[i], values[i]};
  for (int row = lanes; row < VolumeBlock::voxels; row += lanes)
    for (int i = 0; i < lanes; ++i) lane[i].include(values[row + i]);
  for (int i = 1; i < lanes; ++i) {
    lane[0].include(lane[i].lo);
    lane[0].include(lane[i].hi);
  }
  return lane[0];
}

template <int Dim, class Source>
class BlockOrTile {
 public:
  using Value = typename Source::Value;

  // `size` is that of the whole box in voxels.
  BlockOrTile(const VoxelLattice<Dim>& lattice, const Source& source, const Vec<3, int>& size,
              const Value& background, float tolerance)
      : source_(source),
        filler_(lattice, source),
        size_(size),
        background_(background),
        tolerance_(tolerance) {}

  BlockVerdict<Value> operator()(const BlockCandidate& c) const {
    if (c.tile != 0) return {BlockKind::tile, source_.bounds(c.cell.leaf()).middle()};
    if (!filler_.glance(c).narrower_than(2 * tolerance_)) return {BlockKind::block, {}};
    Value values[VolumeBlock::voxels];
    fill(c, values);
    const Bounds<Value> bounds = bounds_of(values);
    if (bounds.near(background_, tolerance_)) return {BlockKind::nothing, {}};
    const bool flat = is_whole(c.origin) && bounds.narrower_than(2 * tolerance_);
    return {flat ? BlockKind::tile : BlockKind::block, bounds.middle()};
  }

  // Voxels outside of the box are the background.
  void fill(const BlockCandidate& c, Value* values) const {
    if (!is_whole(c.origin)) std::fill_n(values, VolumeBlock::voxels, background_);
    filler_.fill(c, values);
  }

 private:
  // It tells whether all of a block is inside of the box.
  bool is_whole(const Vec<3, int>& origin) const {
    for (int a = 0; a < 3; ++a)
      if (size_[a] - origin[a] < VolumeBlock::edge) return false;
    return true;
  }

  const Source& source_;
  BlockFiller<Dim, Source> filler_;
  Vec<3, int> size_;
  Value background_;
  float tolerance_;
};

}  // namespace octavo
