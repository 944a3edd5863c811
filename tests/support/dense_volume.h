#pragma once

// A sparse volume spread out, to be asked about single voxels.

#include <cstdint>
#include <set>
#include <vector>

#include "octavo/volume/volume.h"

namespace octavo::test {

template <class T>
class DenseVolume {
 public:
  enum class Kind : std::uint8_t { nothing, inactive, active, tile };

  explicit DenseVolume(const Volume<T>& volume)
      : size_(volume.size), value_(count(), volume.background), kind_(count(), Kind::nothing) {
    for (std::size_t b = 0; b < volume.blocks.size(); ++b) {
      const VolumeBlock& block = volume.blocks[b];
      for (int i = 0; i < VolumeBlock::voxels; ++i)
        put(block.origin + Vec<3, int>{i / 64, i / 8 % 8, i % 8},
            volume.values_of(b)[static_cast<std::size_t>(i)],
            block.is_active(i) ? Kind::active : Kind::inactive);
    }
    for (std::size_t t = 0; t < volume.tiles.size(); ++t)
      for (int x = 0; x < volume.tiles[t].size; ++x)
        for (int y = 0; y < volume.tiles[t].size; ++y)
          for (int z = 0; z < volume.tiles[t].size; ++z)
            put(volume.tiles[t].origin + Vec<3, int>{x, y, z}, volume.tile_values[t], Kind::tile);
  }

  // Voxels that were there twice, or outside of the box and active.
  int mistakes() const { return mistakes_; }

  const T& value(const Vec<3, int>& v) const { return value_[index(v)]; }
  Kind kind(const Vec<3, int>& v) const { return kind_[index(v)]; }

  // Calls f(voxel) for all voxels of the box.
  template <class F>
  void for_each(F&& f) const {
    for (int x = 0; x < size_[0]; ++x)
      for (int y = 0; y < size_[1]; ++y)
        for (int z = 0; z < size_[2]; ++z) f(Vec<3, int>{x, y, z});
  }

 private:
  std::size_t count() const { return product(size_.template cast<std::size_t>()); }
  std::size_t index(const Vec<3, int>& v) const {
    const auto p = v.template cast<std::size_t>(), n = size_.template cast<std::size_t>();
    return (p[0] * n[1] + p[1]) * n[2] + p[2];
  }
  void put(const Vec<3, int>& v, const T& value, Kind kind) {
    for (int a = 0; a < 3; ++a)
      if (v[a] < 0 || v[a] >= size_[a]) {
        mistakes_ += kind != Kind::inactive;
        return;
      }
    mistakes_ += kind_[index(v)] != Kind::nothing;
    value_[index(v)] = value;
    kind_[index(v)] = kind;
  }

  Vec<3, int> size_;
  std::vector<T> value_;
  std::vector<Kind> kind_;
  int mistakes_ = 0;
};

// Where the centre of a voxel is.
template <int Dim, class T>
Vec<Dim> center_of(const Volume<T>& volume, const Vec<3, int>& voxel) {
  Vec<Dim> p{};
  for (int a = 0; a < Dim; ++a) p[a] = volume.origin[a] + (voxel[a] + 0.5) * volume.voxel_size;
  return p;
}

}  // namespace octavo::test
