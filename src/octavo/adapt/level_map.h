#pragma once

// A LevelMap gives the levels wanted by the leaves of a tree, as a criterion about any region.
//
// Criteria that look at fields can only be asked about leaves that exist. adapt() asks about children a
// leaf might get, parents that siblings might become, and regions grown by margins. The map answers with
// a level that some leaf wants which overlaps the region, if one wants a finer level than the region has;
// else with 0. It goes down from cells of the region's size, passes over branches in which nothing finer
// is wanted, and ends at the first leaf that does.
//
//   LevelMap<3> map;
//   map.build(grid.tree(), [=](LeafId leaf) { return WantedLevels::both(vorticity[leaf] > 4 ? 8 : 0); });
//   adapt(grid, fields, clamp_level(grow(map.to_refine(), 2.0), 3, 8));
//
// A leaf may want to be kept at a level for which nothing would be refined: that is how grids are kept
// from flickering about a threshold. A leaf takes 2 bytes, and 2/7 for branches.

#include "octavo/tree/octree.h"

namespace octavo {

// WantedLevels are what a leaf wants: what is to be refined around it, and what is not to be merged.
// The second is never coarser than the first.
struct WantedLevels {
  std::int8_t refine = 0, keep = 0;

  static WantedLevels both(int level) { return from(level, level); }
  static WantedLevels from(int refine, int keep) {
    return {static_cast<std::int8_t>(std::clamp(refine, 0, max_level)),
            static_cast<std::int8_t>(std::clamp(std::max(refine, keep), 0, max_level))};
  }
  friend WantedLevels finest(WantedLevels p, WantedLevels q) {
    return {std::max(p.refine, q.refine), std::max(p.keep, q.keep)};
  }
};

template <int Dim>
struct LevelMapView {
  OctreeView<Dim> tree;
  View<const WantedLevels> leaf, branch;  // the finest levels wanted in each
  std::int8_t WantedLevels::*of;          // which of them

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
      const auto wanted = static_cast<int>(leaf[cell.leaf()].*of);
      if (wanted > s.level) s.found = wanted;
      return;
    }
    const BranchId b = cell.branch();
    if (branch[b].*of <= s.level) return;
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
  // wanted(LeafId) gives levels. The tree must outlive the use of views.
  template <class Wanted>
  void build(const Octree<Dim>& tree, Wanted&& wanted) {
    tree_ = &tree;
    leaf_.resize(tree.leaf_count());
    branch_.resize(tree.branch_count());
    const View<WantedLevels> leaf = leaf_.view(), branch = branch_.view();
    parallel_for("wanted levels", leaf.size(), [&](std::size_t i) { leaf[i] = wanted(LeafId(i)); });
    const View<const Cell> child = tree.view().child;
    for (int level = max_level - 1; level >= 0; --level) {
      const auto [first, last] = tree.branches_of_level(level);
      parallel_for("wanted levels", last - first, [=, first = first](std::size_t i) {
        WantedLevels all;
        for (std::size_t c = 0; c < child_count<Dim>; ++c) {
          const Cell below = child[(first + i) * child_count<Dim> + c];
          all = finest(all, below.is_leaf() ? leaf[below.leaf()] : branch[below.branch()]);
        }
        branch[first + i] = all;
      });
    }
  }

  LevelMapView<Dim> to_refine() const { return view(&WantedLevels::refine); }
  LevelMapView<Dim> to_keep() const { return view(&WantedLevels::keep); }
  std::size_t bytes() const { return leaf_.bytes() + branch_.bytes(); }

 private:
  LevelMapView<Dim> view(std::int8_t WantedLevels::*of) const {
    return {tree_->view(), leaf_.view(), branch_.view(), of};
  }

  const Octree<Dim>* tree_ = nullptr;
  Buffer<WantedLevels> leaf_, branch_;
};

}  // namespace octavo
