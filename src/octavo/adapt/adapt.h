#pragma once

// adapt() replaces octree and mesh: it asks a criterion, decides, builds
// the new pair and carries all fields over.
//
// To refine, a leaf is split, and its children asked again, while the criterion wants a finer level. To
// coarsen, sibling leaves become their parent if nothing finer than it is wanted in its region, widened
// by `hysteresis` of the siblings' size. So what has just been refined is not merged again when the
// criterion moves back by less than a cell, and a criterion that stays the same leaves the grid as it
// is from the second call on.

#include <atomic>

#include "octavo/adapt/criterion.h"
#include "octavo/mesh/grid.h"
#include "octavo/mesh/transfer.h"
#include "octavo/tree/change.h"

namespace octavo {

struct AdaptOptions {
  double hysteresis = 1.0;   // cells
  int grading = 0;           // largest difference in level between leaves that touch; 0: no limit
  int finest = max_level;    // the criterion wants no finer level, and is not asked whether it does
  bool one_level = false;    // no leaf is split more than once, none merged more than once
  std::size_t most_new = 0;  // leaves that splitting may add, before any are merged; 0: any number
};

struct AdaptReport {
  bool changed = false;
  std::size_t leaves_before = 0, leaves_after = 0;
  double seconds = 0;
};

// These are the leaves that adapt() would give a tree. `keep` is asked whether siblings may be merged, and
// may want more than what anything is refined for. The result is false, with nothing of use in `keys`, if
// splitting would add more leaves than it may: no memory is taken for those.
template <int Dim, class Criterion, class Keep>
bool adapted_leaves(const Octree<Dim>& tree, const Criterion& criterion, const Keep& keep,
                    const AdaptOptions& options, Buffer<Key<Dim>>& keys) {
  const Domain<Dim>& domain = tree.domain();
  const OctreeView<Dim> before = tree.view();
  auto may_split = [&](Key<Dim> key) {
    if (!options.one_level) return true;
    const Cell there = before.cell_at(domain.lo(key), key.level());
    return before.key(there) == key;
  };
  const std::size_t most_splits =
      options.most_new == 0 ? SIZE_MAX : options.most_new / (child_count<Dim> - 1);
  std::atomic<std::size_t> splits{0};
  auto too_many = [&] { return splits.load(std::memory_order_relaxed) > most_splits; };
  auto wants_finer = [&](Key<Dim> key) {
    if (key.level() >= options.finest || too_many() || !may_split(key) ||
        criterion(domain.leaf(key)) <= key.level())
      return false;
    splits.fetch_add(1, std::memory_order_relaxed);
    return true;
  };
  expand<Dim>(tree.keys(), wants_finer, keys, 1024);
  if (too_many()) return false;

  // A family is asked once only: in the first pass, or when one of it has just come about by merging.
  // Meanwhile `merged` holds the leaves of the pass before.
  Buffer<Key<Dim>> merged;
  Buffer<std::uint32_t> origin;
  bool first_pass = true;
  auto is_new = [&](std::size_t i) { return keys[i].level() < merged[origin[i]].level(); };
  auto may_merge = [&](std::size_t i, Key<Dim> parent) {
    bool ask = first_pass;
    for (std::size_t c = 0; c < child_count<Dim> && !ask; ++c) ask = is_new(i + c);
    if (!ask) return false;
    Leaf<Dim> wide = domain.leaf(parent);
    wide.reach += options.hysteresis * 0.5 * wide.size;
    return keep(wide) <= parent.level();
  };
  while (merge_siblings(std::as_const(keys).view(), may_merge, merged, &origin) > 0) {
    keys.swap(merged);
    first_pass = false;
    if (options.one_level) break;
  }

  if (options.grading > 0) {
    Octree<Dim> graded(domain, std::move(keys));
    grade(graded, options.grading);
    keys = std::move(graded).take_leaves();
  }
  return true;
}

template <int Dim, class Criterion>
AdaptReport adapt(Grid<Dim>& grid, FieldSet<Dim>& fields, const Criterion& criterion,
                  const AdaptOptions& options = {}) {
  if (!(options.hysteresis >= 0) || options.grading < 0)
    throw InputError("hysteresis and grading cannot be negative: {} cells, {} levels",
                     options.hysteresis, options.grading);
  const Stopwatch watch;
  AdaptReport report;
  report.leaves_before = grid.tree().leaf_count();
  Buffer<Key<Dim>>& keys = grid.spare_keys();
  if (!adapted_leaves(grid.tree(), criterion, criterion, options, keys))
    throw InputError("the criterion asks for more than {} new leaves", options.most_new);
  report.leaves_after = keys.size();
  report.changed =
      !std::equal(keys.begin(), keys.end(), grid.tree().keys().begin(), grid.tree().keys().end());
  if (report.changed)
    grid.replace([&](const Mesh<Dim>& from, const Mesh<Dim>& to) {
      fields.transfer(Transfer<Dim>(from, to));
    });
  report.seconds = watch.seconds();
  return report;
}

}  // namespace octavo
