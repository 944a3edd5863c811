#pragma once

// Validators speak in this way: a rule that is broken somewhere becomes a sentence.

#include <algorithm>
#include <string>

#include "octavo/base/parallel.h"

namespace octavo {

// This says "RULE (first at I). " for the smallest i in 0..n for which holds(i) is false; it is empty
// if there is none.
template <class Holds>
std::string first_breach(std::size_t n, const char* rule, Holds&& holds) {
  const std::size_t first = parallel_reduce(
      "validate", n, n, [&](std::size_t i) { return holds(i) ? n : i; },
      [](std::size_t x, std::size_t y) { return std::min(x, y); });
  return first == n ? std::string() : fmt::format("{} (first at {}). ", rule, first);
}

}  // namespace octavo
