#include "octavo/camera/sight_map.h"

#include <algorithm>
#include <cmath>

#include "octavo/base/parallel.h"

namespace octavo {

void SightMap::build(const Camera& camera, double margin,
                     const std::function<double(const Ray&)>& sight) {
  const CameraRays rays(camera);
  const double width = camera.resolution[0], height = camera.resolution[1];
  margin_ = margin * width;
  tile_ = (width + 2 * margin_) / tiles_across;
  const int rows = std::max(1, static_cast<int>(std::ceil((height + 2 * margin_) / tile_ - 1e-9)));

  // These are the distances at the corners of tiles. A float that is not below its double hides nothing too much.
  constexpr int row = tiles_across + 1;
  std::vector<float> corner(static_cast<std::size_t>(row * (rows + 1)));
  parallel_blocks(
      "sight", corner.size(),
      [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const auto x = static_cast<double>(i % row), y = static_cast<double>(i / row);
          const double seen = sight(rays.through(x * tile_ - margin_, y * tile_ - margin_));
          corner[i] = std::nextafter(static_cast<float>(seen), HUGE_VALF);
        }
      },
      std::size_t{row});

  levels_.assign(
      1, {tiles_across, rows, std::vector<float>(static_cast<std::size_t>(tiles_across * rows))});
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < tiles_across; ++x) {
      const float* c = &corner[static_cast<std::size_t>(y * row + x)];
      levels_[0].farthest[static_cast<std::size_t>(y * tiles_across + x)] =
          std::max({c[0], c[1], c[row], c[row + 1]});
    }
  while (levels_.back().width > 1 || levels_.back().height > 1) {
    const Level& below = levels_.back();
    Level level{(below.width + 1) / 2, (below.height + 1) / 2, {}};
    for (int y = 0; y < level.height; ++y)
      for (int x = 0; x < level.width; ++x) {
        float most = 0;
        for (int v = 2 * y; v < std::min(2 * y + 2, below.height); ++v)
          for (int u = 2 * x; u < std::min(2 * x + 2, below.width); ++u)
            most = std::max(most, below.farthest[static_cast<std::size_t>(v * below.width + u)]);
        level.farthest.push_back(most);
      }
    levels_.push_back(std::move(level));
  }
}

double SightMap::tile_width(const Camera& camera, double margin) {
  return CameraRays(camera).pixel_size(1) * camera.resolution[0] * (1 + 2 * margin) / tiles_across;
}

// This is the farthest sight of a rectangle of tiles, both ends included: it is read from the level at
// which the rectangle is two by two squares at most.
double SightMap::farthest(int left, int top, int right, int bottom) const {
  std::size_t level = 0;
  while ((right >> level) - (left >> level) > 1 || (bottom >> level) - (top >> level) > 1) ++level;
  const Level& map = levels_[level];
  float most = 0;
  for (int y = top >> level; y <= bottom >> level; ++y)
    for (int x = left >> level; x <= right >> level; ++x)
      most = std::max(most, map.farthest[static_cast<std::size_t>(y * map.width + x)]);
  return static_cast<double>(most);
}

std::size_t SightMap::bytes() const {
  std::size_t sum = 0;
  for (const Level& level : levels_) sum += level.farthest.size() * sizeof(float);
  return sum;
}

bool SightMap::hides(const Frustum& frustum, const Region& region) const {
  if (levels_.empty()) return false;
  const auto place = frustum.place(region);
  if (!place) return false;
  const Level& tiles = levels_[0];
  auto tile = [&](double at, int count) {
    return static_cast<int>(std::clamp((at + margin_) / tile_, 0.0, count - 1.0));
  };
  return frustum.nearest(region) >
         farthest(tile(place->lo[0], tiles.width), tile(place->lo[1], tiles.height),
                  tile(place->hi[0], tiles.width), tile(place->hi[1], tiles.height));
}

}  // namespace octavo
