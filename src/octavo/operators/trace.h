#pragma once

// What the flow carries moves along paths: from a point back (or on) along a velocity for a time dt, by the
// midpoint rule (second-order Runge-Kutta),
//
//   x_half = x - dt/2 u(x),      x_back = x - dt u(x_half).
//
// The velocity is multilinear between nodal velocities, on the mesh they belong to; the point may be of
// any mesh. A path ends at closed walls and at solids; one that leaves through an open wall has come
// from outside. There is no bound on dt.

#include <array>

#include "octavo/mesh/interpolate.h"
#include "octavo/operators/flow_boundary.h"

namespace octavo {

template <int Dim>
struct OpenWalls {
  Box<Dim> box;
  std::array<bool, static_cast<std::size_t>(side_count<Dim>)> open{};

  constexpr bool is_outside(const Vec<Dim>& p) const {
    std::size_t side = 0;
    for (int a = 0; a < Dim; ++a, side += 2)
      if ((p[a] < box.lo[a] && open[side]) || (p[a] > box.hi[a] && open[side + 1])) return true;
    return false;
  }
};

// This is for flows without solids, where nothing ends a path.
template <int Dim>
struct NothingInTheWay {
  // This says where a path ends that goes from `start` to `end`, back through a time dt, or on if it is
  // negative; the leaf holds the point `near`, which is not far away.
  constexpr Vec<Dim> stop(LeafId, const Vec<Dim>& /*near*/, const Vec<Dim>& /*start*/,
                          const Vec<Dim>& end, double /*dt*/) const {
    return end;
  }
  // This moves a point away from what it is nearer to than the gap; the leaf holds the point `near`.
  constexpr Vec<Dim> keep_off(LeafId, const Vec<Dim>& /*near*/, const Vec<Dim>& point,
                              double /*gap*/) const {
    return point;
  }
};

// A tracer belongs to one thread; points that come along the curve are found fastest.
template <int Dim, class Real, class Obstacles = NothingInTheWay<Dim>>
class Tracer {
 public:
  Tracer(const MeshView<Dim>& mesh, View<const Vec<Dim, Real>> nodal_velocity,
         const OpenWalls<Dim>& walls, const Obstacles& obstacles)
      : mesh_(mesh),
        nodal_(nodal_velocity),
        walls_(walls),
        obstacles_(obstacles),
        start_(mesh.tree),
        half_way_(mesh.tree),
        end_(mesh.tree) {}

  // These find points in the velocity's mesh: at the beginning of a path, or at its end.
  [[gnu::always_inline]] LeafPoint<Dim, Real> locate_start(const Vec<Dim>& x) {
    return start_.template locate<Real>(x);
  }
  [[gnu::always_inline]] LeafPoint<Dim, Real> locate_end(const Vec<Dim>& x) {
    return end_.template locate<Real>(x);
  }

  constexpr Vec<Dim, Real> velocity(const Vec<Dim>& x) { return velocity(locate_start(x)); }

  // This is where what is at x, moving with velocity u there, was a time dt before; if dt
  // is negative, it is where that will be.
  [[gnu::always_inline]] Vec<Dim> back(const Vec<Dim>& x, const Vec<Dim, Real>& u, double dt) {
    const Vec<Dim> half = x - u.template cast<double>() * (0.5 * dt);
    const LeafPoint<Dim, Real> middle = half_way_.template locate<Real>(half);
    const Vec<Dim> path = velocity(middle).template cast<double>() * dt;
    return obstacles_.stop(middle.leaf, half, x, x - path, dt);
  }
  constexpr bool is_outside(const Vec<Dim>& x) const { return walls_.is_outside(x); }

 private:
  [[gnu::always_inline]] Vec<Dim, Real> velocity(const LeafPoint<Dim, Real>& at) const {
    return sample_in_leaf<Vec<Dim, Real>>(mesh_, nodal_, at.leaf, at.local);
  }

  const MeshView<Dim>& mesh_;
  View<const Vec<Dim, Real>> nodal_;
  const OpenWalls<Dim>& walls_;
  const Obstacles& obstacles_;
  Locator<Dim> start_, half_way_, end_;
};

}  // namespace octavo
