#pragma once

// A mark says which solid a node is inside of, and whether that one is hot (or cold) and gives its
// temperature to the air beside it. It is 0 outside of all.

#include <cstddef>
#include <cstdint>

namespace octavo {

using SolidMark = std::uint16_t;

inline constexpr std::size_t most_solids = 0x7fff;

constexpr SolidMark solid_mark(std::size_t index, bool hot) {
  return static_cast<SolidMark>((index + 1) | (hot ? 0x8000u : 0u));
}
constexpr bool is_hot(SolidMark mark) { return (mark & 0x8000u) != 0; }
constexpr std::size_t marked_index(SolidMark mark) { return (mark & 0x7fffu) - std::size_t{1}; }

}  // namespace octavo
