#pragma once

// These change a tree: by marks on its leaves, and so that neighbours do not differ too much.

#include <functional>

#include "octavo/tree/octree.h"

namespace octavo {

enum class Mark : std::int8_t { coarsen = -1, keep = 0, refine = 1 };

// This splits the leaves marked `refine` once, and replaces blocks of 2^Dim sibling leaves that are all
// marked `coarsen` by their parent.
template <int Dim>
void change(Octree<Dim>& tree, View<const Mark> marks);

// This refines as little as possible until leaves that touch (share a face, an edge or a corner) differ
// by at most `limit` >= 1 levels.
template <int Dim>
void grade(Octree<Dim>& tree, int limit);

// This is the largest difference in level between two leaves that touch.
template <int Dim>
int largest_jump(const Octree<Dim>& tree);

// This is true if leaf i is the first of 2^Dim siblings that are all leaves: then they stand at i, i+1, ...
template <int Dim>
bool starts_family(View<const Key<Dim>> keys, std::size_t i) {
  constexpr std::size_t last = child_count<Dim> - 1;
  const Key<Dim> key = keys[i];
  if (key.level() == 0 || key.digit() != 0 || i + last >= keys.size()) return false;
  return keys[i + last] == key.parent().child(last);
}

// This replaces sibling blocks by their parents where merge(first_leaf, parent_key) is true, and
// returns how many there were. If any, `out` holds the new leaves and origin[i], if asked for, says at
// which old leaf new leaf i starts; if none, both are left alone.
template <int Dim, class Merge>
std::size_t merge_siblings(View<const Key<Dim>> keys, Merge&& merge, Buffer<Key<Dim>>& out,
                           Buffer<std::uint32_t>* origin = nullptr) {
  const std::size_t n = keys.size();
  Buffer<std::uint8_t> merged(n);
  const std::size_t blocks = parallel_reduce(
      "find sibling blocks", n, std::size_t{0},
      [&](std::size_t i) {
        merged[i] = starts_family(keys, i) && merge(i, keys[i].parent());
        return std::size_t{merged[i]};
      },
      std::plus<>());
  if (blocks == 0) return 0;

  // A leaf of a merged family vanishes unless it is the first, which becomes the parent.
  auto vanishes = [&](std::size_t i) {
    const auto digit = keys[i].level() == 0 ? 0u : static_cast<std::size_t>(keys[i].digit());
    return digit > 0 && digit <= i && merged[i - digit] != 0;
  };
  Buffer<std::uint32_t> place(n);
  parallel_for("mark kept leaves", n, [&](std::size_t i) { place[i] = vanishes(i) ? 0 : 1; });
  const std::size_t count = exclusive_scan("number kept leaves", place.view());
  out.resize(count);
  if (origin != nullptr) origin->resize(count);
  parallel_for("compact leaves", n, [&](std::size_t i) {
    if (vanishes(i)) return;
    out[place[i]] = merged[i] != 0 ? keys[i].parent() : keys[i];
    if (origin != nullptr) (*origin)[place[i]] = static_cast<std::uint32_t>(i);
  });
  return blocks;
}

}  // namespace octavo
