#pragma once

// Particles on random trees, and where they are.

#include <algorithm>
#include <cmath>
#include <vector>

#include "octavo/surface/leaf_level_set.h"
#include "octavo/surface/marker_particles.h"
#include "support/random_tree.h"

namespace octavo::test {

// A ball somewhere in the box, by the distance from it, hanging nodes constrained.
template <int Dim, class Real>
NodeField<Real> ball_on(const Mesh<Dim>& mesh, std::uint64_t seed, double grow = 0) {
  const Random random(seed * 31 + 5);
  const Domain<Dim>& domain = mesh.tree().domain();
  Vec<Dim> center{};
  for (int a = 0; a < Dim; ++a)
    center[a] =
        domain.origin[a] +
        domain.box().size()[a] * (0.2 + 0.6 * random.uniform(1, static_cast<std::uint32_t>(a)));
  const double radius = (0.2 + 0.4 * random.uniform(2)) * domain.root_size + grow;
  NodeField<Real> phi(mesh);
  for (std::size_t i = 0; i < mesh.node_count(); ++i)
    phi[NodeId(i)] = static_cast<Real>(length(mesh.view().position(NodeId(i)) - center) - radius);
  constrain(mesh, phi);
  return phi;
}

template <int Dim>
struct PlacedMarker {
  LeafId leaf;
  Vec<Dim> x;
  float signed_radius;
};

template <int Dim>
std::vector<PlacedMarker<Dim>> placed(const Mesh<Dim>& mesh, const MarkerParticles<Dim>& markers) {
  std::vector<PlacedMarker<Dim>> all;
  const OctreeView<Dim> tree = mesh.tree().view();
  for (std::size_t l = 0; l < mesh.leaf_count(); ++l)
    for (auto i = markers.leaf_begin()[l]; i < markers.leaf_begin()[l + 1]; ++i) {
      const MarkerParticle<Dim>& p = markers.particles()[static_cast<std::size_t>(i)];
      const Vec<Dim> lo = tree.domain.position(tree.lo(LeafId(l)));
      all.push_back({LeafId(l), lo + p.local.template cast<double>() * tree.size(LeafId(l)),
                     p.signed_radius});
    }
  return all;
}

// Calls f(leaf, particle, level set in the leaf) for all particles.
template <int Dim, class Real, class F>
void for_each_marker(const Mesh<Dim>& mesh, const MarkerParticles<Dim>& markers,
                     const NodeField<Real>& phi, F&& f) {
  for (std::size_t l = 0; l < mesh.leaf_count(); ++l) {
    const LeafLevelSet<Dim, Real> in_leaf(mesh.view(), phi.view(), LeafId(l));
    for (auto i = markers.leaf_begin()[l]; i < markers.leaf_begin()[l + 1]; ++i)
      f(LeafId(l), markers.particles()[static_cast<std::size_t>(i)], in_leaf);
  }
}

}  // namespace octavo::test
