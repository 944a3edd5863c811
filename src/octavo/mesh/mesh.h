#pragma once

// A Mesh<Dim> holds the leaves, faces and nodes of one octree, with who touches whom. It is immutable: it
// is rebuilt after every change of the tree, never patched; a rebuild reuses the memory of the last one.
//
//   face    the contact of two leaves, or of a leaf and the wall. It has the finer leaf's size.
//   node    a corner of leaves. Node i < leaf_count is the lowest corner of leaf i; the *extra* nodes
//           after them are the lowest corner of none: those on the upper walls, and hanging nodes on
//           the lower sides of larger leaves.
//   side    2*axis for the low end of an axis, 2*axis + 1 for the high end.
//   corner  bit a set: the upper end of axis a.
//
//   +-------+---+---+   The right side of the large leaf touches two leaves: two faces, which form
//   |       |   |   |   one *large face* and stand next to each other in the numbering. The node
//   |       o---+---+   between them hangs (o): it is a corner of the small leaves but not of the
//   |       |   |   |   large one.
//   +-------+---+---+
//
// Faces and nodes are numbered in the order of the leaves that own them, so that loops run along the
// curve: a large face belongs to the larger leaf, a face between equals to the lower of the two.
//
// A part of a mesh has leaves, faces and nodes of its own, which operators write, and after them ghosts, whose values
// come from other parts: a ring of leaves around its own, with all in a cell as large as the coarsest leaf there.
// Across a face there is a leaf, none (a wall), or one that is elsewhere, beyond the ring. A whole mesh owns all it
// has.
//
// A leaf takes these bytes in 3D, in a surface-refined tree: 32 (leaf -> nodes) + 24 (leaf -> faces) + 30
// (faces) + 21 (hanging nodes) + 16 (colleagues), beside 21 for the octree; 12 more while it is built.

#include <array>
#include <cstdint>
#include <string>

#include "octavo/tree/colleagues.h"
#include "octavo/tree/octree.h"

namespace octavo {

template <int Dim>
inline constexpr int side_count = 2 * Dim;

// These are the leaves below and above a face along its axis; the one outside the box is none, one that is not in
// this part of the mesh is elsewhere.
struct FaceLeaves {
  LeafId low, high;
};

// A hanging node is the multilinear interpolation of the corners of the edge or face of the larger leaf
// in which it lies: source j has weight prod_k (bit k of j ? fraction[k] : 1 - fraction[k]).
template <int Dim>
struct HangingNode {
  static constexpr int source_count = side_child_count<Dim>;
  NodeId node;
  NodeId source[source_count];
  float fraction[Dim - 1];  // exact: a multiple of 2^-16

  template <class Real>
  constexpr Real weight(int j) const {
    Real w = 1;
    for (int k = 0; k < Dim - 1; ++k)
      w *= (j >> k) & 1 ? static_cast<Real>(fraction[k]) : 1 - static_cast<Real>(fraction[k]);
    return w;
  }
};

struct FaceRange {
  struct Iterator {
    FaceId face;
    FaceId operator*() const { return face; }
    Iterator& operator++() {
      ++face.value;
      return *this;
    }
    friend bool operator==(const Iterator& p, const Iterator& q) {
      return p.face.value == q.face.value;
    }
  };
  FaceId first, last;  // [first, last)
  constexpr Iterator begin() const { return {first}; }
  constexpr Iterator end() const { return {last}; }
  constexpr std::size_t size() const { return last - first; }
};

template <int Dim>
struct MeshView {
  OctreeView<Dim> tree;
  ColleaguesView<Dim> around;
  View<const NodeId> leaf_node;  // 2^Dim for each leaf
  View<const FaceId> leaf_face;  // the first face of each of the 2*Dim sides of each leaf
  View<const FaceLeaves> face_leaf;
  View<const std::uint8_t> face_info;    // axis, level, last of a large face: see below
  View<const std::uint32_t> extra_node;  // leaf * 2^Dim + corner
  View<const HangingNode<Dim>> hanging;  // sources before the nodes that depend on them
  std::size_t owned_leaves = 0, owned_faces = 0, owned_extra_nodes = 0;  // the first ones of each

  constexpr std::size_t leaf_count() const { return tree.leaf_count(); }
  constexpr std::size_t face_count() const { return face_leaf.size(); }
  constexpr std::size_t node_count() const { return leaf_count() + extra_node.size(); }

  constexpr bool is_owned(LeafId leaf) const { return leaf < owned_leaves; }
  constexpr bool is_owned(FaceId face) const { return face < owned_faces; }
  constexpr bool is_owned(NodeId node) const {
    return node < leaf_count() ? node < owned_leaves : node - leaf_count() < owned_extra_nodes;
  }

  constexpr NodeId node(LeafId leaf, int corner) const {
    return leaf_node[std::size_t{leaf} * child_count<Dim> + static_cast<std::size_t>(corner)];
  }

  static constexpr std::uint8_t pack_face(int axis, int level, bool last) {
    return static_cast<std::uint8_t>(axis | level << 2 | (last ? 0x80 : 0));
  }
  constexpr int axis(FaceId face) const { return face_info[face] & 3; }
  constexpr int level(FaceId face) const { return (face_info[face] >> 2) & 31; }
  constexpr bool ends_large_face(FaceId face) const { return (face_info[face] & 0x80) != 0; }
  constexpr bool begins_large_face(FaceId face) const {
    return face.value == 0 || ends_large_face(FaceId(face.value - 1));
  }
  // This tells whether it is only a part of a side of a larger leaf.
  constexpr bool is_part(FaceId face) const {
    return !ends_large_face(face) || !begins_large_face(face);
  }
  double size(FaceId face) const { return tree.domain.size(level(face)); }
  double area(FaceId face) const {
    const double h = size(face);
    return Dim == 2 ? h : h * h;
  }
  constexpr bool is_wall(FaceId face) const {
    return face_leaf[face].low.is_none() || face_leaf[face].high.is_none();
  }

