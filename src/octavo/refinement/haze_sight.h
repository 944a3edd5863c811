#pragma once

// Smoke hides what is behind it: a ray goes through haze until so little of its light is left that nothing behind is
// seen. By Beer and Lambert light falls by exp(-optical depth), the integral of extinction times haze.

#include <cmath>
#include <limits>

#include "octavo/camera/octree_walk.h"
#include "octavo/refinement/view_parameters.h"
#include "octavo/refinement/visibility.h"

namespace octavo {

class HazeSight {
 public:
  HazeSight(const Mesh<3>& mesh, View<const Visibility> visibility, const ViewParameters& p)
      : visibility_(visibility),
        extinction_(p.extinction),
        most_(-std::log(p.transmittance)),
        occupied_(occupancy(mesh.tree(),
                            [this](LeafId leaf) -> std::uint8_t { return hides(leaf) > 0; })),
        walk_(mesh.tree().view(), occupied_) {}

  double operator()(const Ray& ray, const Span& span) const {
    double depth = 0, end = std::numeric_limits<double>::infinity();
    walk_.along(ray, span, [&](const OctreeWalk::LeafCrossing& p) {
      const double rate = extinction_ * hides(p.leaf), more = rate * (p.to - p.from);
      if (depth + more > most_) {
        end = p.from + (most_ - depth) / rate;
        return false;
      }
      depth += more;
      return true;
    });
    return end;
  }

 private:
  double hides(LeafId leaf) const { return visibility_[leaf].hides; }

  View<const Visibility> visibility_;
  double extinction_, most_;
  Occupancy occupied_;
  OctreeWalk walk_;
};

}  // namespace octavo
