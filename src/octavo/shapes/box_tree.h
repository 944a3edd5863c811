#pragma once

// This sorts things, given by their boxes, into a tree of boxes: each box is cut where the surface-area heuristic
// promises the fewest visits (MacDonald and Booth 1990), tried at a few places along each axis (Wald 2007).

#include <cstdint>
#include <vector>

#include "octavo/base/vec.h"

namespace octavo {

struct BoxItem {
  Box<3> box;
  std::uint32_t index;
};

// The two halves of an inner box are the next one in the array and the one at `next`; the items of a
// last box start at `next`. Bounds are rounded outwards. A node has 32 bytes.
struct BoxNode {
  float lo[3];
  std::uint32_t next;
  float hi[3];
  std::uint32_t count;  // items; 0 for an inner box
};

// No path from the first box to a last one is longer, so a stack of this size serves every search.
inline constexpr int box_tree_depth = 96;

Box<3> bounds_of(const BoxItem* begin, const BoxItem* end);

// This reorders the items: those of a last box stand together.
std::vector<BoxNode> build_box_tree(std::vector<BoxItem>& items);

}  // namespace octavo
