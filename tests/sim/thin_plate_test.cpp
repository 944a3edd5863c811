// Smoke stays out of solids, and on its side of a plate that is no thicker than a leaf.

#include <gtest/gtest.h>

#include "support/smoke_scene.h"

namespace octavo {
namespace {

template <class D>
class PlateTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(PlateTest, test::Dims);

// A plate through the middle of the box, at an angle, `thickness` thick; it reaches beyond the walls.
template <int Dim>
Shape<Dim> plate(double angle, double thickness) {
  Vec<Dim> lo = Vec<Dim>::filled(-2), hi = Vec<Dim>::filled(3);
  lo[Dim - 1] = 0.53;
  hi[Dim - 1] = 0.53 + thickness;
  Turn<Dim> turn{};
  if constexpr (Dim == 2)
    turn = angle;
  else
    turn = {0.7 * angle, angle, 0};
  return moved(box_shape<Dim>(lo, hi), Pose<Dim>::about(Vec<Dim>::filled(0.53), turn));
}

// Blown at a plate from below, with smoke everywhere below it.
TYPED_TEST(PlateTest, NothingCrossesAPlateAsThinAsALeaf) {
  constexpr int Dim = TestFixture::dim;
  const int level = Dim == 2 ? 6 : 4;
  const double h = 1.0 / (1 << level);
  // Refined along the plate, or across it only where the first smoke is, so that leaves of different
  // sizes meet in it.
  for (const auto scheme :
       {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack, AdvectionScheme::bfecc})
    for (const double angle : {0.0, 0.2, 0.6, -0.2}) {
      const Shape<Dim> wall = plate<Dim>(angle, angle < 0 ? 2 * h : h);
      SmokeParameters<Dim> p;
      p.advection = scheme;
      p.lift = 5;
      p.walls.fill(Wall::open);
      p.refinement.min_level = 2;
      p.refinement.max_level = level;
      p.refinement.rules = {{.by = RefineBy::objects}};
      if (angle < 0)
        p.refinement.rules = {
            {.by = RefineBy::objects, .level = level - 1},
            {.by = RefineBy::region, .region = sphere_shape<Dim>(Vec<Dim>::filled(0.45), 0.2)}};
      p.obstacles.push_back({.shape = wall});
      Smoke<Dim> smoke(Domain<Dim>{}, p);

      // Which side: below the middle of the plate, along its normal.
      const Vec<Dim> middle = Vec<Dim>::filled(0.53);
      const Vec<Dim> normal = [&] {
        Vec<Dim> above = middle;
        above[Dim - 1] += 10 * h;
        return wall.normal(above, 0.1 * h);
      }();
      auto is_below = [=](const Vec<Dim>& x) { return dot(x - middle, normal) < 0.5 * h; };
      typename Smoke<Dim>::Start start;
      start.density = [=](const Vec<Dim>& x) { return is_below(x) ? 1.0 : 0.0; };
      start.temperature = start.density;
      smoke.start(start);
      for (int s = 0; s < 12; ++s) smoke.step(0.05);

      const MeshView<Dim> m = smoke.mesh().view();
      double below = 0;
      for (std::size_t i = 0; i < m.node_count(); ++i) {
        const Vec<Dim> x = m.position(NodeId(i));
        const double rho = static_cast<double>(smoke.density()[NodeId(i)]);
        if (wall(x) < 0) {
          ASSERT_EQ(rho, 0);
        }
        if (wall(x) > 0 && !is_below(x)) {
          ASSERT_EQ(rho, 0) << name(scheme) << " " << angle;
        }
        if (is_below(x)) below = std::max(below, rho);
      }
      EXPECT_GT(below, 0.9);
      EXPECT_GT(test::largest_speed(smoke), 0.05);
    }
}

// A ball that flies into smoke stays clean, and has its own temperature; smoke is left around it.
TYPED_TEST(PlateTest, NothingEntersAMovingBall) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p = test::plume<Dim>(Dim == 2 ? 6 : 5);
  p.obstacles[0].motion =
      Motion<Dim>(SteadyMotion<Dim>{.velocity = test::point<Dim>(0.1, 0, -0.4)});
  p.obstacles[0].temperature = 0.25;
  Smoke<Dim> smoke(Domain<Dim>{}, p);
  for (int s = 0; s < 20; ++s) smoke.step(0.03);
  const MeshView<Dim> m = smoke.mesh().view();
  const Vec<Dim> center = test::point<Dim>(0.5 + 0.06, 0.5, 0.5 - 0.24);
  int inside = 0;
  for (std::size_t i = 0; i < m.node_count(); ++i)
    if (length(m.position(NodeId(i)) - center) < 0.1199) {
      ++inside;
      ASSERT_EQ(smoke.density()[NodeId(i)], 0);
      ASSERT_EQ(smoke.temperature()[NodeId(i)], 0.25F);
    }
  EXPECT_GT(inside, 20);
  int beside = 0;
  for (std::size_t i = 0; i < m.node_count(); ++i) {
    const double r = length(m.position(NodeId(i)) - center);
    beside += r > 0.12 && r < 0.16 && smoke.density()[NodeId(i)] > 0.1F;
  }
  EXPECT_GT(beside, 5);
}

}  // namespace
}  // namespace octavo
