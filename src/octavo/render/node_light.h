#pragma once

// Light is kept on the nodes of an octree, where there is smoke around them.
//
//   const NodeLight nodes(mesh, occupied.leaf.view());
//   const Buffer<float> light = nodes.smooth([&](const Vec3d& p, double size) { return arriving(p); });

#include <functional>

#include "octavo/mesh/mesh.h"
#include "octavo/render/leaf_corners.h"

namespace octavo {

class NodeLight {
 public:
  // Leaves with smoke are those that are not 0.
  NodeLight(const Mesh<3>& mesh, View<const std::uint8_t> occupied);

  // There is a value at every node of such leaves, which is asked for with the size of the smallest of them, from
  // many threads; it is 1 at all others. Shadows of solids and of dense smoke are sharp, and a value for each node
  // would show them as stairs: where a shadow ends between the nodes of a leaf, they get the mean over a leaf around
  // them.
  using Value = std::function<float(const Vec3d& point, double size)>;
  Buffer<float> smooth(const Value& value) const;

 private:
  void constrain(View<float> value) const;

  const Mesh<3>& whole_;
  MeshView<3> mesh_;
  View<const std::uint8_t> occupied_;
  Buffer<std::uint8_t> wanted_;  // of such leaves the level of the finest, plus 1; else 0
};

}  // namespace octavo
