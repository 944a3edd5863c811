#pragma once

// Where the zero set of a level set is, seen from the nodes beside it: those that do not hang and have a neighbour of
// the other sign along an axis. Each gets a patch of the surface.
//
// About such a node the level set is taken for the quadric of its differences, nonuniform along each axis as edges of
// leaves are,
//
//   phi(x + v) = phi + g.v + v.B v / 2,   B_aa = limited mean of D_aa here and at the neighbours,
//                                         B_ab = limited mean of the differences of g_b along a and of g_a along b,
//
// where limited means: at most twice the smallest, and zero if signs differ, so that a kink on one side does not count
// (as the smallest itself does in Min, Gibou, "A second order accurate level set method on non-graded adaptive
// cartesian grids", 2007, where convex bodies shrink by it). Along an axis on which the sign changes, g is such that phi is met at the neighbour across,
// so that what is behind the node, a kink or another surface, does not count. The patch is at the nearest zero of the
// quadric, or at the nearest crossing of an axis if that is nearer.
//
// Why not the zero set of the multilinear interpolant: its chords lie inside of every convex body, so that distances to
// it make a body shrink by a part of h^2 each time. The quadric has third order in place, and keeps distances as they
// are. What is left is a part of k^2 h^3, in the curvature k, among equal leaves, and of k H^2 where sizes meet: a node
// whose value is a distance but for that slack keeps it, so that a surface at rest is not worn down by being measured
// again and again. Nodes that hang say nothing that the larger leaf does not; they have no patch, and lend no slopes.

#include "octavo/level_set/marks.h"
#include "octavo/level_set/node_graph.h"
#include "octavo/level_set/surface_patch.h"

namespace octavo {

template <int Dim, class Real>
struct SurfacePatchesView {
  View<const std::uint32_t>
      place;                // for each node its place among those near the surface, if it is near
  View<const NodeId> node;  // nodes near the surface
  View<const std::uint8_t> has_patch;
  View<const SurfacePatch<Dim, Real>> patch;
  View<const Real> slack;  // what the patch cannot tell from its node's value, m
  View<const std::uint8_t>
      leaf_at_surface;  // for each leaf: the surface is in it, or hardly outside
};

template <int Dim, class Real>
class SurfacePatches {
 public:
  // The level set is negative in the liquid, and hanging nodes are constrained. The rows of nodes near the surface
  // are added to the graph.
  void build(const NodeGraphView<Dim>& graph, View<const Real> phi);

  SurfacePatchesView<Dim, Real> view() const {
    return {place_.view(), node_.view(),  has_patch_.view(),
            patch_.view(), slack_.view(), leaf_at_surface_.view()};
  }
  std::size_t patch_count() const { return patch_count_; }
  std::size_t bytes() const {
    return near_.bytes() + leaf_at_surface_.bytes() + place_.bytes() + node_.bytes() +
           slopes_.bytes() + has_patch_.bytes() + patch_.bytes() + slack_.bytes();
  }

 private:
  // These are differences at a node: where they end, and how far away.
  struct Slopes {
    std::array<NodeId, static_cast<std::size_t>(side_count<Dim>)> end;
    std::array<std::uint8_t, static_cast<std::size_t>(side_count<Dim>)> level;
    std::uint8_t coarsest;
    bool hangs;
    std::uint8_t has_second;  // bit a: there are neighbours on both sides of axis a
    Real slope[Dim], second[Dim];
  };
  struct Kernel;

  void mark_near_nodes(const MeshView<Dim>& mesh, View<const Real> phi);
  void number_near_nodes(std::size_t node_count);

  Buffer<std::uint8_t> near_, leaf_at_surface_;
  Buffer<std::uint32_t> place_;
  Buffer<NodeId> node_;
  Buffer<Slopes> slopes_;
  Buffer<std::uint8_t> has_patch_;
  Buffer<SurfacePatch<Dim, Real>> patch_;
  Buffer<Real> slack_;
  std::size_t patch_count_ = 0;
};

extern template class SurfacePatches<2, float>;
extern template class SurfacePatches<2, double>;
extern template class SurfacePatches<3, float>;
extern template class SurfacePatches<3, double>;

}  // namespace octavo
