#pragma once

// This replaces a level set by the signed distance to its zero set, on the nodes of an unrestricted octree: negative in
// the liquid, hanging nodes constrained before and after.
//
//   SignedDistance<3, float> redistance;             // keeps its memory, and the neighbours of nodes of a mesh
//   redistance(mesh, phi);                           // second order, five leaves to both sides
//   redistance(mesh, phi, {.scheme = DistanceScheme::losasso04, .band = {.everywhere = true}});
//
// Nodes beside the surface have a patch of it each (surface_patches.h). From there on it is
//
//   second_order   the distance to the nearest patch (nearest_patches.h, surface_patch.h). As each distance is measured
//                  from the surface itself, errors do not add up on the way; distances to a plane are exact for any
//                  jump of sizes, and at walls, where the patch goes on beyond them as it ends.
//   losasso04      fast marching (fast_marching.h)
//
// Beyond the band, and where there is no surface at all, the level set is plus or minus the width of the band at the
// node; if it goes everywhere, the diagonal of the box. Nodes keep their sign. Nodes that hang take part in carrying
// patches on, but in the end they are what the larger leaf says.

#include <string_view>

#include "octavo/level_set/fast_marching.h"
#include "octavo/level_set/nearest_patches.h"

namespace octavo {

enum class DistanceScheme { second_order, losasso04 };

inline constexpr std::array<std::string_view, 2> distance_scheme_names{"second_order", "losasso04"};

constexpr std::string_view name(DistanceScheme s) {
  return distance_scheme_names[static_cast<std::size_t>(s)];
}
DistanceScheme distance_scheme_named(std::string_view wanted);

struct SignedDistanceParameters {
  DistanceScheme scheme = DistanceScheme::second_order;
  DistanceBand band{};
};

struct SignedDistanceReport {
  std::size_t surface_nodes = 0;  // that have a patch
  std::size_t nodes = 0;          // within the band
  std::size_t rounds = 0, visits = 0;
  double slope_error =
      0;  // the largest |grad phi| - 1, either way, in leaves with the surface in them
  double seconds = 0;
};

template <int Dim, class Real>
class SignedDistance {
 public:
  SignedDistanceReport operator()(const Mesh<Dim>& mesh, NodeField<Real>& phi,
                                  const SignedDistanceParameters& parameters = {});

  std::size_t bytes() const {
    return graph_.bytes() + patches_.bytes() + nearest_.bytes() + marching_.bytes();
  }

 private:
  std::size_t measure_patches(const NodeGraphView<Dim>& graph, View<Real> phi,
                              const DistanceBand& band) const;
  std::size_t take_marched(const NodeGraphView<Dim>& graph, View<Real> phi,
                           const DistanceBand& band) const;
  double slope_error(const MeshView<Dim>& mesh, View<const Real> phi) const;

  NodeGraph<Dim> graph_;
  SurfacePatches<Dim, Real> patches_;
  NearestPatches<Dim, Real> nearest_;
  FastMarching<Dim, Real> marching_;
};

extern template class SignedDistance<2, float>;
extern template class SignedDistance<2, double>;
extern template class SignedDistance<3, float>;
extern template class SignedDistance<3, double>;

}  // namespace octavo
