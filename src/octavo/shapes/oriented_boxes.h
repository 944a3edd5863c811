#pragma once

// These boxes lie flat on the triangles they hold; they serve searches of the nearest one.
//
// Seen from afar, all triangles around the nearest are about as far. A box along the axes around a
// few slanted triangles begins well before they do, by about its size h, so that from a distance D
// all boxes within sqrt(D h) of the nearest triangle are candidates. A box turned to the triangles'
// plane begins where they are, and the candidates are its neighbours. On a sphere of 100000
// triangles, seen from one radius away, that is 50 triangles to measure in place of 400.
//
// Four boxes stand side by side, with a vector register for each of their numbers. They take about 42
// bytes per triangle.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "octavo/shapes/triangle_tree.h"

namespace octavo {

// A BoxContent is what a box of a quad leads to: another quad, or at most 7 triangles in a row.
class BoxContent {
 public:
  BoxContent() = default;
  static BoxContent quad(std::size_t index);
  static BoxContent triangles(const BoxNode& last_box);

  bool is_quad() const { return (bits_ & leaf_bit) == 0; }
  std::uint32_t index() const { return bits_; }
  std::uint32_t first() const { return (bits_ & ~leaf_bit) >> 3; }
  std::uint32_t last() const { return first() + (bits_ & 7u); }

 private:
  static constexpr std::uint32_t leaf_bit = 1u << 31;
  explicit BoxContent(std::uint32_t bits) : bits_(bits) {}
  std::uint32_t bits_;
};

// BoxLanes are four numbers in a register, one for each box.
using BoxLanes [[gnu::vector_size(16)]] = float;

// BoxLanes that are not used are infinitely far. A quad has 256 bytes.
struct alignas(64) BoxQuad {
  BoxLanes center[3];
  BoxLanes axis[3][3];    // axis, component
  BoxLanes half_size[3];  // along each axis
  BoxContent content[4];
};
static_assert(sizeof(BoxQuad) == 256);

class OrientedBoxes {
 public:
  explicit OrientedBoxes(const TriangleTree& tree);

  // This is a point as the boxes see it: it is taken from the middle of the mesh and in units of half
  // its diagonal, so that single precision serves.
  Vec3f local(const Vec3d& p) const;
  // This is a squared distance, m^2, as the boxes see it: those not nearer hold no triangle that is.
  float local_limit(double squared) const;

  const BoxQuad& operator[](std::uint32_t quad) const { return quads_[quad]; }
  std::size_t bytes() const { return quads_.capacity() * sizeof(BoxQuad); }

 private:
  Vec3d origin_;
  double unit_;
  std::vector<BoxQuad> quads_;
};

// These are the squared distances of the boxes of a quad from a point, both local.
inline BoxLanes squared_distances(const Vec3f& p, const BoxQuad& quad) {
  const BoxLanes x = p[0] - quad.center[0], y = p[1] - quad.center[1], z = p[2] - quad.center[2];
  BoxLanes squared{};
  for (int a = 0; a < 3; ++a) {
    const BoxLanes along = x * quad.axis[a][0] + y * quad.axis[a][1] + z * quad.axis[a][2];
    const BoxLanes beyond = (along < 0 ? -along : along) - quad.half_size[a];
    const BoxLanes outside = beyond > 0 ? beyond : BoxLanes{};
    squared += outside * outside;
  }
  return squared;
}

}  // namespace octavo
