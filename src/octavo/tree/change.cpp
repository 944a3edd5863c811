#include "octavo/tree/change.h"

#include "octavo/tree/surroundings.h"

namespace octavo {

template <int Dim>
void change(Octree<Dim>& tree, View<const Mark> marks) {
  if (marks.size() != tree.leaf_count())
    throw InputError("{} marks were given for {} leaves", marks.size(), tree.leaf_count());
  auto all_coarsen = [=](std::size_t first, Key<Dim>) {
    for (std::size_t c = 0; c < child_count<Dim>; ++c)
      if (marks[first + c] != Mark::coarsen) return false;
    return true;
  };
  Buffer<Key<Dim>> merged;
  Buffer<std::uint32_t> origin;
  const bool any = merge_siblings(tree.keys(), all_coarsen, merged, &origin) > 0;
  const View<const Key<Dim>> kept = any ? std::as_const(merged).view() : tree.keys();

  Buffer<std::uint32_t> place(kept.size());
  auto splits = [&](std::size_t i) {
    return marks[any ? origin[i] : i] == Mark::refine && kept[i].level() < max_level;
  };
  parallel_for("count children", kept.size(), [&](std::size_t i) {
    place[i] = splits(i) ? static_cast<std::uint32_t>(child_count<Dim>) : 1u;
  });
  Buffer<Key<Dim>> keys(exclusive_scan("number children", place.view()));
  parallel_for("write children", kept.size(), [&](std::size_t i) {
    if (!splits(i))
      keys[place[i]] = kept[i];
    else
      for (int c = 0; c < child_count<Dim>; ++c)
        keys[place[i] + static_cast<std::size_t>(c)] = kept[i].child(c);
  });
  tree.replace(keys);
}

// This counts how many levels the leaves of `cell` that touch its corner or side or edge facing `direction`
// (as seen from a cell it surrounds) go below the cell itself; it looks no further than `limit`.
template <int Dim>
static int depth_facing(const OctreeView<Dim>& tree, Cell cell, int direction, int limit) {
  if (!cell.is_branch() || limit == 0) return 0;
  int depth = 0;
  for (int c = 0; c < child_count<Dim>; ++c) {
    bool faces = true;
    for (int a = 0; a < Dim; ++a) {
      const int place = direction / power_of_3(a) % 3;
      faces = faces && (place == 1 || ((c >> a) & 1) == (place == 0 ? 1 : 0));
    }
    if (faces)
      depth = std::max(
          depth, 1 + depth_facing(tree, tree.child_of(cell.branch(), c), direction, limit - 1));
  }
  return depth;
}

template <int Dim>
static int jump_at(const ColleaguesView<Dim>& around, LeafId leaf, int limit) {
  const LeafSurroundings<Dim> surroundings(around, leaf);
  int jump = 0;
  for (int d = 0; d < direction_count<Dim>; ++d)
    jump = std::max(jump, depth_facing(around.tree, surroundings.cell(d), d, limit));
  return jump;
}

template <int Dim>
void grade(Octree<Dim>& tree, int limit) {
  if (limit < 1) throw InputError("the grading limit must be at least 1, not {}", limit);
  limit = std::min(limit, max_level);
  Colleagues<Dim> colleagues;
  for (bool again = true; again;) {
    colleagues.build(tree);
    const auto around = colleagues.view(tree);
    Buffer<Mark> marks(tree.leaf_count());
    const View<Mark> mark = marks.view();
    const double found = parallel_sum("find jumps", tree.leaf_count(), [=](std::size_t i) {
      const bool split = jump_at(around, LeafId(i), limit + 1) > limit;
      mark[i] = split ? Mark::refine : Mark::keep;
      return split ? 1.0 : 0.0;
    });
    again = found > 0;
    if (again) change<Dim>(tree, mark);
  }
}

template <int Dim>
int largest_jump(const Octree<Dim>& tree) {
  Colleagues<Dim> colleagues;
  colleagues.build(tree);
  const auto around = colleagues.view(tree);
  return static_cast<int>(parallel_max("largest jump", tree.leaf_count(), 0, [=](std::size_t i) {
    return static_cast<double>(jump_at(around, LeafId(i), max_level));
  }));
}

template void change(Octree<2>&, View<const Mark>);
template void change(Octree<3>&, View<const Mark>);
template void grade(Octree<2>&, int);
template void grade(Octree<3>&, int);
template int largest_jump(const Octree<2>&);
template int largest_jump(const Octree<3>&);

}  // namespace octavo
