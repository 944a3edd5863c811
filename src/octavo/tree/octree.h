#pragma once

// Octree<Dim> is an unrestricted octree (quadtree) over a box of root cells. Neighbouring leaves may
// differ by any number of levels.
//
// The leaves are one sorted array of keys that covers the box exactly; a LeafId is a place in that
// array. Everything else here is an index derived from it:
//
//   branches  the cells that have children, level after level, each level along the curve. Each knows
//             its key, parent, first leaf and children. Branches of level l are also what remains of
//             the tree when it is cut off below level l.
//   table     for a fixed coarse level, which cell stands where: the first step of leaf_at().
//
//   auto tree = Octree<3>::build(domain, [](const Leaf<3>& l) { return l.level < 4; });
//   LeafId leaf = tree.view().leaf_at(Vec3d{0.1, 0.2, 0.3});
//
// A leaf takes these bytes in 3D: 8 (key) + 4 (parent) + 7 (branches) + about 1 (table).

#include <array>
#include <cstdint>
#include <string>

#include "octavo/base/buffer.h"
#include "octavo/base/ids.h"
#include "octavo/base/parallel.h"
#include "octavo/tree/domain.h"
#include "octavo/tree/key.h"

namespace octavo {

// A Cell is a leaf, a branch, nothing (outside the box), or a cell that a part of a tree knows nothing of.
struct Cell {
  std::uint32_t bits = outside_bits;

  static constexpr std::uint32_t outside_bits = LeafId::none_value,
                                 elsewhere_bits = LeafId::elsewhere_value, branch_bit = 0x80000000u;

  static constexpr Cell leaf(std::size_t i) { return {static_cast<std::uint32_t>(i)}; }
  static constexpr Cell branch(std::size_t i) {
    return {static_cast<std::uint32_t>(i) | branch_bit};
  }
  static constexpr Cell outside() { return {}; }
  static constexpr Cell elsewhere() { return {elsewhere_bits}; }

  constexpr bool is_leaf() const { return (bits & branch_bit) == 0; }
  constexpr bool is_branch() const { return !is_leaf() && bits < elsewhere_bits; }
  constexpr bool is_outside() const { return bits == outside_bits; }
  constexpr bool is_elsewhere() const { return bits == elsewhere_bits; }
  constexpr LeafId leaf() const { return LeafId(bits); }
  constexpr BranchId branch() const { return BranchId(bits & ~branch_bit); }
  friend constexpr bool operator==(const Cell&, const Cell&) = default;
};

// An OctreeView is what kernels see of a tree.
template <int Dim>
struct OctreeView {
  Domain<Dim> domain;
  View<const Key<Dim>> leaf_key;
  View<const BranchId> leaf_parent;  // none for a leaf that is a root cell
  View<const Key<Dim>> branch_key;
  View<const BranchId> branch_parent;  // none for a root cell
  View<const LeafId> branch_first_leaf;
  View<const Cell> child;  // 2^Dim for each branch
  View<const Cell> root;   // one for each root cell
  View<const Cell> table;  // the cells of level table_level, x fastest
  View<const Lattice<Dim>> root_lo;
  Lattice<Dim> table_size;
  int table_level;

  constexpr std::size_t leaf_count() const { return leaf_key.size(); }
  constexpr std::size_t branch_count() const { return branch_key.size(); }

  constexpr Key<Dim> key(Cell c) const {
    return c.is_leaf() ? leaf_key[c.leaf()] : branch_key[c.branch()];
  }
  constexpr int level(LeafId leaf) const { return leaf_key[leaf].level(); }
  constexpr Lattice<Dim> lo(Key<Dim> key) const { return root_lo[key.root_index()] + key.local(); }
  constexpr Lattice<Dim> lo(LeafId leaf) const { return lo(leaf_key[leaf]); }
  double size(LeafId leaf) const { return domain.size(level(leaf)); }
  double volume(LeafId leaf) const {
    const double h = size(leaf);
    return Dim == 2 ? h * h : h * h * h;
  }

  // This is a corner of a cell: bit a of `corner` is set for the upper end of axis a.
  constexpr Lattice<Dim> corner(Key<Dim> key, int corner) const {
    Lattice<Dim> p = lo(key);
    for (int a = 0; a < Dim; ++a)
      if ((corner >> a) & 1) p[a] += key.size();
    return p;
  }

  constexpr Vec<Dim> center(LeafId leaf) const {
    const Key<Dim> k = leaf_key[leaf];
    return domain.position(lo(k)) + Vec<Dim>::filled(0.5 * domain.size(k.level()));
  }

