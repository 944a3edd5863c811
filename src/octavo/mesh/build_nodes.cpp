// This numbers the nodes of a mesh.
//
// Corner c of a leaf is the lowest corner of whatever stands in the octant above it: then the node
// has that leaf's number. If nothing stands there (upper wall), or a larger leaf of which the point
// is not the lowest corner, the node is extra. All leaves around an extra node can tell which of
// them numbers it without asking each other: the one in the first octant that has the point as a
// corner.

#include <bit>

#include "octavo/mesh/mesh.h"
#include "octavo/tree/surroundings.h"

namespace octavo {
namespace {

// This tells which leaf numbers the node, and which of its corners the node is.
template <int Dim>
typename MeshView<Dim>::LeafCorner claimer(const CornerSurroundings<Dim>& corner, LeafId self) {
  for (int octant = 0; octant < corner.own_octant(); ++octant) {
    const Cell c = corner.cell(octant);
    if (c.is_outside() || corner.hangs_on(c)) continue;
    return {corner.leaf_in(c, octant), corner.all ^ octant};
  }
  return {self, corner.all ^ corner.own_octant()};
}

}  // namespace

// This writes the corners that are regular nodes, and marks the others.
template <int Dim>
void Mesh<Dim>::find_corners() {
  const ColleaguesView<Dim> around = colleagues_.view(*tree_);
  const OctreeView<Dim> tree = around.tree;
  const std::size_t n = tree.leaf_count();
  leaf_node_.resize(n * child_count<Dim>);
  extra_corners_.resize(n);
  claimed_corners_.resize(n);
  const View<NodeId> leaf_node = leaf_node_.view();
  const View<std::uint8_t> extra_corners = extra_corners_.view(), claimed = claimed_corners_.view();
  parallel_for("find corners", n, [=](std::size_t i) {
    const LeafSurroundings<Dim> leaf(around, LeafId(i));
    unsigned extra = 0, mine = 0;
    leaf_node[i * child_count<Dim>] = NodeId(i);
    for (int c = 1; c < child_count<Dim>; ++c) {
      const CornerSurroundings<Dim> corner(tree, leaf, c);
      const Cell above = corner.cell(corner.all);
      if (!above.is_outside() && !corner.hangs_on(above)) {
        const LeafId owner =
            above.is_leaf() ? above.leaf() : tree.branch_first_leaf[above.branch()];
        leaf_node[i * child_count<Dim> + static_cast<std::size_t>(c)] = NodeId(owner.value);
        continue;
      }
      extra |= 1u << c;
      if (claimer(corner, LeafId(i)).leaf == i) mine |= 1u << c;
    }
    extra_corners[i] = static_cast<std::uint8_t>(extra);
    claimed[i] = static_cast<std::uint8_t>(mine);
  });
}

template <int Dim>
void Mesh<Dim>::number_extra_nodes() {
  const ColleaguesView<Dim> around = colleagues_.view(*tree_);
  const OctreeView<Dim> tree = around.tree;
  const std::size_t n = tree.leaf_count();
  const View<const std::uint8_t> extra_corners = extra_corners_.view(),
                                 claimed = claimed_corners_.view();
  count_.resize(n);
  const View<std::uint32_t> first = count_.view();
  parallel_for("count extra nodes", n, [=](std::size_t i) {
    first[i] = static_cast<std::uint32_t>(std::popcount(claimed[i]));
  });
  const std::size_t total = exclusive_scan("number extra nodes", first);
  if (n + total >= Id<NodeTag>::none_value) throw InputError("the mesh has too many nodes");
  extra_node_.resize(total);
  const View<std::uint32_t> extra_node = extra_node_.view();
  const View<NodeId> leaf_node = leaf_node_.view();

  // A claimed corner's number is that of the leaf's first plus the claimed corners before it.
  auto number = [=](LeafId leaf, int corner) {
    const unsigned before = claimed[leaf] & ((1u << corner) - 1u);
    return first[leaf] + static_cast<std::uint32_t>(std::popcount(before));
  };
  parallel_for("write extra nodes", n, [=](std::size_t i) {
    if (extra_corners[i] == 0) return;
    const LeafSurroundings<Dim> leaf(around, LeafId(i));
    for (unsigned rest = extra_corners[i]; rest != 0; rest &= rest - 1) {
      const int c = std::countr_zero(rest);
      const auto owner = claimer(CornerSurroundings<Dim>(tree, leaf, c), LeafId(i));
      const std::uint32_t id = number(owner.leaf, owner.corner);
      leaf_node[i * child_count<Dim> + static_cast<std::size_t>(c)] = NodeId(n + id);
      if (owner.leaf == i)
        extra_node[id] = static_cast<std::uint32_t>(i) << Dim | static_cast<std::uint32_t>(c);
    }
  });
}

template void Mesh<2>::find_corners();
template void Mesh<3>::find_corners();
template void Mesh<2>::number_extra_nodes();
template void Mesh<3>::number_extra_nodes();

}  // namespace octavo
