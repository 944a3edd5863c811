#pragma once

// The level set inside of solids, where there is neither liquid nor air, is what goes on there from outside: linearly, so
// that rows of the pressure and curvatures beside a solid see the surface go straight on into it; or, if there is a
// contact angle theta (measured through the liquid), with the slope mirrored at the solid's surface, whose normal out of
// the solid is n,
//
//   g' = g + 2 (|g| cos theta - g.n) n,      limited to |g'.n| <= |g|,
//
// so that half-way between the two the surface stands at theta. Where it does so already, that is the linear one.
// Nodes inside are reached in the order of their depth, each from the known neighbours that are less deep, with their
// slopes and weights as in extrapolation.h. Through the walls of the box distances are linear as they are.

#include <optional>

#include "octavo/level_set/distance_band.h"
#include "octavo/level_set/distance_order.h"

namespace octavo {

struct SolidContinuationParameters {
  std::optional<double> contact_angle{};  // radians, 0 to pi
  DistanceBand band{};                    // how deep; nodes that are deeper keep what they have
};

template <int Dim, class Real>
class SolidContinuation {
 public:
  // `solid` is the signed distance to the solids at the nodes, negative inside. The result is how many nodes have got a
  // value.
  std::size_t operator()(const Mesh<Dim>& mesh, const NodeField<Real>& solid, NodeField<Real>& phi,
                         const SolidContinuationParameters& parameters = {});

  std::size_t bytes() const {
    return graph_.bytes() + order_.bytes() + depth_.bytes() + slope_.bytes() + known_.bytes();
  }

 private:
  struct Kernel;

  NodeGraph<Dim> graph_;
  DistanceOrder<Dim, Real> order_;
  Buffer<Real> depth_;
  Buffer<Vec<Dim>> slope_;
  Buffer<std::uint8_t> known_;
};

extern template class SolidContinuation<2, float>;
extern template class SolidContinuation<2, double>;
extern template class SolidContinuation<3, float>;
extern template class SolidContinuation<3, double>;

}  // namespace octavo
