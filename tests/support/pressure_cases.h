#pragma once

// Boxes of fluid that a pressure solver has to be equally good at: trees with and without jumps,
// solids large and small, thin plates, free surfaces, a long tube. In 3D, of a given finest level.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/pressure_problem.h"
#include "support/pressure_shapes.h"

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

// One plate without thickness, in the plane of leaves' faces.
inline Distance zero_plate(double h) {
  return [=](const Vec3d& x) {
    return std::max(std::abs(x[2] - std::floor(0.37 / h) * h) - 0.01 * h, x[0] - 0.8);
  };
}

inline std::vector<PressureCase> pressure_cases(int finest) {
  const double h = std::ldexp(1.0, -finest);
  const auto of = [h](double (*shape)(const Vec3d&, double)) -> Distance {
    return [=](const Vec3d& x) { return shape(x, h); };
  };
  const Distance ball = of(shapes::ball), drop = of(shapes::drop), bead = of(shapes::bead);
  const Distance plates = of(shapes::plates), many_balls = of(shapes::many_balls);
  const Distance pool = of(shapes::pool), sheet = of(shapes::sheet);
  const Domain<3> tube = shapes::tube();

  const auto near = [&](const Distance& d, double reach) {
    return refine_near(d, finest, 2, reach);
  };
  const Refine at_ball = near(ball, 1), at_pool = near(pool, 1.5);
  const Refine at_bead = refine_near(bead, finest, finest - 4, 1);
  const Distance half_full = [](const Vec3d& x) { return x[0] + 0.3 * x[2] - 0.6137; };
  return {
      {"closed box", at_ball, {}, {}},
      {"open box", at_ball, {}, {}, Wall::open},
      {"jumps of 8:1", refine_patches(finest), {}, {}},
      {"sphere", at_ball, {}, ball},
      {"plates", near(plates, 1), {}, plates, Wall::closed, {}, true},
      {"plate without thickness", near(zero_plate(h), 1), {}, zero_plate(h)},
      {"many balls", near(many_balls, 0.9), {}, many_balls},
      {"pool", at_pool, pool, {}},
      {"drop", near(drop, 1.5), drop, {}},
      {"sheet", near(sheet, 1.5), sheet, {}},
      {"pool with sphere", [=](const Leaf<3>& l) { return at_pool(l) || at_ball(l); }, pool, ball},
      {"closed tube", at_bead, {}, bead, Wall::closed, tube},
      {"open tube", at_bead, {}, bead, Wall::open, tube},
      {"tube half full",
       refine_near(half_full, finest, finest - 4, 1.5),
       half_full,
       {},
       Wall::closed,
       tube},
  };
}

template <class Real>
void set_open_area(PressureProblem<3, Real>& p, const Distance& solid, bool voxels) {
  const MeshView<3> m = p.mesh.view();
  p.on_faces(p.open_area, [&](FaceId f) {
    return voxels ? shapes::open_voxel_face(m, f, solid) : shapes::open_part(m, f, solid);
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
    return shapes::stirring(m.center(f), m.axis(f)) + 0.1 * (random.uniform(f) - 0.5);
  });
}

}  // namespace octavo::test
