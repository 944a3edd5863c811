#pragma once

// Water at rest under a plane surface, level or tilted with gravity, on trees whose sizes jump across the surface;
// and what one projection does to it after gravity has pulled for a time step.

#include <string>

#include "octavo/operators/open_area.h"
#include "octavo/pressure/projection.h"
#include "support/pressure_problem.h"

namespace octavo::test {

// Cells of a base level are split at random for `jumps` more levels: each cell by itself (scattered), or whole blocks
// of the base level down to a level of their own.
enum class Scatter { cells, blocks };

template <int Dim>
Octree<Dim> jumping_tree(std::uint64_t seed, int base, int jumps,
                         Scatter scatter = Scatter::cells) {
  const Random random(seed);
  return Octree<Dim>::build({}, [=](const Leaf<Dim>& l) {
    if (l.level < base) return true;
    if (l.level >= base + jumps) return false;
    if (scatter == Scatter::cells) return cell_noise(random, l) < 0.5;
    Leaf<Dim> block = l;
    block.level = base;
    const double h = Domain<Dim>{}.size(base);
    for (int a = 0; a < Dim; ++a) block.center[a] = (std::floor(l.center[a] / h) + 0.5) * h;
    return l.level < base + static_cast<int>(cell_noise(random, block) * (jumps + 1));
  });
}

// The direction upward, tilted from the last axis towards the others.
template <int Dim>
Vec<Dim> tilted_up(double tilt, double turn = 0.7) {
  Vec<Dim> up{};
  up[Dim - 1] = std::cos(tilt);
  up[0] = std::sin(tilt) * (Dim == 2 ? 1 : std::cos(turn));
  if constexpr (Dim == 3) up[1] = std::sin(tilt) * std::sin(turn);
  return up;
}

// A plane surface; its distance from a point is negative in the water.
template <int Dim>
struct Plane {
  Vec<Dim> up;
  double height;  // at the middle of the unit box

  double operator()(const Vec<Dim>& x) const {
    return dot(up, x - Vec<Dim>::filled(0.5)) - (height - 0.5) * up[Dim - 1];
  }
};

// Open parts of faces from a solid's distance at their corners.
template <int Dim, class Real, class Solid>
void set_open_parts(PressureProblem<Dim, Real>& p, Solid&& solid) {
  const MeshView<Dim> m = p.mesh.view();
  p.on_faces(p.open_area, [&](FaceId f) {
    const double h = m.size(f);
    const int u = (m.axis(f) + 1) % Dim;
    auto at = [&](double i, double j) {
      Vec<Dim> x = m.center(f);
      x[u] += (i - 0.5) * h;
      if constexpr (Dim == 3) x[(m.axis(f) + 2) % Dim] += (j - 0.5) * h;
      return solid(x);
    };
    if constexpr (Dim == 2)
      return open_part(at(0, 0), at(1, 0));
    else
      return open_part(at(0, 0), at(1, 0), at(0, 1), at(1, 1));
  });
}

struct Rest {
  double speed;  // the largest on any face of the water, over g dt
  PressureReport report;
};

// One projection of u* = -g dt, along the plane's normal.
template <int Dim, class Real>
Rest project_at_rest(PressureProblem<Dim, Real>& p, const Plane<Dim>& plane, PressureScheme scheme,
                     double tolerance = 1e-12, bool knows_gravity = true) {
  const MeshView<Dim> m = p.mesh.view();
  constexpr double gravity = 9.81, time_step = 0.02;
  p.on_leaves(p.level_set, [&](LeafId l) { return plane(m.tree.center(l)); });
  p.gravity = plane.up * (knows_gravity ? -gravity : 0);
  FaceField<Real> u = p.face_field([&](FaceId f) {
    const bool open = p.open_area.empty() || p.open_area[f] > 0;
    return m.is_wall(f) || !open ? 0.0 : -gravity * time_step * plane.up[m.axis(f)];
  });
  LeafField<Real> pressure(p.mesh);
  const ProjectionOptions options{
      .time_step = time_step, .scheme = scheme, .stop = {.relative = tolerance}};
  Rest rest{0, Projection<Dim, Real>().project(p.mesh, p.boundary(), options, u, pressure)};
  const auto faces = p.faces(scheme);
  for (std::size_t i = 0; i < u.size(); ++i)
    if (faces.link(FaceId(i)).kind != FaceLink::none && !m.is_wall(FaceId(i)))
      rest.speed = std::max(rest.speed, std::abs(static_cast<double>(u[FaceId(i)])));
  rest.speed /= gravity * time_step;
  return rest;
}

inline std::string describe(const CutRowCounts& c) {
  return fmt::format("{} cut rows, {} large, {} degenerate, {} without partner, W up to {:.3g}",
                     c.cut, c.large, c.degenerate, c.without_partner, c.largest_weight);
}

}  // namespace octavo::test
