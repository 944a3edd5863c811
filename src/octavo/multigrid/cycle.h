#pragma once

// A multigrid cycle visits the cells of a tree in this order, whatever its equation is: a matrix is relaxed,
// restricted and prolonged by methods of its own.
//
//   v_cycle(levels.size(), [&](std::size_t l) { ... }, [&](std::size_t l) { ... });
//   sweep_red_black(2, true, [&](int color, bool from_zero) { ... });

#include "octavo/multigrid/sibling_blocks.h"

namespace octavo {

// A cycle goes from the deepest level to the topmost one, and back.
template <class Descend, class Ascend>
void v_cycle(std::size_t levels, Descend&& descend, Ascend&& ascend) {
  for (std::size_t l = levels; l-- > 0;) descend(l);
  for (std::size_t l = 0; l < levels; ++l) ascend(l);
}

// The topmost level is nearly solved; levels that hold few of the cells get more sweeps, which costs little.
template <int Dim>
int sweeps_of(const std::vector<SiblingLevel>& levels, std::size_t level, std::size_t all_cells) {
  if (level == 0) return 8;
  const SiblingLevel& l = levels[level];
  return 4 * (l.end - l.begin) * child_count<Dim> <= all_cells ? 3 : 2;
}

// Downward a sweep begins from zero and with red, upward from what there is and
// with black, so that a cycle is symmetric.
template <class Relax>
void sweep_red_black(int sweeps, bool upward, Relax&& relax) {
  for (int half = 0; half < 2 * sweeps; ++half) {
    const int color = (half % 2 == 0) != upward ? 0 : 1;
    const bool from_zero = !upward && half == 0;
    relax(color, from_zero);
  }
}

// Calls f(sibling block) for the sibling blocks of a level that are active.
template <class F>
void for_each_active(const char* label, const SiblingLevel& level, View<const std::uint8_t> active,
                     F&& f) {
  parallel_blocks(
      label, level.end - level.begin,
      [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = level.begin + begin; i < level.begin + end; ++i)
          if (active[i] != 0) f(i);
      },
      sibling_blocks_at_once);
}

}  // namespace octavo
