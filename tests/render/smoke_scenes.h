#pragma once

// Smoke on octrees, for tests of what it looks like.

#include "octavo/mesh/grid.h"
#include "octavo/mesh/interpolate.h"
#include "octavo/render/smoke_medium.h"

namespace octavo::test {

// An octree with smoke on it.
struct Smoke {
  explicit Smoke(Octree<3> tree) : grid(std::move(tree)), density(grid.mesh()) {}
  template <class F>
  Smoke(Octree<3> tree, F&& f) : Smoke(std::move(tree)) {
    for (std::size_t n = 0; n < density.size(); ++n)
      density[NodeId(n)] = static_cast<float>(f(grid.mesh().view().position(NodeId(n))));
    constrain(grid.mesh(), density);
  }
  SmokeField field() const { return {&grid.mesh(), density.view(), {}}; }

  Grid<3> grid;
  NodeField<float> density;
};

inline const Surfaces no_surfaces;
inline constexpr Sky dark{.zenith = {}, .horizon = {}, .below = {}};

inline Octree<3> uniform(const Domain<3>& domain, int level) {
  return Octree<3>::build(domain, [=](const Leaf<3>& l) { return l.level < level; });
}

inline Smoke even(int level = 4) {
  return Smoke(uniform({}, level), [](const Vec3d&) { return 1.0; });
}

}  // namespace octavo::test
