#pragma once

// Fast marching (Tsitsiklis 1995; Sethian 1996) on the nodes of an unrestricted octree, as Losasso, Gibou, Fedkiw 2004,
// section 6, have it. With the nearest values d_a already known on either side of each axis, at distances h_a, a node
// solves
//
//   sum over axes of ((d - d_a) / h_a)^2 = 1,     d_a <= d for all axes that count;
//
// the nearest of the nodes solved is known next. At T-junctions directions without a neighbour are ignored, so that
// distances are of first order, and those to a plane are not exact there. The two sides of the surface are marched by
// two threads.

#include <vector>

#include "octavo/level_set/distance_band.h"
#include "octavo/level_set/surface_patches.h"

namespace octavo {

template <int Dim, class Real>
class FastMarching {
 public:
  // The nodes that have patches begin. The result is how far nodes are from the surface, infinite beyond the band.
  void march(const NodeGraphView<Dim>& graph, const SurfacePatchesView<Dim, Real>& patches,
             View<const Real> phi, const DistanceBand& band);

  View<const double> view() const { return distance_.view(); }
  std::size_t bytes() const { return distance_.bytes() + known_.bytes(); }

 private:
  struct Trial {
    double distance;
    NodeId node;
    // A heap has its greatest on top: the nearest, and of equals the one of the lowest number.
    friend bool operator<(const Trial& p, const Trial& q) {
      return p.distance > q.distance || (p.distance == q.distance && p.node > q.node);
    }
  };
  struct Side;

  Buffer<double> distance_;
  Buffer<std::uint8_t> known_;
  std::vector<Trial> heap_[2];
};

extern template class FastMarching<2, float>;
extern template class FastMarching<2, double>;
extern template class FastMarching<3, float>;
extern template class FastMarching<3, double>;

}  // namespace octavo
