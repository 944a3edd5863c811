#pragma once

// A Locator finds the leaves of many points, one after the other, and remembers the last branch it came
// through. Points that come along the curve mostly stay in that branch; then the search is one step.
//
// The answers are the same as those of OctreeView::leaf_at(), in whatever order points come. A
// Locator belongs to one thread.

#include "octavo/tree/octree.h"

namespace octavo {

// This gives a point as a leaf and a place in it, 0..1 along each axis.
template <int Dim, class Real>
struct LeafPoint {
  LeafId leaf;
  Vec<Dim, Real> local;
};

template <int Dim>
class Locator {
 public:
  explicit Locator(const OctreeView<Dim>& tree)
      : child_(tree.child),
        table_(tree.table),
        key_(tree.leaf_key),
        table_size_(tree.table_size),
        table_level_(tree.table_level),
        origin_(tree.domain.origin),
        scale_(root_lattice / tree.domain.root_size),
        extent_(tree.domain.extent()) {}

  // Points outside the box are moved to its nearest point; NaN goes to the lower end.
  template <class Real>
  [[gnu::always_inline]] LeafPoint<Dim, Real> locate(const Vec<Dim>& point) {
    Vec<Dim> x{};
    Lattice<Dim> p{};
    for (int a = 0; a < Dim; ++a) {
      const double from_origin = (point[a] - origin_[a]) * scale_, top = extent_[a];
      x[a] = from_origin > 0 ? (from_origin < top ? from_origin : top) : 0.0;
      p[a] = std::min(static_cast<std::uint32_t>(x[a]), extent_[a] - 1);
    }
    const auto [leaf, level] = find(p);
    const std::uint32_t inside = (1u << (max_level - level)) - 1;
    const double per_size = inverse_size[static_cast<std::size_t>(level)];
    LeafPoint<Dim, Real> r{leaf, {}};
    for (int a = 0; a < Dim; ++a)
      r.local[a] = static_cast<Real>((x[a] - (p[a] & ~inside)) * per_size);
    return r;
  }

  constexpr LeafId leaf_at(const Lattice<Dim>& p) { return find(p).leaf; }

 private:
  struct Found {
    LeafId leaf;
    int level;
  };

  // This is one lattice unit in leaves of each level.
  static constexpr auto inverse_size = [] {
    std::array<double, max_level + 1> inverse{};
    for (int l = 0; l <= max_level; ++l)
      inverse[static_cast<std::size_t>(l)] = 1.0 / static_cast<double>(1u << (max_level - l));
    return inverse;
  }();

  [[gnu::always_inline]] Found find(const Lattice<Dim>& p) {
    std::uint32_t differs = 0;
    for (int a = 0; a < Dim; ++a) differs |= p[a] ^ branch_point_[a];
    if (differs >> branch_shift_ != 0) {
      std::size_t index = 0;
      for (int a = Dim - 1; a >= 0; --a)
        index = index * table_size_[a] + (p[a] >> (max_level - table_level_));
      const Cell c = table_[index];
      if (c.is_leaf()) return {c.leaf(), key_[c.leaf()].level()};
      branch_ = c.branch();
      branch_point_ = p;
      branch_shift_ = static_cast<unsigned>(max_level - table_level_);
    }
    for (;;) {
      std::size_t digit = 0;
      for (int a = 0; a < Dim; ++a)
        digit |= static_cast<std::size_t>((p[a] >> (branch_shift_ - 1)) & 1u) << a;
      const Cell c = child_[std::size_t{branch_} * child_count<Dim> + digit];
      if (c.is_leaf()) return {c.leaf(), max_level + 1 - static_cast<int>(branch_shift_)};
      branch_ = c.branch();
      branch_point_ = p;
      --branch_shift_;
    }
  }

  View<const Cell> child_, table_;
  View<const Key<Dim>> key_;
  Lattice<Dim> table_size_;
  int table_level_;
  Vec<Dim> origin_;
  double scale_;
  Lattice<Dim> extent_;

  // The branch last come through is kept with any position in it and the number of bits below its
  // level. At first this is a place that no position agrees with.
  BranchId branch_;
  Lattice<Dim> branch_point_ = Lattice<Dim>::filled(0xffffffffu);
  unsigned branch_shift_ = 0;
};

}  // namespace octavo
