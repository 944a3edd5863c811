#pragma once

// This finds which of many things are the same.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace octavo {

// This gives for every number in 0 .. count-1 the first one it is equal to: compare(i, j) is negative, zero
// or positive.
template <class Compare>
std::vector<std::uint32_t> first_of_equals(std::size_t count, const Compare& compare) {
  std::vector<std::uint32_t> order(count), first(count);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    const int c = compare(i, j);
    return c != 0 ? c < 0 : i < j;
  });
  for (std::size_t k = 0; k < count; ++k) {
    const bool same = k > 0 && compare(order[k], order[k - 1]) == 0;
    first[order[k]] = same ? first[order[k - 1]] : order[k];
  }
  return first;
}

}  // namespace octavo
