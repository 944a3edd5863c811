// The rules of a mesh are checked without any list of contacts or corners to compare with, so that a
// mesh of ten million leaves can be checked in the memory it has.

#include "octavo/base/validation.h"
#include "octavo/mesh/mesh.h"
#include "octavo/tree/surroundings.h"

namespace octavo {
namespace {

// Sizes and areas are in lattice units: they are integers, so that sums are exact.
template <int Dim>
std::uint64_t lattice_area(int level) {
  return std::uint64_t{1} << ((Dim - 1) * (max_level - level));
}

// The faces of each side cover it exactly, and know the leaf.
template <int Dim>
bool sides_are_covered(const MeshView<Dim>& mesh, LeafId leaf) {
  for (int side = 0; side < side_count<Dim>; ++side) {
    std::uint64_t area = 0;
    for (const FaceId f : mesh.faces(leaf, side)) {
      if (mesh.axis(f) != side / 2) return false;
      const FaceLeaves l = mesh.face_leaf[f];
      if ((side % 2 == 1 ? l.low : l.high) != leaf) return false;
      area += lattice_area<Dim>(mesh.level(f));
    }
    if (area != lattice_area<Dim>(mesh.tree.level(leaf))) return false;
  }
  return true;
}

// The two leaves meet in the face's plane, the finer one with its whole side.
template <int Dim>
bool face_is_contact(const MeshView<Dim>& mesh, FaceId face) {
  const FaceLeaves l = mesh.face_leaf[face];
  const int axis = mesh.axis(face);
  int finest = -1;
  for (const LeafId leaf : {l.low, l.high}) {
    if (leaf.is_none()) continue;
    finest = std::max(finest, mesh.tree.level(leaf));
  }
  if (finest != mesh.level(face)) return false;
  const auto fine = mesh.finer(face);
  const Key<Dim> key = mesh.tree.leaf_key[fine.leaf];
  if (mesh.first_face(fine.leaf, fine.side) != face) return false;
  const Lattice<Dim> lo = mesh.tree.lo(key);
  if (mesh.is_wall(face))
    return l.low.is_none() ? lo[axis] == 0
                           : lo[axis] + key.size() == mesh.tree.domain.extent()[axis];
  const LeafId other = fine.side % 2 == 1 ? l.high : l.low;
  const Key<Dim> other_key = mesh.tree.leaf_key[other];
  const Lattice<Dim> other_lo = mesh.tree.lo(other_key);
  for (int a = 0; a < Dim; ++a) {
    const std::uint32_t end = lo[a] + key.size(), other_end = other_lo[a] + other_key.size();
    const bool fits = a == axis ? (fine.side % 2 == 1 ? end == other_lo[a] : other_end == lo[a])
                                : other_lo[a] <= lo[a] && end <= other_end;
    if (!fits) return false;
  }
  return true;
}

// Every leaf around the node that has it as a corner calls it by this number; if it has no such
// number of its own it is not the lowest corner of a leaf.
template <int Dim>
bool node_is_agreed_on(const MeshView<Dim>& mesh, NodeId node) {
  const auto at = mesh.corner_of(node);
  if (mesh.node(at.leaf, at.corner) != node) return false;
  const Lattice<Dim> p = mesh.lattice(node);
  const LeafSurroundings<Dim> leaf(mesh.around, at.leaf);
  const CornerSurroundings<Dim> corner(mesh.tree, leaf, at.corner);
  for (int octant = 0; octant < child_count<Dim>; ++octant) {
    const LeafId other = corner.leaf(octant);
    if (other.is_none() || mesh.tree.level(other) < corner.corner_level()) continue;
    const int c = corner.all ^ octant;
    if (mesh.lattice(other, c) != p || mesh.node(other, c) != node) return false;
    if (c == 0 && node >= mesh.leaf_count()) return false;
  }
  return true;
}

template <int Dim>
bool corners_are_nodes(const MeshView<Dim>& mesh, LeafId leaf) {
  for (int c = 0; c < child_count<Dim>; ++c) {
    const NodeId node = mesh.node(leaf, c);
    if (mesh.lattice(node) != mesh.lattice(leaf, c)) return false;
  }
  return true;
}

// The stencil gives the node's own position, exactly.
template <int Dim>
bool stencil_is_linear(const MeshView<Dim>& mesh, const HangingNode<Dim>& h) {
  Vec<Dim> sum{};
  double total = 0;
  for (int j = 0; j < HangingNode<Dim>::source_count; ++j) {
    const auto w = h.template weight<double>(j);
    sum += mesh.lattice(h.source[j]).template cast<double>() * w;
    total += w;
  }
  return total == 1 && sum == mesh.lattice(h.node).template cast<double>();
}

template <int Dim>
bool node_hangs(const MeshView<Dim>& mesh, NodeId node) {
  const auto at = mesh.corner_of(node);
  const LeafSurroundings<Dim> leaf(mesh.around, at.leaf);
  const CornerSurroundings<Dim> corner(mesh.tree, leaf, at.corner);
  for (int o = 0; o < child_count<Dim>; ++o)
    if (corner.hangs_on(corner.cell(o))) return true;
  return false;
}

// Arrays have the right lengths and name only what exists: then the other rules can be looked at.
template <int Dim>
std::string validate_ids(const MeshView<Dim>& mesh,
                         const typename Mesh<Dim>::HangingGroups& groups) {
  const std::size_t leaves = mesh.leaf_count(), faces = mesh.face_count(),
                    nodes = mesh.node_count();
  if (mesh.leaf_node.size() != leaves * child_count<Dim> ||
      mesh.leaf_face.size() != leaves * side_count<Dim> || mesh.face_info.size() != faces ||
      mesh.around.row.size() != mesh.tree.branch_count() * direction_count<Dim> || faces == 0 ||
      !mesh.ends_large_face(FaceId(faces - 1)) || groups.back() != mesh.hanging.size() ||
      !std::is_sorted(groups.begin(), groups.end()))
    return "the arrays do not belong to this tree. ";
  std::string wrong;
  wrong += first_breach(mesh.leaf_node.size(), "a corner is no node",
                        [=](std::size_t i) { return mesh.leaf_node[i] < nodes; });
  wrong += first_breach(mesh.leaf_face.size(), "a side has no face",
                        [=](std::size_t i) { return mesh.leaf_face[i] < faces; });
  wrong += first_breach(faces, "a face has no leaves", [=](std::size_t i) {
    const auto [low, high] = mesh.face_leaf[i];
    return (low < leaves || low.is_none()) && (high < leaves || high.is_none()) &&
           !(low.is_none() && high.is_none());
  });
  wrong += first_breach(mesh.extra_node.size(), "an extra node is no corner",
                        [=](std::size_t i) { return mesh.extra_node[i] >> Dim < leaves; });
  wrong += first_breach(mesh.hanging.size(), "a stencil names no node", [=](std::size_t i) {
    for (const NodeId s : mesh.hanging[i].source)
      if (s >= nodes) return false;
    return mesh.hanging[i].node < nodes;
  });
  return wrong;
}

// Hanging nodes are exactly those with a stencil, once each, after the nodes they depend on.
template <int Dim>
std::string validate_hanging(const MeshView<Dim>& mesh,
                             const typename Mesh<Dim>::HangingGroups& groups) {
  constexpr std::uint8_t free_node = 255;
  Buffer<std::uint8_t> group_of(mesh.node_count());
  std::fill(group_of.begin(), group_of.end(), free_node);
  std::size_t listed = 0;
  for (std::size_t g = 0; g + 1 < groups.size(); ++g)
    for (std::size_t i = groups[g]; i < groups[g + 1]; ++i) {
      if (group_of[mesh.hanging[i].node] == free_node) ++listed;
      group_of[mesh.hanging[i].node] = static_cast<std::uint8_t>(g);
    }
  const View<const std::uint8_t> group = std::as_const(group_of).view();
  std::string wrong;
  if (listed != mesh.hanging.size()) wrong += "a hanging node is listed twice. ";
  wrong += first_breach(
      mesh.node_count(), "a node hangs without a stencil, or has one and does not hang",
      [=](std::size_t i) { return node_hangs(mesh, NodeId(i)) == (group[i] != free_node); });
  wrong += first_breach(mesh.hanging.size(), "a hanging stencil is not exact for linear functions",
                        [=](std::size_t i) { return stencil_is_linear(mesh, mesh.hanging[i]); });
  wrong += first_breach(mesh.hanging.size(), "a hanging node comes before one it depends on",
                        [=](std::size_t i) {
                          const HangingNode<Dim>& h = mesh.hanging[i];
                          for (const NodeId s : h.source)
                            if (group[s] != free_node && group[s] >= group[h.node]) return false;
                          return true;
                        });
  return wrong;
}

}  // namespace

template <int Dim>
std::string Mesh<Dim>::validate(const MeshView<Dim>& mesh, const HangingGroups& groups) {
  std::string wrong = validate_ids(mesh, groups);
  if (!wrong.empty()) return wrong;
  const std::size_t leaves = mesh.leaf_count();
  wrong += first_breach(leaves, "the faces of a leaf do not cover its sides",
                        [=](std::size_t i) { return sides_are_covered(mesh, LeafId(i)); });
  wrong += first_breach(mesh.face_count(), "a face is not the contact of its two leaves",
                        [=](std::size_t i) { return face_is_contact(mesh, FaceId(i)); });
  wrong += first_breach(leaves, "a corner of a leaf is not the node it names",
                        [=](std::size_t i) { return corners_are_nodes(mesh, LeafId(i)); });
  wrong += first_breach(mesh.node_count(), "the leaves around a node do not agree on it",
                        [=](std::size_t i) { return node_is_agreed_on(mesh, NodeId(i)); });
  return wrong + validate_hanging(mesh, groups);
}

template std::string Mesh<2>::validate(const MeshView<2>&, const HangingGroups&);
template std::string Mesh<3>::validate(const MeshView<3>&, const HangingGroups&);

}  // namespace octavo
