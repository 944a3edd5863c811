#pragma once

// Fields become sparse volumes: values at the centres of equal cubes (voxels), in blocks of 8^3. The layout
// is that of OpenVDB's trees, but these are plain data; vdb.h writes them.
//
//   Volume<float> density = make_volume(mesh, smoke.density());
//   const VolumeMask smoky({&density});
//   Volume<Vec3f> velocity = make_volume(mesh, smoke.velocity(), {.within = &smoky});
//
// Voxels have the size of the finest leaves, or of another level. Voxel (0, 0, 0) is the lowest one of the
// box, so that a block is a cell of the octree three levels above the voxels. Values are those of the
// simulator: multilinear in the leaf for nodal fields, constant for leaf fields. A volume of faces is
// staggered: component a of a voxel is the velocity through its low side along a, linear between the sides
// of a leaf that is larger than a voxel; what flows through the upper walls of the box is not part of it.
//
// A block has a value for each of its voxels unless that can be saved: where all of them are the background
// within the tolerance there is nothing, and where they differ by twice the tolerance or less there is a
// tile of one value, the middle of them. So no voxel is wrong by more than the tolerance.
//
// A quadtree becomes a slab of one voxel around the plane z = 0, without tiles.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <vector>

#include "octavo/mesh/field.h"

namespace octavo {

// A block is 8^3 voxels. The values stand elsewhere, in the same order.
struct VolumeBlock {
  static constexpr int edge = 8, voxels = 512;
  static constexpr int stride[3] = {64, 8, 1};

  Vec<3, int> origin;       // its lowest voxel
  std::uint64_t active[8];  // bit y * 8 + z of word x; values of the others are the background

  bool is_active(int voxel) const { return ((active[voxel / 64] >> (voxel % 64)) & 1) != 0; }
  friend bool operator==(const VolumeBlock&, const VolumeBlock&) = default;
};

// A tile is a cube of equal voxels: 8, 128 or 4096 along an edge, which are the tiles of OpenVDB.
struct VolumeTile {
  Vec<3, int> origin;
  int size;
  friend bool operator==(const VolumeTile&, const VolumeTile&) = default;
};

// It tells where a volume has something, whatever that is.
struct VolumeLayout {
  Vec3d origin{};         // lowest corner of the box, m
  double voxel_size = 0;  // m
  Vec<3, int> size{};     // voxels of the whole box
  Buffer<VolumeBlock> blocks;
  Buffer<VolumeTile> tiles;

  // These are the blocks along each axis, of which the last one may stick out of the box, and their numbers,
  // x fastest.
  Vec<3, int> blocks_along() const;
  std::uint64_t block_number(const Vec<3, int>& at) const;
  Vec<3, int> block_origin(std::uint64_t number) const;
};

// T is float or Vec3f.
template <class T>
struct Volume : VolumeLayout {
  T background{};
  bool staggered = false;
  bool is_level_set = false;  // signed distances, which are no more than the background either way
  Buffer<T> values;           // VolumeBlock::voxels for each block
  Buffer<T> tile_values;      // one for each tile

  View<const T> values_of(std::size_t block) const {
    return {values.data() + block * VolumeBlock::voxels, VolumeBlock::voxels};
  }
};

// It holds the blocks in which any of some volumes has something, and all blocks around those: where to keep
// a field that is the background nowhere, such as a velocity.
class VolumeMask {
 public:
  explicit VolumeMask(const std::vector<const VolumeLayout*>& volumes);  // of one lattice

  // These are their numbers in any volume of that lattice, sorted.
  View<const std::uint64_t> blocks() const { return {number_.data(), number_.size()}; }
  bool fits(const VolumeLayout& volume) const { return volume.blocks_along() == along_; }

 private:
  void add(const VolumeLayout& volume);
  void widen(int axis);

  Vec<3, int> along_;
  std::vector<std::uint64_t> number_;
};

template <class T>
struct VolumeOptions {
  T background{};
  std::optional<int> level{};          // of the voxels; that of the finest leaves unless given
  double tolerance = 1.0 / 2048;       // relative to the largest difference from the background
  const VolumeMask* within = nullptr;  // only in these blocks; else in the whole box
};

// Hanging nodes must be constrained. Throws InputError if a value is not finite, or if there would be more
// values than anyone can store.
template <int Dim, class Real>
requires std::is_floating_point_v<Real> Volume<float> make_volume(
    const Mesh<Dim>& mesh, const NodeField<Real>& field, const VolumeOptions<float>& options = {});
template <int Dim, class Real>
Volume<Vec3f> make_volume(const Mesh<Dim>& mesh, const NodeField<Vec<Dim, Real>>& field,
                          const VolumeOptions<Vec3f>& options = {});
template <int Dim, class Real>
Volume<float> make_volume(const Mesh<Dim>& mesh, const LeafField<Real>& field,
                          const VolumeOptions<float>& options = {});
template <int Dim, class Real>
Volume<Vec3f> make_volume(const Mesh<Dim>& mesh, const FaceField<Real>& velocity,
                          const VolumeOptions<Vec3f>& options = {});

}  // namespace octavo
