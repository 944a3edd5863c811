#pragma once

// The reasons say why the leaves of an octree are as fine as they are: each leaf has the criterion that set it,
// and each criterion the leaves that it asks for.
//
//   const RefinementReasons why = smoke.refinement_reasons();
//   for (const auto& c : why.criteria) fmt::print("{}: asked for {}, set {}\n", c.name, c.asked, c.set);

#include <cstdint>
#include <string>
#include <vector>

#include "octavo/base/buffer.h"

namespace octavo {

struct RefinementReasons {
  struct Criterion {
    std::string name;
    std::size_t asked = 0;  // leaves that it wants as fine as they are, or finer
    std::size_t set = 0;    // leaves whose level is its doing
  };
  std::vector<Criterion> criteria;
  Buffer<std::uint8_t> leaf;  // which of them set it
};

}  // namespace octavo
