#include <string>

#include "octavo/base/validation.h"
#include "octavo/tree/octree.h"

namespace octavo {
// The keys alone are checked: each is well formed, and each starts where the one before it ends.
template <int Dim>
std::string Octree<Dim>::validate_leaves(const Domain<Dim>& domain, View<const Key<Dim>> keys) {
  const std::size_t n = keys.size();
  const std::uint64_t end = std::uint64_t{domain.root_count()} << Key<Dim>::root_shift;
  if (n == 0) return "there are no leaves. ";
  std::string wrong = first_breach(n, "a key has no level or no root cell", [=](std::size_t i) {
    const int marker = std::countr_zero(keys[i].bits);
    return keys[i].bits != 0 && keys[i].root_index() < domain.root_count() && marker % Dim == 0 &&
           marker <= Dim * max_level;
  });
  if (!wrong.empty()) return wrong;
  return first_breach(n, "leaves are not sorted, overlap or leave a gap", [=](std::size_t i) {
    const std::uint64_t start = i == 0 ? 1 : keys[i - 1].last().bits + 2;
    return keys[i].first().bits == start && (i + 1 < n || keys[i].last().bits + 1 == end);
  });
}

template <int Dim>
std::string Octree<Dim>::validate(const OctreeView<Dim>& tree) {
  const View<const Key<Dim>> keys = tree.leaf_key;
  const std::size_t n = keys.size(), branches = tree.branch_count();
  std::string wrong = validate_leaves(tree.domain, keys);
  if (!wrong.empty()) return wrong;

  // Arrays have the right lengths and name only what exists.
  if (tree.leaf_parent.size() != n || tree.branch_parent.size() != branches ||
      tree.branch_first_leaf.size() != branches ||
      tree.child.size() != branches * child_count<Dim> ||
      tree.root.size() != tree.domain.root_count() || tree.root_lo.size() != tree.root.size())
    return "the arrays of the index have wrong lengths. ";
  auto exists = [=](Cell c) { return c.is_leaf() ? c.leaf() < n : c.branch() < branches; };
  wrong += first_breach(tree.child.size(), "a child does not exist",
                        [=](std::size_t i) { return exists(tree.child[i]); });
  wrong += first_breach(tree.root.size(), "a root cell does not exist",
                        [=](std::size_t i) { return exists(tree.root[i]); });
  wrong += first_breach(tree.table.size(), "an entry of the table does not exist",
                        [=](std::size_t i) { return exists(tree.table[i]); });
  wrong += first_breach(branches, "a branch has no level or no parent", [=](std::size_t b) {
    return tree.branch_key[b].bits != 0 && tree.branch_key[b].root_index() < tree.root.size() &&
           (tree.branch_key[b].level() == 0 || tree.branch_parent[b] < branches);
  });
  if (!wrong.empty()) return wrong;

  // Cells know each other, and leaves are found from both their corners.
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
  if (!wrong.empty()) return wrong;
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
  return wrong;
}

template std::string Octree<2>::validate_leaves(const Domain<2>&, View<const Key<2>>);
template std::string Octree<3>::validate_leaves(const Domain<3>&, View<const Key<3>>);
template std::string Octree<2>::validate(const OctreeView<2>&);
template std::string Octree<3>::validate(const OctreeView<3>&);

}  // namespace octavo
