#pragma once

// What level sets are tested on: trees that are fine about a surface, with jumps of sizes across it, and fields there.

#include "octavo/level_set/distance_band.h"
#include "octavo/mesh/hanging_nodes.h"
#include "support/random_tree.h"

namespace octavo::test {

inline constexpr DistanceBand everywhere{.everywhere = true};

// Cells of level `base` everywhere; in a band about the surface each of them is cut evenly into some level from `base`
// to `base + jump`, at random, so that leaves meet others 2^jump times as large, on the surface as well.
template <int Dim, class Distance>
Octree<Dim> surface_tree(int base, int jump, std::uint64_t seed, Distance&& distance) {
  const Random random(seed * 31 + 7);
  const double h = 1.0 / (1 << base);
  return Octree<Dim>::build({}, [&](const Leaf<Dim>& leaf) {
    if (leaf.level < base) return true;
    std::uint64_t block = 0;
    Vec<Dim> center{};
    for (int a = 0; a < Dim; ++a) {
      const double place = std::floor(leaf.center[a] / h);
      block = block * 4096 + static_cast<std::uint64_t>(place);
      center[a] = (place + 0.5) * h;
    }
    if (std::abs(distance(center)) > 3 * h) return false;
    return leaf.level < base + random.below(jump + 1, block);
  });
}

template <int Dim, class Real = double, class Function>
NodeField<Real> nodal_field(const Mesh<Dim>& mesh, Function&& f) {
  NodeField<Real> field(mesh);
  const MeshView<Dim> m = mesh.view();
  for (std::size_t i = 0; i < m.node_count(); ++i)
    field[NodeId(i)] = static_cast<Real>(f(m.position(NodeId(i))));
  constrain(mesh, field);
  return field;
}

template <int Dim>
struct Plane {
  Vec<Dim> normal, through;

  // A plane of any direction through the inner half of a box.
  Plane(const Box<Dim>& box, std::uint64_t seed) {
    const Random random(seed + 100);
    for (int a = 0; a < Dim; ++a) {
      const auto axis = static_cast<std::uint32_t>(a);
      normal[a] = random.uniform(1, axis) - 0.5;
      through[a] = box.lo[a] + box.size()[a] * (0.25 + 0.5 * random.uniform(2, axis));
    }
    normal = normal / length(normal);
  }
  double operator()(const Vec<Dim>& x) const { return dot(normal, x - through); }
};

template <int Dim>
struct Ball {
  Vec<Dim> center;
  double radius;

  double operator()(const Vec<Dim>& x) const { return length(x - center) - radius; }

  // A ball in the middle of the unit box, not quite.
  static Ball off_center(std::uint64_t seed) {
    const Random random(seed + 200);
    Ball ball{{}, 0.3};
    for (int a = 0; a < Dim; ++a)
      ball.center[a] = 0.475 + 0.05 * random.uniform(static_cast<std::uint64_t>(a));
    return ball;
  }
};

// Errors of a nodal field, of the nodes that count.
struct Errors {
  double sum = 0, largest = 0;
  std::size_t count = 0;

  void add(double error) {
    sum += std::abs(error);
    largest = std::max(largest, std::abs(error));
    ++count;
  }
  double mean() const { return count > 0 ? sum / static_cast<double>(count) : 0.0; }
};

inline double order(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace octavo::test
