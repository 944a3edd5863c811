#pragma once

// These are leaves where a ray meets a plane across an axis, and the lines of their edges in that plane, as wide on
// the picture wherever the plane is and however it is tilted.
//
//   const LeafSpot spot = leaf_behind(tree, {ray, distance, axis}, position);
//   const float line = line_cover(tree, spot, {ray, distance, axis}, rays.pixel_size(distance), {});

#include <algorithm>
#include <cmath>

#include "octavo/camera/ray.h"
#include "octavo/tree/octree.h"

namespace octavo {

// It is where a ray meets a plane.
struct PlaneHit {
  Ray ray;
  double distance;  // along the ray, m
  int axis;         // that the plane is across
};

struct LeafSpot {
  LeafId leaf;
  Vec3d local;  // 0..1 along each axis, unless the ray passes beside the box
};

// It is the leaf that the ray enters there, or the nearest one if that is beside the box. Planes between leaves are
// met exactly: `position` is where the plane is.
inline LeafSpot leaf_behind(const OctreeView<3>& tree, const PlaneHit& hit, double position) {
  const Domain<3>& domain = tree.domain;
  const Lattice<3> extent = domain.extent();
  Vec3d at = hit.ray.at(hit.distance);
  at[hit.axis] = position;
  at = (at - domain.origin) * (root_lattice / domain.root_size);
  Lattice<3> p{};
  for (int a = 0; a < 3; ++a) {
    const bool from_above = a == hit.axis && hit.ray.direction[a] < 0;
    const double cell = from_above ? std::ceil(at[a]) - 1 : at[a];
    p[a] = static_cast<std::uint32_t>(std::clamp(cell, 0.0, extent[a] - 1.0));
  }
  const LeafId leaf = tree.leaf_at(p);
  return {leaf, (at - tree.lo(leaf).cast<double>()) * (1.0 / tree.leaf_key[leaf].size())};
}

// Lines fade out where leaves become so small that they would be all that is seen.
inline double line_fade(double leaf_pixels) { return std::clamp((leaf_pixels - 3) / 9, 0.0, 1.0); }

// Lines are `width` pixels wide, half of that on each side of an edge, with borders that take `blur` pixels from
// nothing to all.
struct LineStyle {
  double width = 1, blur = 1;

  // What is so many pixels away from the edge is covered by so much.
  double cover(double pixels) const {
    return std::clamp((width / 2 - pixels) / blur + 0.5, 0.0, 1.0);
  }
};

// It is how much of a spot of the picture the lines of a leaf cover, 0..1. A step of a pixel across the ray, of size
// `pixel` in metres, moves the hit by sqrt(1 + (direction_a / direction_axis)^2) of it along axis a at most: that is
// how far lines across a are apart in pixels. Beside the box lines end.
inline float line_cover(const OctreeView<3>& tree, const LeafSpot& spot, const PlaneHit& hit,
                        double pixel, const LineStyle& style) {
  const double size = tree.size(spot.leaf);
  double cover = 0, most = 1;
  for (int a = 0; a < 3; ++a) {
    if (a == hit.axis) continue;
    const double slope = hit.ray.direction[a] / hit.ray.direction[hit.axis];
    const double leaf_pixels = size / (pixel * std::sqrt(1 + slope * slope));
    const double inside = std::min(spot.local[a], 1 - spot.local[a]) * leaf_pixels;
    cover = std::max(cover, line_fade(leaf_pixels) * style.cover(std::abs(inside)));
    if (inside < 0) most = std::min(most, style.cover(-inside));
  }
  return static_cast<float>(std::min(cover, most));
}

}  // namespace octavo
