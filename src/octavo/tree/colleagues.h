#pragma once

// Colleagues tell which cells of equal size surround a cell.
//
// Every branch gets a row of 3^Dim cells, itself in the middle: for each direction the cell of its
// own size there, or the leaf that covers that place, or nothing outside the box. A child's
// neighbour is a sibling or a child of its parent's neighbour, so rows are filled level by level
// from the roots, and the neighbour of a leaf in any direction costs two loads, whatever the depth
// of the tree.
//
// Directions are numbered in base 3, one digit per axis, x lowest: 0 before, 1 same, 2 after.

#include <array>

#include "octavo/tree/octree.h"

namespace octavo {

template <int Dim>
inline constexpr int direction_count = Dim == 2 ? 9 : 27;

template <int Dim>
inline constexpr int center_direction = direction_count<Dim> / 2;

constexpr int power_of_3(int n) { return n == 0 ? 1 : 3 * power_of_3(n - 1); }

// This is the direction straight across a side.
template <int Dim>
constexpr int side_direction(int side) {
  return center_direction<Dim> + (side % 2 == 0 ? -1 : 1) * power_of_3(side / 2);
}

// This is the direction from the octant `from` around a point to the octant `to` (bit a: upper side of axis a).
template <int Dim>
constexpr int octant_direction(int from, int to) {
  int direction = center_direction<Dim>;
  for (int a = 0; a < Dim; ++a) direction += (((to >> a) & 1) - ((from >> a) & 1)) * power_of_3(a);
  return direction;
}

namespace detail {

struct ColleagueStep {
  std::uint8_t parent_direction, digit;
};

// This tells where the neighbour of child `digit` in a direction is to be found: in which neighbour of
// the parent, and as which of its children.
template <int Dim>
constexpr auto colleague_steps() {
  std::array<std::array<ColleagueStep, direction_count<Dim>>, child_count<Dim>> steps{};
  for (int digit = 0; digit < child_count<Dim>; ++digit)
    for (int direction = 0; direction < direction_count<Dim>; ++direction) {
      int parent_direction = 0, other = 0;
      for (int a = 0; a < Dim; ++a) {
        const int place = ((digit >> a) & 1) + direction / power_of_3(a) % 3 - 1;  // -1, 0, 1 or 2
        parent_direction += (place < 0 ? 0 : place < 2 ? 1 : 2) * power_of_3(a);
        other |= (place & 1) << a;
      }
      steps[static_cast<std::size_t>(digit)][static_cast<std::size_t>(direction)] = {
          static_cast<std::uint8_t>(parent_direction), static_cast<std::uint8_t>(other)};
    }
  return steps;
}

template <int Dim>
inline constexpr auto colleague_step = colleague_steps<Dim>();

}  // namespace detail

template <int Dim>
struct ColleaguesView {
  OctreeView<Dim> tree;
  View<const Cell> row;       // direction_count for each branch
  View<const Cell> root_row;  // direction_count for each root cell

  // This is the neighbour of child `digit` of a branch.
  constexpr Cell of_child(BranchId parent, int digit, int direction) const {
    const auto step = detail::colleague_step<Dim>[static_cast<std::size_t>(digit)]
                                                 [static_cast<std::size_t>(direction)];
    const Cell c = row[std::size_t{parent} * direction_count<Dim> + step.parent_direction];
    return c.is_branch() ? tree.child_of(c.branch(), step.digit) : c;
  }
};

template <int Dim>
class Colleagues {
 public:
  void build(const Octree<Dim>& tree);
  ColleaguesView<Dim> view(const Octree<Dim>& tree) const {
    return {tree.view(), row_.view(), root_row_.view()};
  }
  std::size_t bytes() const { return row_.bytes() + root_row_.bytes(); }

 private:
  Buffer<Cell> row_, root_row_;
};

extern template class Colleagues<2>;
extern template class Colleagues<3>;

}  // namespace octavo
