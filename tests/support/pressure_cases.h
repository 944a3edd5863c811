#pragma once

// Boxes of fluid that a pressure solver has to be equally good at: trees with and without jumps,
// solids large and small, thin plates, free surfaces, a long tube. In 3D, of a given finest level.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/pressure_problem.h"

namespace octavo::test {

using Distance = std::function<double(const Vec3d&)>;  // negative inside

using Refine = std::function<bool(const Leaf<3>&)>;

struct PressureCase {
  std::string name;
  Refine refine;
  Distance liquid, solid;  // empty: all of the box, none
  Wall wall = Wall::closed;
  Domain<3> domain = {};
  bool voxels = false;  // leaves whose centre is inside the solid are solid, instead of open areas
};

// Leaves as small as `finest` where |distance| < reach * size, none larger than `coarsest`.
inline Refine refine_near(Distance distance, int finest, int coarsest, double reach) {
  return [=](const Leaf<3>& l) {
    return l.level < coarsest ||
           (l.level < finest && std::abs(distance(l.center)) < reach * l.size);
  };
}

// Every seventh leaf or so of a coarse level is filled with the finest: jumps of 8:1.
inline Refine refine_patches(int finest) {
  const Random random(3);
  return [=](const Leaf<3>& l) {
    if (l.level < finest - 3) return true;
    return l.level < finest && (l.level > finest - 3 || cell_noise(random, l) < 0.15);
  };
}

// Three plates one finest leaf thick that reach in from two sides by turns.
inline Distance plates(double h) {
  return [=](const Vec3d& x) {
    double d = 1;
    for (int k = 0; k < 3; ++k) {
      const double z = (std::floor((0.2 + 0.27 * k) / h) + 0.5) * h;
      const double end = k % 2 == 1 ? x[0] - 0.7 : 0.3 - x[0];
      d = std::min(d, std::max(std::abs(x[2] - z) - 0.5 * h, end));
    }
    return d;
  };
}

// One plate without thickness, in the plane of leaves' faces.
inline Distance zero_plate(double h) {
  return [=](const Vec3d& x) {
    return std::max(std::abs(x[2] - std::floor(0.37 / h) * h) - 0.01 * h, x[0] - 0.8);
  };
}

// 6 x 6 x 6 spheres.
inline double many_spheres(const Vec3d& x) {
  Vec3d y = x * 6.0;
  for (int a = 0; a < 3; ++a) y[a] -= std::floor(y[a]) + 0.5;
  return (length(y) - 0.3) / 6;
}

inline std::vector<PressureCase> pressure_cases(int finest) {
  const double h = std::ldexp(1.0, -finest);
  const Distance ball = [](const Vec3d& x) { return length(x - Vec3d{0.5, 0.5, 0.4}) - 0.22; };
  const Distance drop = [](const Vec3d& x) { return length(x - Vec3d{0.5, 0.5, 0.5}) - 0.3; };
  const Distance pool = [](const Vec3d& x) {
    return x[2] - 0.5637 - 0.02 * std::sin(9 * x[0]) * std::cos(7 * x[1]);
  };
  const Distance sheet = [=](const Vec3d& x) { return std::abs(pool(x)) - 1.3 * h; };
  const Distance bead = [](const Vec3d& x) { return length(x - Vec3d{0.5, 0.005, 0.005}) - 0.003; };
  Domain<3> tube;
  tube.roots = {100, 1, 1};
  tube.root_size = 0.01;

  const auto near = [&](const Distance& d, double reach) {
    return refine_near(d, finest, 2, reach);
  };
  const Refine at_ball = near(ball, 1), at_pool = near(pool, 1.5);
  const Refine at_bead = refine_near(bead, finest, finest - 4, 1);
  return {
      {"closed box", at_ball, {}, {}},
      {"open box", at_ball, {}, {}, Wall::open},
      {"jumps of 8:1", refine_patches(finest), {}, {}},
      {"sphere", at_ball, {}, ball},
      {"plates", near(plates(h), 1), {}, plates(h), Wall::closed, {}, true},
      {"plate without thickness", near(zero_plate(h), 1), {}, zero_plate(h)},
      {"many spheres", near(many_spheres, 0.9), {}, many_spheres},
      {"pool", at_pool, pool, {}},
      {"drop", near(drop, 1.5), drop, {}},
      {"sheet", near(sheet, 1.5), sheet, {}},
      {"pool with sphere", [=](const Leaf<3>& l) { return at_pool(l) || at_ball(l); }, pool, ball},
      {"closed tube", at_bead, {}, bead, Wall::closed, tube},
      {"open tube", at_bead, {}, bead, Wall::open, tube},
  };
}

// The part of a face outside a solid, from 4 x 4 points; or all or nothing, by leaves.
template <class Real>
void set_open_area(PressureProblem<3, Real>& p, const Distance& solid, bool voxels) {
  const MeshView<3> m = p.mesh.view();
  auto is_solid = [&](LeafId leaf) { return !leaf.is_none() && solid(m.tree.center(leaf)) < 0; };
  p.on_faces(p.open_area, [&](FaceId f) {
    if (voxels) return is_solid(m.face_leaf[f].low) || is_solid(m.face_leaf[f].high) ? 0.0 : 1.0;
    const int a = m.axis(f);
    const double h = m.size(f);
    int open = 0;
    for (int i = 0; i < 16; ++i) {
      Vec3d x = m.center(f);
      x[(a + 1) % 3] += h * ((i % 4 + 0.5) / 4 - 0.5);
      x[(a + 2) % 3] += h * ((i / 4 + 0.5) / 4 - 0.5);
      open += solid(x) >= 0 ? 1 : 0;
    }
    return open / 16.0;
  });
}

template <class Real>
std::unique_ptr<PressureProblem<3, Real>> make_problem(const PressureCase& c) {
  auto p = std::make_unique<PressureProblem<3, Real>>(Octree<3>::build(c.domain, c.refine));
  p->wall.fill(c.wall);
  if (c.solid) set_open_area(*p, c.solid, c.voxels);
  if (c.liquid)
    p->on_leaves(p->level_set, [&](LeafId l) { return c.liquid(p->tree.view().center(l)); });
  return p;
}

// A smooth flow with a tenth of noise, at rest on closed walls.
template <class Real>
FaceField<Real> stirred_velocity(const PressureProblem<3, Real>& p) {
  const MeshView<3> m = p.mesh.view();
  const Random random(7);
  return p.face_field([&](FaceId f) {
    if (m.is_wall(f) && p.wall[0] == Wall::closed) return 0.0;
    const Vec3d x = m.center(f);
    const int a = m.axis(f);
    return std::sin(3 * x[0] + a) * std::cos(2 * x[1] + a) + std::sin(2.5 * x[2]) +
           0.1 * (random.uniform(f) - 0.5);
  });
}

}  // namespace octavo::test
