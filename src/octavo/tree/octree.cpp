#include "octavo/tree/octree.h"

#include <vector>

namespace octavo {

template <int Dim>
Octree<Dim>::Octree(const Domain<Dim>& domain) : domain_(domain) {
  domain_.check();
  leaf_key_.resize(domain.root_count());
  for (std::size_t r = 0; r < leaf_key_.size(); ++r)
    leaf_key_[r] = Key<Dim>::root(static_cast<std::uint32_t>(r));
  build_index();
}

// This refuses leaves before anything is changed.
template <int Dim>
static void check_leaves(const Domain<Dim>& domain, View<const Key<Dim>> keys) {
  domain.check();
  constexpr std::size_t limit = std::size_t{1} << (32 - Dim);  // leaf * 2^Dim + corner has 32 bits
  if (keys.size() >= limit)
    throw InputError("a tree has at most {} leaves, not {}", limit - 1, keys.size());
  const std::string wrong = Octree<Dim>::validate_leaves(domain, keys);
  if (!wrong.empty()) throw InputError("these leaves do not make a tree: {}", wrong);
}

template <int Dim>
Octree<Dim>::Octree(const Domain<Dim>& domain, Buffer<Key<Dim>> keys)
    : domain_(domain), leaf_key_(std::move(keys)) {
  check_leaves(domain_, std::as_const(leaf_key_).view());
  build_index();
}

template <int Dim>
void Octree<Dim>::replace(Buffer<Key<Dim>>& keys) {
  check_leaves(domain_, std::as_const(keys).view());
  leaf_key_.swap(keys);
  build_index();
}

template <int Dim>
void Octree<Dim>::replace(const Octree& before, Buffer<Key<Dim>>& keys) {
  domain_ = before.domain_;
  revision_ = before.revision_;
  replace(keys);
}

template <int Dim>
void Octree<Dim>::build_index() {
  build_branches();
  root_lo_.resize(domain_.root_count());
  for (std::size_t r = 0; r < root_lo_.size(); ++r)
    root_lo_[r] = domain_.root_position(static_cast<std::uint32_t>(r)) * root_lattice;
  build_table();
  ++revision_;
}

// A leaf *opens* the branches whose first leaf it is: those of levels top .. level-1, where the
// digits of its path below `top` are all zero.
template <int Dim>
static int first_opened_level(Key<Dim> key) {
  const std::uint64_t path =
      (key.bits ^ key.marker()) & ((std::uint64_t{1} << Key<Dim>::root_shift) - 1);
  if (path == 0) return 0;
  return max_level - (std::countr_zero(path) - 1) / Dim;
}

// Branches are numbered level by level, and within a level by the leaf that opens them. Counting
// what each block of leaves opens gives every block its first number in each level; then a walk
// along the block meets parents before children, and the newest branch of a level is the parent of
// what follows.
template <int Dim>
void Octree<Dim>::build_branches() {
  using Counts = std::array<std::size_t, max_level>;
  const View<const Key<Dim>> keys = leaf_key_.view();
  const std::size_t blocks = block_count(keys.size());
  std::vector<Counts> next(blocks + 1, Counts{});
  parallel_blocks("count branches", keys.size(),
                  [&](std::size_t block, std::size_t begin, std::size_t end) {
                    Counts count{};
                    for (std::size_t i = begin; i < end; ++i)
                      for (int l = first_opened_level(keys[i]); l < keys[i].level(); ++l)
                        ++count[static_cast<std::size_t>(l)];
                    next[block] = count;
                  });
  std::size_t total = 0;
  for (std::size_t l = 0; l < max_level; ++l) {
    level_begin_[l] = total;
    for (auto& counts : next) total += std::exchange(counts[l], total);
  }
  level_begin_[max_level] = level_begin_[max_level + 1] = total;

  leaf_parent_.resize(keys.size());
  branch_key_.resize(total);
  branch_parent_.resize(total);
  branch_first_leaf_.resize(total);
  child_.resize(total * child_count<Dim>);
  root_.resize(domain_.root_count());

  // This makes `cell` known to the cell above it, and returns that cell.
  const View<Cell> child = child_.view(), root = root_.view();
  auto link = [=](Cell cell, Key<Dim> key, const Counts& newest) {
    const int level = key.level();
    if (level == 0) {
      root[key.root_index()] = cell;
      return BranchId::none();
    }
    const BranchId parent(newest[static_cast<std::size_t>(level) - 1] - 1);
    child[std::size_t{parent} * child_count<Dim> + static_cast<std::size_t>(key.digit(level))] =
        cell;
    return parent;
  };
  parallel_blocks("link branches", keys.size(),
                  [&](std::size_t block, std::size_t begin, std::size_t end) {
                    Counts newest = next[block];
                    for (std::size_t i = begin; i < end; ++i) {
                      const int level = keys[i].level();
                      for (int l = first_opened_level(keys[i]); l < level; ++l) {
                        const std::size_t b = newest[static_cast<std::size_t>(l)]++;
                        branch_key_[b] = keys[i].ancestor(l);
                        branch_first_leaf_[b] = LeafId(i);
                        branch_parent_[b] = link(Cell::branch(b), branch_key_[b], newest);
                      }
                      leaf_parent_[i] = link(Cell::leaf(i), keys[i], newest);
                    }
                  });
}

// The table holds at most one entry for every two leaves: this is enough to skip most of the descent,
// and small beside the mesh.
template <int Dim>
void Octree<Dim>::build_table() {
  auto entries = [&](int level) {
    return static_cast<std::size_t>(domain_.root_count()) << (Dim * level);
  };
  int level = 0;
  while (level < max_level && entries(level + 1) * 2 <= leaf_key_.size()) ++level;
  table_level_ = 0;
  table_size_ = domain_.roots.template cast<std::uint32_t>();
  table_.resize(entries(level));
  OctreeView<Dim> tree = view();  // its table is never read below: every descent starts at a root
  tree.table_level = max_level + 1;
  const Lattice<Dim> size = table_size_ * (1u << level);
  const View<Cell> table = table_.view();
  parallel_for("fill table", table.size(), [=](std::size_t i) {
    Lattice<Dim> p{};
    std::size_t rest = i;
    for (int a = 0; a < Dim; ++a) {
      p[a] = static_cast<std::uint32_t>(rest % size[a]) << (max_level - level);
      rest /= size[a];
    }
    table[i] = tree.cell_at(p, level);
  });
  table_level_ = level;
  table_size_ = size;
}

template <int Dim>
int Octree<Dim>::deepest_level() const {
  int level = 0;
  for (int l = 0; l < max_level; ++l)
    if (branches_of_level(l).first < branches_of_level(l).second) level = l + 1;
  return level;
}

template <int Dim>
OctreeView<Dim> Octree<Dim>::view() const {
  return {domain_,
          leaf_key_.view(),
          leaf_parent_.view(),
          branch_key_.view(),
          branch_parent_.view(),
          branch_first_leaf_.view(),
          child_.view(),
          root_.view(),
          table_.view(),
          root_lo_.view(),
          table_size_,
          table_level_};
}

template <int Dim>
std::size_t Octree<Dim>::bytes() const {
  return leaf_key_.bytes() + leaf_parent_.bytes() + branch_key_.bytes() + branch_parent_.bytes() +
         branch_first_leaf_.bytes() + child_.bytes() + root_.bytes() + table_.bytes() +
         root_lo_.bytes();
}

template class Octree<2>;
template class Octree<3>;

}  // namespace octavo