  constexpr Cell child_of(BranchId branch, int digit) const {
    return child[std::size_t{branch} * child_count<Dim> + static_cast<std::size_t>(digit)];
  }

  // This is the leaf that touches corner `corner` (bit a: upper end of axis a) of a cell from inside it; it is
  // none for a cell outside, elsewhere for a cell elsewhere.
  constexpr LeafId leaf_in_corner(Cell c, int corner) const {
    while (c.is_branch()) c = child_of(c.branch(), corner);
    return c.leaf();
  }

  static constexpr int digit_at(const Lattice<Dim>& p, int level) {
    int digit = 0;
    for (int a = 0; a < Dim; ++a)
      digit |= static_cast<int>((p[a] >> (max_level - level)) & 1u) << a;
    return digit;
  }

  // This is the cell of level `deepest` that holds lattice position p, or the leaf above it.
  constexpr Cell cell_at(const Lattice<Dim>& p, int deepest) const {
    int level = 0;
    Cell c;
    if (deepest >= table_level) {
      level = table_level;
      std::size_t index = 0;
      for (int a = Dim - 1; a >= 0; --a)
        index = index * table_size[a] + (p[a] >> (max_level - table_level));
      c = table[index];
    } else {
      Vec<Dim, std::uint32_t> r{};
      for (int a = 0; a < Dim; ++a) r[a] = p[a] >> max_level;
      c = root[domain.root_index(r)];
    }
    while (c.is_branch() && level < deepest) c = child_of(c.branch(), digit_at(p, ++level));
    return c;
  }

  // This is the leaf at a lattice position, or at a point (the leaf's lower sides belong to it, points
  // outside the box go to the nearest leaf).
  constexpr LeafId leaf_at(const Lattice<Dim>& p) const { return cell_at(p, max_level).leaf(); }
  constexpr LeafId leaf_at(const Vec<Dim>& point) const { return leaf_at(domain.lattice(point)); }

  // This is the cell of the leaf's own size, or the leaf above it, across side 2*axis (low) or 2*axis+1.
  constexpr Cell across(LeafId leaf, int side) const {
    const Key<Dim> k = leaf_key[leaf];
    Lattice<Dim> p = lo(k);
    const int axis = side / 2;
    if (side % 2 == 0) {
      if (p[axis] == 0) return Cell::outside();
      p[axis] -= k.size();
    } else {
      p[axis] += k.size();
      if (p[axis] == domain.extent()[axis]) return Cell::outside();
    }
    return cell_at(p, k.level());
  }
};

// This calls f(LeafId) for the leaves inside `cell` that touch its side, along the curve.
template <int Dim, class F>
constexpr void for_each_on_side(const OctreeView<Dim>& tree, Cell cell, int side, F&& f) {
  if (cell.is_leaf()) return f(cell.leaf());
  for (int c = 0; c < child_count<Dim>; ++c)
    if (((c >> (side / 2)) & 1) == side % 2)
      for_each_on_side(tree, tree.child_of(cell.branch(), c), side, f);
}

template <int Dim>
class Octree {
 public:
  Octree() : Octree(Domain<Dim>{}) {}
  explicit Octree(const Domain<Dim>& domain);                // every root cell a leaf
  Octree(const Domain<Dim>& domain, Buffer<Key<Dim>> keys);  // sorted, covering the box

  // This refines from the roots every leaf for which refine(const Leaf<Dim>&) is true. The function is
  // called from many threads and must be pure.
  template <class Refine>
  static Octree build(const Domain<Dim>& domain, Refine&& refine);

  // The tree takes new leaves and gives the old array back in exchange, for reuse. Leaves that are not
  // sorted or do not cover the box are an InputError.
  void replace(Buffer<Key<Dim>>& keys);

  // The tree becomes what `before` would be after replace(keys): same domain, next revision.
  void replace(const Octree& before, Buffer<Key<Dim>>& keys);

  // The tree gives its leaves away; it can only be assigned to or destroyed afterwards.
  Buffer<Key<Dim>> take_leaves() && { return std::move(leaf_key_); }

  const Domain<Dim>& domain() const { return domain_; }
  std::size_t leaf_count() const { return leaf_key_.size(); }
  std::size_t branch_count() const { return branch_key_.size(); }
  View<const Key<Dim>> keys() const { return leaf_key_.view(); }
  int deepest_level() const;
  OctreeView<Dim> view() const;

