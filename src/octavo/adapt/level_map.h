#pragma once

// LevelMap: levels wanted by the leaves of a tree, as a criterion about any region.
//
// Criteria that look at fields can only be asked about leaves that exist. adapt() asks about children a
// leaf might get, parents that siblings might become, and regions grown by margins. The map answers with
// a level that some leaf wants which overlaps the region, if one wants a finer level than the region has;
// else with 0. It goes down from cells of the region's size, passes over branches in which nothing finer
// is wanted, and ends at the first leaf that does.
//
//   LevelMap<3> map;
//   map.build(grid.tree(), [=](LeafId leaf) { return vorticity[leaf] > 4 ? 8 : 0; });
//   adapt(grid, fields, clamp_level(grow(map.view(), 2.0), 3, 8));
//
// Bytes per leaf: 1, and 1/7 for branches.

#include "octavo/tree/octree.h"

namespace octavo {

template <int Dim>
struct LevelMapView {
  OctreeView<Dim> tree;
  View<const std::int8_t> leaf, branch;  // the finest level wanted in each

  int operator()(const Leaf<Dim>& region) const {
    Search s{{}, {}, 0, region.level};
    const Lattice<Dim> extent = tree.domain.extent();
    const double scale = root_lattice / tree.domain.root_size;
    double width = 0;
    for (int a = 0; a < Dim; ++a) {
      const double x = (region.center[a] - tree.domain.origin[a]) * scale, r = region.reach * scale;
      s.lo[a] = std::max(x - r, 0.0);
      s.hi[a] = std::min(x + r, static_cast<double>(extent[a]));
      if (s.lo[a] >= s.hi[a]) return 0;
      width = std::max(width, s.hi[a] - s.lo[a]);
    }

    // The region overlaps at most two cells of its size along each axis, if it is smaller than the root
    // cells.
    int level = 0;
    while (level < max_level && static_cast<double>(1u << (max_level - level - 1)) >= width)
      ++level;
    const std::uint32_t size = 1u << (max_level - level);
    Lattice<Dim> first{}, count{};
    for (int a = 0; a < Dim; ++a) {
      first[a] = static_cast<std::uint32_t>(s.lo[a]) / size;
      const auto last = static_cast<std::uint32_t>(std::ceil(s.hi[a]) - 1) / size;
      count[a] = last - first[a] + 1;
    }
    for (std::uint32_t k = 0, n = product(count); k < n && s.found == 0; ++k) {
      Lattice<Dim> p{};
      std::uint32_t rest = k;
      for (int a = 0; a < Dim; ++a) {
        p[a] = (first[a] + rest % count[a]) * size;
        rest /= count[a];
      }
      visit(s, tree.cell_at(p, level), p, size);
    }
    return s.found;
  }

 private:
  struct Search {
    Vec<Dim> lo, hi;  // lattice units
    int found, level;
  };

  void visit(Search& s, Cell cell, const Lattice<Dim>& lo, std::uint32_t size) const {
    if (cell.is_leaf()) {
      if (leaf[cell.leaf()] > s.level) s.found = leaf[cell.leaf()];
      return;
    }
    const BranchId b = cell.branch();
    if (branch[b] <= s.level) return;
    const std::uint32_t half = size / 2;
    for (int c = 0; c < child_count<Dim> && s.found == 0; ++c) {
      Lattice<Dim> p = lo;
      bool overlaps = true;
      for (int a = 0; a < Dim; ++a) {
        if ((c >> a) & 1) p[a] += half;
        overlaps = overlaps && p[a] < s.hi[a] && s.lo[a] < static_cast<double>(p[a] + half);
      }
      if (overlaps) visit(s, tree.child_of(b, c), p, half);
    }
  }
};

template <int Dim>
class LevelMap {
 public:
  // wanted(LeafId) gives a level. The tree must outlive the use of view().
  template <class Wanted>
  void build(const Octree<Dim>& tree, Wanted&& wanted) {
    tree_ = &tree;
    leaf_.resize(tree.leaf_count());
    branch_.resize(tree.branch_count());
    const View<std::int8_t> leaf = leaf_.view(), branch = branch_.view();
    parallel_for("wanted levels", leaf.size(), [&](std::size_t i) {
      leaf[i] = static_cast<std::int8_t>(std::clamp(wanted(LeafId(i)), 0, max_level));
    });
    const View<const Cell> child = tree.view().child;
    for (int level = max_level - 1; level >= 0; --level) {
      const auto [first, last] = tree.branches_of_level(level);
      parallel_for("wanted levels", last - first, [=, first = first](std::size_t i) {
        std::int8_t finest = 0;
        for (std::size_t c = 0; c < child_count<Dim>; ++c) {
          const Cell below = child[(first + i) * child_count<Dim> + c];
          finest = std::max(finest, below.is_leaf() ? leaf[below.leaf()] : branch[below.branch()]);
        }
        branch[first + i] = finest;
      });
    }
  }

  LevelMapView<Dim> view() const { return {tree_->view(), leaf_.view(), branch_.view()}; }
  std::size_t bytes() const { return leaf_.bytes() + branch_.bytes(); }

 private:
  const Octree<Dim>* tree_ = nullptr;
  Buffer<std::int8_t> leaf_, branch_;
};

}  // namespace octavo
