#pragma once

// What signed distances and velocities spread along, from node to node, in an unrestricted octree.
//
//   o-------o---o   A node has a neighbour along an axis where a leaf has both as corners, so all neighbours are one
//   |       |   |   step along the edge of a leaf away; of edges of several lengths the shortest counts. A node that
//   |       x---o   hangs (x) has none on the side of the larger leaf; it is joined to the first and the last of the
//   |       |   |   nodes it is interpolated from instead.
//   o-------o---o
//
// Rows of neighbours are found when they are first asked for, each by the one thread that handles the node, and kept
// as long as the mesh is the same.

#include <array>

#include "octavo/mesh/field.h"
#include "octavo/tree/surroundings.h"

namespace octavo {

// These are the leaves' edges that end at a node. `farthest` is along the largest leaf: what is nearer along the same
// line hangs on that leaf's edge and knows no more than its two ends.
template <int Dim>
struct NodeEdges {
  struct Edge {
    NodeId end;
    int level = 0;  // of the leaf, which is as large as the edge is long
  };
  std::array<Edge, static_cast<std::size_t>(side_count<Dim>)> nearest, farthest;
  int coarsest = max_level;  // the level of the largest leaf that touches the node
  bool hangs = false;

  NodeEdges(const MeshView<Dim>& mesh, NodeId node) {
    const auto at = mesh.corner_of(node);
    const LeafSurroundings<Dim> self(mesh.around, at.leaf);
    const CornerSurroundings<Dim> corner(mesh.tree, self, at.corner);
    LeafId leaf[child_count<Dim>];
    int level[child_count<Dim>];
    bool all_equal = true;
    for (int o = 0; o < child_count<Dim>; ++o) {
      leaf[o] = corner.leaf(o);
      level[o] = leaf[o].is_here() ? mesh.tree.level(leaf[o]) : -1;
      all_equal = all_equal && level[o] == level[0];
    }
    if (all_equal) {
      take_equal(mesh, leaf, level[0]);
      return;
    }
    for (int o = 0; o < child_count<Dim>; ++o) {
      if (level[o] < 0) continue;
      coarsest = std::min(coarsest, level[o]);
      if (level[o] < corner.corner_level())
        hangs = true;
      else
        take_edges(mesh, leaf[o], level[o], o);
    }
  }

 private:
  static constexpr int all = child_count<Dim> - 1;

  void take_equal(const MeshView<Dim>& mesh, const LeafId* leaf, int level) {
    coarsest = level;
    for (int a = 0; a < Dim; ++a)
      for (int end = 0; end < 2; ++end) {
        const int own = end == 1 ? 0 : all;
        const auto side = static_cast<std::size_t>(2 * a + end);
        nearest[side] = farthest[side] = {mesh.node(leaf[all ^ own], own ^ 1 << a), level};
      }
  }

  void take_edges(const MeshView<Dim>& mesh, LeafId leaf, int level, int octant) {
    for (int a = 0; a < Dim; ++a) {
      const auto side = static_cast<std::size_t>(2 * a + ((octant >> a) & 1));
      const Edge edge{mesh.node(leaf, all ^ octant ^ 1 << a), level};
      if (nearest[side].end.is_none() || level > nearest[side].level) nearest[side] = edge;
      if (farthest[side].end.is_none() || level < farthest[side].level) farthest[side] = edge;
    }
  }
};

template <int Dim>
struct NodeGraphView {
  static constexpr std::uint8_t unknown_level = 0xff;
  static constexpr std::size_t row_size = 2 * Dim + 2;  // along the axes, by side, and two sources

  MeshView<Dim> mesh;
  View<const std::uint32_t> hanging;  // for each node its place among the hanging ones, or none
  View<NodeId> row;
  View<std::uint8_t> edge_level;  // of the edges to the neighbours along the axes
  View<std::uint8_t> coarsest;    // the level of the largest leaf that touches a node

  constexpr bool hangs(NodeId node) const { return hanging[node] != NodeId::none_value; }

  // This is the edge of the largest leaf that touches a node whose row was asked for.
  double size(NodeId node) const { return mesh.tree.domain.size(coarsest[node]); }

  // These are row_size neighbours, some of them none.
  const NodeId* neighbors(NodeId node) const {
    if (coarsest[node] == unknown_level) keep(node, NodeEdges<Dim>(mesh, node));
    return &row[std::size_t{node} * row_size];
  }

  // This is the way to a neighbour, by its place in the row.
  Vec<Dim> way_to(NodeId node, std::size_t place) const {
    if (place >= side_count<Dim>)
      return mesh.position(neighbors(node)[place]) - mesh.position(node);
    Vec<Dim> way{};
    const double length =
        mesh.tree.domain.size(edge_level[std::size_t{node} * side_count<Dim> + place]);
    way[static_cast<int>(place / 2)] = place % 2 == 1 ? length : -length;
    return way;
  }

  void keep(NodeId node, const NodeEdges<Dim>& edges) const {
    NodeId* to = &row[std::size_t{node} * row_size];
    std::uint8_t* level = &edge_level[std::size_t{node} * side_count<Dim>];
    for (std::size_t side = 0; side < side_count<Dim>; ++side) {
      to[side] = edges.nearest[side].end;
      level[side] = static_cast<std::uint8_t>(edges.nearest[side].level);
    }
    to[row_size - 2] = to[row_size - 1] = NodeId::none();
    if (hangs(node)) {
      const HangingNode<Dim>& h = mesh.hanging[hanging[node]];
      for (int j = 0; j < HangingNode<Dim>::source_count; ++j) {
        if (h.template weight<float>(j) <= 0) continue;
        if (to[row_size - 2].is_none()) to[row_size - 2] = h.source[j];
        to[row_size - 1] = h.source[j];
      }
    }
    coarsest[node] = static_cast<std::uint8_t>(edges.coarsest);
  }
};

template <int Dim>
class NodeGraph {
 public:
  void build(const Mesh<Dim>& mesh) {
    if (identity_ == mesh.identity() && identity_ != 0) return;
    identity_ = mesh.identity();
    const MeshView<Dim> m = mesh.view();
    hanging_.resize(m.node_count());
    row_.resize(m.node_count() * NodeGraphView<Dim>::row_size);
    edge_level_.resize(m.node_count() * side_count<Dim>);
    coarsest_.resize(m.node_count());
    const View<std::uint32_t> place = hanging_.view();
    const View<std::uint8_t> coarsest = coarsest_.view();
    parallel_for("forget neighbours of nodes", place.size(), [=](std::size_t i) {
      place[i] = NodeId::none_value;
      coarsest[i] = NodeGraphView<Dim>::unknown_level;
    });
    const View<const HangingNode<Dim>> hanging = m.hanging;
    parallel_for("place hanging nodes", hanging.size(),
                 [=](std::size_t i) { place[hanging[i].node] = static_cast<std::uint32_t>(i); });
  }

  NodeGraphView<Dim> view(const Mesh<Dim>& mesh) {
    OCTAVO_CHECK(identity_ != 0 && identity_ == mesh.identity());
    return {mesh.view(), hanging_.view(), row_.view(), edge_level_.view(), coarsest_.view()};
  }
  std::size_t bytes() const {
    return hanging_.bytes() + row_.bytes() + edge_level_.bytes() + coarsest_.bytes();
  }

 private:
  std::uint64_t identity_ = 0;
  Buffer<std::uint32_t> hanging_;
  Buffer<NodeId> row_;
  Buffer<std::uint8_t> edge_level_, coarsest_;
};

}  // namespace octavo
