#include <string>

#include "octavo/base/validation.h"
#include "octavo/tree/octree.h"

namespace octavo {
// The keys alone: each well formed, and each starting where the one before it ends.
template <int Dim>
std::string Octree<Dim>::validate_leaves(const Domain<Dim>& domain, View<const Key<Dim>> keys) {
  const std::size_t n = keys.size();
  const std::uint64_t end = std::uint64_t{domain.root_count()} << Key<Dim>::root_shift;
  if (n == 0) return "there are no leaves. ";
  std::string wrong = first_breach(n, "a key has no level or no root cell", [=](std::size_t i) {
    const int marker = std::countr_zero(keys[i].bits);
    return keys[i].bits != 0 && keys[i].bits < end && marker % Dim == 0 &&
           marker <= Dim * max_level;
  });
  if (!wrong.empty()) return wrong;
  return first_breach(n, "leaves are not sorted, overlap or leave a gap", [=](std::size_t i) {
    const std::uint64_t start = i == 0 ? 1 : keys[i - 1].last().bits + 2;
    return keys[i].first().bits == start && (i + 1 < n || keys[i].last().bits + 1 == end);
  });
}

template <int Dim>
std::string Octree<Dim>::validate() const {
  const View<const Key<Dim>> keys = leaf_key_.view();
  const OctreeView<Dim> tree = view();
  const std::size_t n = keys.size();
  std::string wrong = validate_leaves(domain_, keys);
  if (!wrong.empty()) return wrong;

  // The index: leaves are found from both their corners, and cells know each other.
  wrong += first_breach(n, "a leaf is not found at its own corners", [=](std::size_t i) {
    const Lattice<Dim> lo = tree.lo(LeafId(i));
    const Lattice<Dim> hi = lo + Lattice<Dim>::filled(keys[i].size() - 1);
    return tree.leaf_at(lo) == i && tree.leaf_at(hi) == i;
  });
  wrong += first_breach(n, "a leaf is not a child of its parent", [=](std::size_t i) {
    const BranchId parent = tree.leaf_parent[i];
    if (keys[i].level() == 0)
      return parent.is_none() && tree.root[keys[i].root_index()] == Cell::leaf(i);
    return parent < tree.branch_count() && tree.branch_key[parent] == keys[i].parent() &&
           tree.child_of(parent, keys[i].digit()) == Cell::leaf(i);
  });
  wrong +=
      first_breach(tree.branch_count(), "a branch and its children disagree", [=](std::size_t b) {
        const Key<Dim> key = tree.branch_key[b];
        const BranchId parent = tree.branch_parent[b];
        const Cell here =
            key.level() == 0 ? tree.root[key.root_index()] : tree.child_of(parent, key.digit());
        if (here != Cell::branch(b)) return false;
        for (int c = 0; c < child_count<Dim>; ++c)
          if (tree.key(tree.child_of(BranchId(b), c)) != key.child(c)) return false;
        return tree.branch_first_leaf[b] == tree.leaf_in_corner(Cell::branch(b), 0);
      });
  return wrong;
}

template std::string Octree<2>::validate_leaves(const Domain<2>&, View<const Key<2>>);
template std::string Octree<3>::validate_leaves(const Domain<3>&, View<const Key<3>>);
template std::string Octree<2>::validate() const;
template std::string Octree<3>::validate() const;

}  // namespace octavo
