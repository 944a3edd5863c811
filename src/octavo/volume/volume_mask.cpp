#include <algorithm>
#include <iterator>

#include "octavo/volume/volume.h"

namespace octavo {

namespace {

// More blocks than this are a mistake rather than a picture of smoke: 10^10 voxels.
constexpr std::size_t max_mask = std::size_t{1} << 24;

// Calls f(origin) for the blocks of a tile.
template <class F>
void for_each_block(const VolumeTile& tile, F&& f) {
  const int step = VolumeBlock::edge;
  for (int z = 0; z < tile.size; z += step)
    for (int y = 0; y < tile.size; y += step)
      for (int x = 0; x < tile.size; x += step) f(tile.origin + Vec<3, int>{x, y, z});
}

}  // namespace

Vec<3, int> VolumeLayout::blocks_along() const {
  Vec<3, int> along{};
  for (int a = 0; a < 3; ++a) along[a] = (size[a] - 1) / VolumeBlock::edge + 1;
  return along;
}

std::uint64_t VolumeLayout::block_number(const Vec<3, int>& at) const {
  const auto along = blocks_along().cast<std::uint64_t>();
  const auto block = at.cast<std::uint64_t>() / std::uint64_t{VolumeBlock::edge};
  return block[0] + along[0] * (block[1] + along[1] * block[2]);
}

Vec<3, int> VolumeLayout::block_origin(std::uint64_t number) const {
  const auto along = blocks_along().cast<std::uint64_t>();
  const Vec<3, std::uint64_t> block{number % along[0], number / along[0] % along[1],
                                    number / along[0] / along[1]};
  return block.cast<int>() * VolumeBlock::edge;
}

VolumeMask::VolumeMask(const std::vector<const VolumeLayout*>& volumes) {
  OCTAVO_CHECK(volumes.size() > 0);
  along_ = (*volumes.begin())->blocks_along();
  for (const VolumeLayout* volume : volumes) add(*volume);
  parallel_sort("sort volume mask", View(number_.data(), number_.size()));
  number_.erase(std::unique(number_.begin(), number_.end()), number_.end());
  for (int a = 0; a < 3; ++a) widen(a);
}

void VolumeMask::add(const VolumeLayout& volume) {
  OCTAVO_CHECK(fits(volume));
  std::size_t count = number_.size() + volume.blocks.size();
  for (const VolumeTile& tile : volume.tiles) {
    const auto edge = static_cast<std::size_t>(tile.size / VolumeBlock::edge);
    count += edge * edge * edge;
  }
  if (count > max_mask) throw InputError("a volume of more than {} blocks is too large", max_mask);
  number_.reserve(count);
  auto put = [&](const Vec<3, int>& origin) { number_.push_back(volume.block_number(origin)); };
  for (const VolumeBlock& block : volume.blocks) put(block.origin);
  for (const VolumeTile& tile : volume.tiles) for_each_block(tile, put);
}

// Moved by one block, sorted numbers stay sorted: the three lists only have to be merged.
void VolumeMask::widen(int axis) {
  std::uint64_t step = 1;
  for (int a = 0; a < axis; ++a) step *= static_cast<std::uint64_t>(along_[a]);
  const auto length = static_cast<std::uint64_t>(along_[axis]);
  std::vector<std::uint64_t> below, above, beside, all;
  for (const std::uint64_t n : number_) {
    const std::uint64_t place = n / step % length;
    if (place > 0) below.push_back(n - step);
    if (place + 1 < length) above.push_back(n + step);
  }
  std::set_union(below.begin(), below.end(), above.begin(), above.end(),
                 std::back_inserter(beside));
  std::set_union(number_.begin(), number_.end(), beside.begin(), beside.end(),
                 std::back_inserter(all));
  number_.swap(all);
}

}  // namespace octavo
