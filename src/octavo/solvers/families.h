#pragma once

// Families: the cells of all sizes, eight siblings (in 2D four) at a time.
//
// Family f < branch_count holds the children of branch f of the octree; after them come families
// that hold the root cells, then families of those, up to a single one. *Place* f * 2^Dim + digit is
// one cell: a leaf, a branch, or nothing outside the box. Families of one depth stand together, in
// the order of the curve, so that a vector over places is at once a vector over leaves and over the
// cells of every coarser level, siblings side by side: the twelve faces between siblings need no
// index, and the faces to other families only one for each side. The last family, `nothing`, is
// empty; it stands for all that is not there.

#include <cstdint>
#include <vector>

#include "octavo/mesh/mesh.h"

namespace octavo {

using FamilyId = Id<struct FamilyTag>;
using PlaceId = Id<struct PlaceTag>;

// The families whose members have one depth: that many levels below the root cells.
struct FamilyLevel {
  std::size_t begin, end;
  int depth;
  double size;  // of the members, m
};

template <int Dim>
struct FamiliesView {
  static constexpr int width = child_count<Dim>;

  OctreeView<Dim> tree;
  View<const Cell> root_member;   // members of the families after those of the branches
  View<const FamilyId> neighbor;  // of each side; `nothing` at a wall and beside larger leaves
  View<const PlaceId> parent;     // the place that a family fills one level up
  View<const std::uint8_t> leaf_members;  // which members of each family are leaves
  View<const PlaceId> root_place;         // of each root cell
  FamilyId nothing;

  std::size_t family_count() const { return nothing.value; }
  std::size_t place_count() const { return (family_count() + 1) * width; }  // with `nothing`

  Cell member(FamilyId family, int digit) const {
    if (family < tree.branch_count()) return tree.child_of(BranchId(family.value), digit);
    return root_member[(family - tree.branch_count()) * width + static_cast<std::size_t>(digit)];
  }
  FamilyId neighbor_of(FamilyId family, int side) const {
    return neighbor[std::size_t{family} * side_count<Dim> + static_cast<std::size_t>(side)];
  }
  static PlaceId place(FamilyId family, int digit) {
    return PlaceId(std::size_t{family} * width + static_cast<std::size_t>(digit));
  }
  PlaceId place(LeafId leaf) const {
    const BranchId parent_branch = tree.leaf_parent[leaf];
    const Key<Dim> key = tree.leaf_key[leaf];
    if (parent_branch.is_none()) return root_place[key.root_index()];
    return place(FamilyId(parent_branch.value), key.digit());
  }

  // Whether a member touches a side of its family; the sibling, or cousin, across its own side.
  static constexpr bool is_outer(int digit, int side) {
    return ((digit >> (side / 2)) & 1) == side % 2;
  }
  static constexpr int across(int digit, int side) { return digit ^ (1 << (side / 2)); }

  // Sets of members as bits: those on a side of the family; every member moved to the place of its
  // sibling along an axis.
  static constexpr unsigned on_side(int side) {
    constexpr unsigned low[] = {0x55u, 0x33u, 0x0fu};
    const unsigned all = (1u << width) - 1;
    return (side % 2 == 0 ? low[side / 2] : ~low[side / 2]) & all;
  }
  static constexpr unsigned mirrored(unsigned set, int axis) {
    return (set & on_side(2 * axis)) << (1 << axis) | (set & on_side(2 * axis + 1)) >> (1 << axis);
  }
};

template <int Dim>
class Families {
 public:
  void build(const Mesh<Dim>& mesh);

  FamiliesView<Dim> view() const;
  const std::vector<FamilyLevel>& levels() const { return levels_; }  // the topmost first
  std::size_t bytes() const {
    return neighbor_.bytes() + parent_.bytes() + root_member_.bytes() + root_place_.bytes() +
           leaf_members_.bytes();
  }

 private:
  void build_root_families(const Domain<Dim>& domain);

  const Mesh<Dim>* mesh_ = nullptr;
  Buffer<Cell> root_member_;
  Buffer<FamilyId> neighbor_;
  Buffer<PlaceId> parent_, root_place_;
  Buffer<std::uint8_t> leaf_members_;
  FamilyId nothing_;
  std::vector<FamilyLevel> levels_;
};

extern template class Families<2>;
extern template class Families<3>;

}  // namespace octavo
