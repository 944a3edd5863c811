#pragma once

// The walk visits the leaves along a ray, one after the other: from each the ray goes on where it leaves it, so
// that none is left out, however small, and none is looked at twice. Branches without anything in them are
// passed in one go.

#include "octavo/camera/ray.h"
#include "octavo/tree/octree.h"

namespace octavo {

// An Occupancy tells where something is in a tree: it has one byte for each leaf and branch, not zero if so.
struct Occupancy {
  Buffer<std::uint8_t> leaf, branch;
};

// The occupancy follows from what leaves have; a branch has what its children have.
template <class Has>
Occupancy occupancy(const Octree<3>& tree, Has&& has) {
  const OctreeView<3> view = tree.view();
  Occupancy o;
  o.leaf.resize(view.leaf_count());
  o.branch.resize(view.branch_count());
  const View<std::uint8_t> leaf = o.leaf.view(), branch = o.branch.view();
  parallel_for("occupied leaves", leaf.size(), [&](std::size_t i) { leaf[i] = has(LeafId(i)); });
  for (int level = max_level; level >= 0; --level) {
    const auto [first, last] = tree.branches_of_level(level);
    parallel_for("occupied branches", last - first, [=, first = first](std::size_t i) {
      const BranchId b(first + i);
      std::uint8_t any = 0;
      for (int c = 0; c < child_count<3>; ++c) {
        const Cell child = view.child_of(b, c);
        any = any | (child.is_leaf() ? leaf[child.leaf()] : branch[child.branch()]);
      }
      branch[b] = any;
    });
  }
  return o;
}

class OctreeWalk {
 public:
  OctreeWalk() = default;
  OctreeWalk(const OctreeView<3>& tree, const Occupancy& occupied)
      : tree_(tree),
        leaf_(occupied.leaf.view()),
        branch_(occupied.branch.view()),
        box_(tree.domain.box()),
        extent_(tree.domain.extent()),
        per_metre_(1 / tree.domain.unit()) {}

  // A LeafCrossing is a leaf on the way: it says where the ray enters and leaves it, and gives both places
  // within it, from 0 to 1 along each axis.
  struct LeafCrossing {
    LeafId leaf;
    double from, to;  // m
    Vec3f begin, end;
  };

  // This calls visit(LeafCrossing) -> bool for the occupied leaves along the span, until it returns false.
  template <class Visit>
  void along(const Ray& ray, const Span& wanted, Visit&& visit) const {
    const Span span = clipped(ray, box_, wanted);
    if (span.empty()) return;
    const Vec3d start = (ray.origin - box_.lo) * per_metre_, step = ray.direction * per_metre_;
    const Vec3d metres{1 / step[0], 1 / step[1], 1 / step[2]};  // for each lattice unit
    Lattice<3> p{};
    for (int a = 0; a < 3; ++a) p[a] = inside(start[a] + step[a] * span.from, 0, extent_[a]);
    double from = span.from;
    while (from < span.to) {
      const WalkedCell at = cell_at(p);
      double out = std::numeric_limits<double>::infinity();
      int axis = 0;
      for (int a = 0; a < 3; ++a) {
        if (step[a] == 0) continue;
        const double bound = step[a] > 0 ? at.lo[a] + at.size : at.lo[a];
        const double t = (bound - start[a]) * metres[a];
        if (t < out) {
          out = t;
          axis = a;
        }
      }
      const double to = std::min(out, span.to);
      if (at.occupied && to > from) {
        LeafCrossing passage{at.leaf, from, to, {}, {}};
        for (int a = 0; a < 3; ++a) {
          passage.begin[a] = part(start[a] + step[a] * from, at.lo[a], at.size);
          passage.end[a] = part(start[a] + step[a] * to, at.lo[a], at.size);
        }
        if (!visit(passage)) return;
      }
      from = std::max(from, out);
      for (int a = 0; a < 3; ++a)
        if (a != axis) p[a] = inside(start[a] + step[a] * from, at.lo[a], at.lo[a] + at.size);
      if (step[axis] > 0) {
        if (at.lo[axis] + at.size >= extent_[axis]) return;
        p[axis] = at.lo[axis] + at.size;
      } else {
        if (at.lo[axis] == 0) return;
        p[axis] = at.lo[axis] - 1;
      }
    }
  }

 private:
  struct WalkedCell {
    LeafId leaf;
    bool occupied;
    Lattice<3> lo;
    std::uint32_t size;
  };

  // This is the leaf at a position, or the largest branch without anything in it below the table's level.
  WalkedCell cell_at(const Lattice<3>& p) const {
    std::size_t index = 0;
    for (int a = 2; a >= 0; --a)
      index = index * tree_.table_size[a] + (p[a] >> (max_level - tree_.table_level));
    Cell c = tree_.table[index];
    int level = tree_.table_level;
    if (c.is_leaf()) level = tree_.leaf_key[c.leaf()].level();
    while (c.is_branch() && branch_[c.branch()] != 0)
      c = tree_.child_of(c.branch(), OctreeView<3>::digit_at(p, ++level));
    const std::uint32_t size = 1u << (max_level - level);
    WalkedCell at{LeafId(), false, p, size};
    for (int a = 0; a < 3; ++a) at.lo[a] &= ~(size - 1);
    if (c.is_leaf()) {
      at.leaf = c.leaf();
      at.occupied = leaf_[c.leaf()] != 0;
    }
    return at;
  }

  static std::uint32_t inside(double x, std::uint32_t lo, std::uint32_t hi) {
    return static_cast<std::uint32_t>(
        std::clamp(x, static_cast<double>(lo), static_cast<double>(hi - 1)));
  }
  static float part(double x, std::uint32_t lo, std::uint32_t size) {
    return static_cast<float>(std::clamp((x - lo) / size, 0.0, 1.0));
  }

  OctreeView<3> tree_{};
  View<const std::uint8_t> leaf_, branch_;
  Box<3> box_{};
  Lattice<3> extent_{};
  double per_metre_ = 1;
};

}  // namespace octavo