  // This tells whether both its leaves are in this part of the mesh.
  constexpr bool is_inner(FaceId face) const {
    return face_leaf[face].low.is_here() && face_leaf[face].high.is_here();
  }

  // These are the faces on one side of a leaf: several if it touches smaller leaves there, else one.
  constexpr FaceRange faces(LeafId leaf, int side) const {
    const FaceId first = first_face(leaf, side);
    FaceId last = first;
    if (level(first) > tree.level(leaf))
      while (!ends_large_face(last)) ++last.value;
    return {first, FaceId(last.value + 1)};
  }

  // This is the first of them; it is the only one if the leaf across is as large as this one or larger.
  constexpr FaceId first_face(LeafId leaf, int side) const {
    return leaf_face[std::size_t{leaf} * side_count<Dim> + static_cast<std::size_t>(side)];
  }

  // This is the finer of a face's two leaves (of two equals the lower one), and on which side of it the face is.
  struct FinerSide {
    LeafId leaf;
    int side;
  };
  constexpr FinerSide finer(FaceId face) const {
    const LeafId low = face_leaf[face].low;
    if (low.is_here() && tree.level(low) == level(face)) return {low, 2 * axis(face) + 1};
    return {face_leaf[face].high, 2 * axis(face)};
  }

  // These are all faces of the large face of which `face` is a part.
  constexpr FaceRange large_face(FaceId face) const {
    const FinerSide f = finer(face);
    const LeafId other = f.side % 2 == 1 ? face_leaf[face].high : face_leaf[face].low;
    if (!other.is_here()) return {face, FaceId(face.value + 1)};
    return faces(other, f.side ^ 1);
  }

  constexpr Vec<Dim> center(FaceId face) const {
    const FinerSide f = finer(face);
    Vec<Dim> c = tree.center(f.leaf);
    c[f.side / 2] += (f.side % 2 == 1 ? 0.5 : -0.5) * tree.size(f.leaf);
    return c;
  }

  // This is a node as a corner of a leaf, which tells where it is.
  struct LeafCorner {
    LeafId leaf;
    int corner;
  };
  constexpr LeafCorner corner_of(NodeId node) const {
    if (node < leaf_count()) return {LeafId(node.value), 0};
    const std::uint32_t packed = extra_node[node - leaf_count()];
    return {LeafId(packed >> Dim), static_cast<int>(packed & (child_count<Dim> - 1))};
  }
  constexpr Lattice<Dim> lattice(LeafId leaf, int corner) const {
    return tree.corner(tree.leaf_key[leaf], corner);
  }
  constexpr Lattice<Dim> lattice(NodeId node) const {
    const LeafCorner at = corner_of(node);
    return lattice(at.leaf, at.corner);
  }
  constexpr Vec<Dim> position(NodeId node) const { return tree.domain.position(lattice(node)); }
};

template <int Dim>
class Mesh {
 public:
  Mesh() = default;
  explicit Mesh(const Octree<Dim>& tree) { build(tree); }
  explicit Mesh(Octree<Dim>&&) = delete;

  // The tree must outlive the mesh, and not change while the mesh is used.
  void build(const Octree<Dim>& tree);
  void build(Octree<Dim>&&) = delete;

  // This is a number that no other mesh of this process has, nor this one after it is built again; it is 0 before.
  std::uint64_t identity() const { return identity_; }

  std::size_t leaf_count() const { return tree_->leaf_count(); }
  std::size_t face_count() const { return face_leaf_.size(); }
  std::size_t node_count() const { return leaf_count() + extra_node_.size(); }
  std::size_t hanging_count() const { return hanging_.size(); }
  const Octree<Dim>& tree() const { return *tree_; }
  MeshView<Dim> view() const;

  // Hanging nodes [first, second) depend only on those before them: group g of hanging_groups.
  static constexpr int hanging_groups = max_level + 1;
  using HangingGroups = std::array<std::size_t, hanging_groups + 1>;
  const HangingGroups& hanging_begin() const { return hanging_begin_; }
  std::pair<std::size_t, std::size_t> hanging_group(int g) const {
    return {hanging_begin_[static_cast<std::size_t>(g)],
            hanging_begin_[static_cast<std::size_t>(g) + 1]};
  }

  std::size_t bytes() const;

  // This says what is wrong, in sentences; it is empty when all is well.
  std::string validate() const { return validate(view(), hanging_begin_); }
  static std::string validate(const MeshView<Dim>& mesh, const HangingGroups& groups);

 private:
  void build_faces();
  void find_corners();
  void number_extra_nodes();
  void build_hanging();

  const Octree<Dim>* tree_ = nullptr;
  std::uint64_t identity_ = 0;
  Colleagues<Dim> colleagues_;
  Buffer<NodeId> leaf_node_;
  Buffer<FaceId> leaf_face_;
  Buffer<FaceLeaves> face_leaf_;
  Buffer<std::uint8_t> face_info_;
  Buffer<std::uint32_t> extra_node_;
  Buffer<HangingNode<Dim>> hanging_;
  HangingGroups hanging_begin_{};

  // These are scratch of a rebuild: counts per leaf; corners of a leaf that are extra nodes, and those
  // it numbers; the leaf on which a node hangs.
  Buffer<std::uint32_t> count_;
  Buffer<std::uint8_t> extra_corners_, claimed_corners_;
  Buffer<LeafId> support_;
};

extern template class Mesh<2>;
extern template class Mesh<3>;

}  // namespace octavo
