#pragma once

// How far from the surface distances are wanted: so many metres, and so many of the largest leaves at a node or at the
// surface that is nearest to it, whichever is more.

#include <algorithm>
#include <limits>

#include "octavo/base/checks.h"

namespace octavo {

struct DistanceBand {
  double metres = 0;
  double leaves = 5;
  bool everywhere = false;  // then there is no end

  double reach(double leaf_size) const {
    return everywhere ? std::numeric_limits<double>::infinity()
                      : std::max(metres, leaves * leaf_size);
  }
  void check() const {
    check_not_negative("the band of distances, in metres,", metres);
    check_not_negative("the band of distances, in leaves,", leaves);
    if (!everywhere && metres == 0 && leaves < 2)
      throw InputError("the band of distances must be at least two leaves wide, not {}", leaves);
  }
};

}  // namespace octavo
