#pragma once

// A criterion answers how fine the grid should be here.
//
// A criterion is a pure function of a leaf, `int operator()(const Leaf<Dim>&) const`, that returns
// the level wanted for the region within leaf.reach of leaf.center along each axis. It is asked
// about leaves that exist, about children a leaf might get and about the parent that siblings might
// become, from many threads. It must look at the whole region, not only at the centre: then grow()
// and the hysteresis of adapt() work by widening it.
//
//   auto c = clamp_level(finest_of(near_surface<3>(sphere, 9), inside_box<3>(box, 6)), 3, 9);

#include <algorithm>
#include <cmath>

#include "octavo/tree/domain.h"

namespace octavo {

// This is the finest of what several criteria want.
template <class First, class... Rest>
auto finest_of(First first, Rest... rest) {
  return [=](const auto& leaf) {
    int level = first(leaf);
    ((level = std::max(level, rest(leaf))), ...);
    return level;
  };
}

// The level is never coarser than `coarsest` and never finer than `finest`.
template <class Criterion>
auto clamp_level(Criterion criterion, int coarsest, int finest) {
  if (coarsest > finest)
    throw InputError("the coarsest level {} is above the finest level {}", coarsest, finest);
  return [=](const auto& leaf) { return std::clamp(criterion(leaf), coarsest, finest); };
}

// This is what is wanted anywhere within `cells` times the leaf's own size of the leaf.
template <class Criterion>
auto grow(Criterion criterion, double cells) {
  return [=](auto leaf) {
    leaf.reach += cells * leaf.size;
    return criterion(leaf);
  };
}

// The same level is wanted everywhere.
inline auto uniform_level(int level) {
  return [=](const auto&) { return level; };
}

// `level` is wanted where the surface distance(point) = 0 may pass through the region, 0 elsewhere. The
// function may not change by more than 1 per metre (a signed or unsigned distance does not).
template <int Dim, class Distance>
auto near_surface(Distance distance, int level) {
  return [=](const Leaf<Dim>& leaf) {
    return std::abs(distance(leaf.center)) <= 0.5 * diagonal<Dim>(2 * leaf.reach) ? level : 0;
  };
}

// `level` is wanted in leaves that overlap a box, 0 elsewhere.
template <int Dim>
auto inside_box(Box<Dim> box, int level) {
  return [=](const Leaf<Dim>& leaf) {
    for (int a = 0; a < Dim; ++a)
      if (leaf.center[a] + leaf.reach <= box.lo[a] || leaf.center[a] - leaf.reach >= box.hi[a])
        return 0;
    return level;
  };
}

}  // namespace octavo
