#pragma once

// Trees and fields to make volumes of. Positions are exact in them, so that the voxels of a volume can be
// compared with samples to the last bit.

#include <cmath>

#include "octavo/mesh/interpolate.h"
#include "support/random_tree.h"

namespace octavo::test {

// Scattered, with one needle down to `deepest`, so that leaves of all sizes touch.
template <int Dim>
Octree<Dim> volume_tree(std::uint64_t seed, int deepest) {
  const Random random(seed * 31 + 5);
  Domain<Dim> domain;
  const Vec<3, int> roots{2, 1 + random.below(2, 1), 1 + random.below(2, 2)};
  for (int a = 0; a < Dim; ++a) {
    domain.origin[a] = -1.5 + a;
    domain.roots[a] = roots[a];
  }
  domain.root_size = 0.5;
  Vec<Dim> point{};
  for (int a = 0; a < Dim; ++a)
    point[a] =
        domain.origin[a] + 0.5 * domain.roots[a] * random.uniform(3, static_cast<std::uint32_t>(a));
  return Octree<Dim>::build(domain, [&](const Leaf<Dim>& leaf) {
    if (leaf.level >= deepest) return false;
    bool pierced = true;
    for (int a = 0; a < Dim; ++a)
      pierced = pierced && std::abs(point[a] - leaf.center[a]) <= leaf.size / 2;
    return pierced || cell_noise(random, leaf) < (leaf.level == 0 ? 0.8 : 1.2 / Dim);
  });
}

template <class T>
T random_value(const Random& random, std::size_t i) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(random.uniform(i));
  } else {
    T value{};
    for (int a = 0; a < static_cast<int>(sizeof(T) / sizeof(value[0])); ++a)
      value[a] = static_cast<Scalar<T>>(2 * random.uniform(i, static_cast<std::uint32_t>(a)) - 1);
    return value;
  }
}

// Random at the nodes of the lower part of the box, zero above.
template <class T, int Dim>
NodeField<T> smoky_field(const Mesh<Dim>& mesh, std::uint64_t seed) {
  NodeField<T> field(mesh);
  const Random random(seed);
  const Box<Dim> box = mesh.tree().domain().box();
  for (std::size_t n = 0; n < mesh.node_count(); ++n)
    if (mesh.view().position(NodeId(n))[0] < box.lo[0] + 0.4 * box.size()[0])
      field[NodeId(n)] = random_value<T>(random, n);
  constrain(mesh, field);
  return field;
}

template <class Place, class T, int Dim>
Field<Place, T> random_field(const Mesh<Dim>& mesh, std::uint64_t seed) {
  Field<Place, T> field(mesh);
  const Random random(seed);
  for (std::size_t i = 0; i < field.size(); ++i) field.view()[i] = random_value<T>(random, i);
  return field;
}

}  // namespace octavo::test