  // Branches [first, second) are those of a level.
  std::pair<std::size_t, std::size_t> branches_of_level(int level) const {
    return {level_begin_[static_cast<std::size_t>(level)],
            level_begin_[static_cast<std::size_t>(level) + 1]};
  }

  // The revision goes up by one whenever leaves are replaced.
  std::uint64_t revision() const { return revision_; }

  std::size_t bytes() const;

  // These say what is wrong, in sentences; they are empty when all is well. They check the leaves
  // alone, or with the index.
  static std::string validate_leaves(const Domain<Dim>& domain, View<const Key<Dim>> keys);
  static std::string validate(const OctreeView<Dim>& tree);
  std::string validate() const { return validate(view()); }

 private:
  void build_index();
  void build_branches();
  void build_table();

  Domain<Dim> domain_;
  Buffer<Key<Dim>> leaf_key_;
  Buffer<BranchId> leaf_parent_;
  Buffer<Key<Dim>> branch_key_;
  Buffer<BranchId> branch_parent_;
  Buffer<LeafId> branch_first_leaf_;
  Buffer<Cell> child_, root_, table_;
  Buffer<Lattice<Dim>> root_lo_;
  Lattice<Dim> table_size_{};
  int table_level_ = 0;
  std::array<std::size_t, max_level + 2> level_begin_{};
  std::uint64_t revision_ = 0;
};

// This replaces each key by itself or, where refine(key) is true, by its children, again and again; the
// result stays sorted. `out` must not be the array `keys` looks at.
template <int Dim, class Refine>
void expand(View<const Key<Dim>> keys, Refine&& refine, Buffer<Key<Dim>>& out,
            std::size_t block_size = 256) {
  // Blocks in which nothing is refined have no part of their own.
  std::vector<std::vector<Key<Dim>>> parts(block_count(keys.size(), block_size));
  auto block_end = [&](std::size_t b) { return std::min((b + 1) * block_size, keys.size()); };
  parallel_blocks(
      "refine leaves", keys.size(),
      [&](std::size_t block, std::size_t begin, std::size_t end) {
        auto& part = parts[block];
        auto is_split = [&](Key<Dim> key) { return key.level() < max_level && refine(key); };
        auto add_children = [&](auto&& self, Key<Dim> key) -> void {
          for (int c = 0; c < child_count<Dim>; ++c) {
            const Key<Dim> child = key.child(c);
            if (is_split(child))
              self(self, child);
            else
              part.push_back(child);
          }
        };
        bool changed = false;
        for (std::size_t i = begin; i < end; ++i) {
          if (is_split(keys[i])) {
            if (!changed) part.assign(keys.begin() + begin, keys.begin() + i);
            changed = true;
            add_children(add_children, keys[i]);
          } else if (changed) {
            part.push_back(keys[i]);
          }
        }
      },
      block_size);
  std::vector<std::size_t> first(parts.size() + 1, 0);
  for (std::size_t b = 0; b < parts.size(); ++b)
    first[b + 1] = first[b] + (parts[b].empty() ? block_end(b) - b * block_size : parts[b].size());
  out.resize(first.back());
  parallel_blocks(
      "collect leaves", parts.size(),
      [&](std::size_t b, std::size_t, std::size_t) {
        Key<Dim>* to = out.begin() + first[b];
        if (parts[b].empty())
          std::copy(keys.begin() + b * block_size, keys.begin() + block_end(b), to);
        else
          std::copy(parts[b].begin(), parts[b].end(), to);
      },
      std::size_t{1});
}

template <int Dim>
template <class Refine>
Octree<Dim> Octree<Dim>::build(const Domain<Dim>& domain, Refine&& refine) {
  domain.check();
  Buffer<Key<Dim>> keys(domain.root_count()), next;
  for (std::size_t r = 0; r < keys.size(); ++r)
    keys[r] = Key<Dim>::root(static_cast<std::uint32_t>(r));

  // A few levels are refined at a time until there is enough to share among threads, then all the way down.
  auto wants = [&](Key<Dim> key) { return refine(domain.leaf(key)); };
  for (int level = 0; level < max_level && keys.size() < 4096; ++level) {
    expand<Dim>(
        keys.view(), [&](Key<Dim> k) { return k.level() == level && wants(k); }, next);
    keys.swap(next);
  }
  expand<Dim>(keys.view(), wants, next, 4);
  return Octree(domain, std::move(next));
}

extern template class Octree<2>;
extern template class Octree<3>;

}  // namespace octavo
