#pragma once

// A SightMap tells how far a camera sees in each direction, until something hides what is behind it.
//
//   SightMap map;
//   map.build(camera, 0.1, [&](const Ray& ray) { return distance at which nothing can be seen any more; });
//   if (map.hides(frustum, region)) ...
//
// The map is a coarse picture of distances, taken at the corners of square tiles. A region counts as hidden
// only if it is farther away than what can be seen at all corners of all tiles that it may be seen through, so
// that what is said to be hidden is, except for what shows through gaps narrower than a tile.

#include <functional>
#include <vector>

#include "octavo/camera/frustum.h"

namespace octavo {

class SightMap {
 public:
  static constexpr int tiles_across = 64;

  // The margin is on each side of the picture, as a part of its width. `sight` is called from many threads;
  // it returns infinity where there is no end to what can be seen.
  void build(const Camera& camera, double margin, const std::function<double(const Ray&)>& sight);

  // This is the width of a tile, at a distance of one metre, m.
  static double tile_width(const Camera& camera, double margin);

  std::size_t bytes() const;

  // This tells whether all of a region that is in the picture or its margin is hidden.
  bool hides(const Frustum& frustum, const Region& region) const;

 private:
  // A Level holds the farthest sight in each tile, or in each square of two by two tiles of the level below.
  struct Level {
    int width = 0, height = 0;
    std::vector<float> farthest;
  };
  double farthest(int left, int top, int right, int bottom) const;

  double tile_ = 1, margin_ = 0;  // pixels
  std::vector<Level> levels_;
};

}  // namespace octavo
