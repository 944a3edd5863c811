#pragma once

// These are the values at the corners of a leaf, and between them.
//
//   const LeafCorners c = corners_of(mesh, density, leaf);
//   const float depth = mean_along(c, p.begin, p.end) * length;

#include <algorithm>
#include <array>

#include "octavo/mesh/interpolate.h"

namespace octavo {

using LeafCorners = std::array<float, 8>;

inline LeafCorners corners_of(const MeshView<3>& mesh, View<const float> nodal, LeafId leaf) {
  LeafCorners c{};
  for (int i = 0; i < 8; ++i) c[static_cast<std::size_t>(i)] = nodal[mesh.node(leaf, i)];
  return c;
}

// What is negative or no number counts as none, and what is beyond all measure as 1e6.
inline LeafCorners densities_of(const MeshView<3>& mesh, View<const float> nodal, LeafId leaf) {
  constexpr float most = 1e6f;
  LeafCorners c = corners_of(mesh, nodal, leaf);
  for (float& d : c) d = d > 0 ? std::min(d, most) : 0;
  return c;
}

inline float value_at(const LeafCorners& c, const Vec3f& local) {
  return multilinear<3>(local, [&](int i) { return c[static_cast<std::size_t>(i)]; });
}

// This is Simpson's rule over the part of a ray in a leaf.
inline float mean_along(const LeafCorners& c, const Vec3f& begin, const Vec3f& end) {
  return std::max(
      0.0f, (value_at(c, begin) + 4 * value_at(c, (begin + end) * 0.5f) + value_at(c, end)) / 6);
}

}  // namespace octavo
