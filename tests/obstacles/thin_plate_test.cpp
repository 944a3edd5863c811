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
      p.treatment = angle == 0.6 ? ObstacleTreatment::voxel : ObstacleTreatment::cut;
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
      const auto below_it = [=](const Vec<Dim>& x) { return is_below(x) ? 1.0 : 0.0; };
      start.values = {{"density", below_it}, {"temperature", below_it}};
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

// Of all nodes outside of a plate: none behind it has smoke, some before it have.
template <int Dim>
void expect_smoke_below_only(const Smoke<Dim>& smoke, const Shape<Dim>& wall,
                             const Vec<Dim>& middle, const Vec<Dim>& normal,
                             const std::string& what) {
  const MeshView<Dim> m = smoke.mesh().view();
  float below = 0;
  for (std::size_t i = 0; i < m.node_count(); ++i) {
    const Vec<Dim> x = m.position(NodeId(i));
    const float rho = smoke.density()[NodeId(i)];
    if (wall(x) < 0 || dot(x - middle, normal) > 0) {
      ASSERT_EQ(rho, 0) << what << " at " << x[0] << " " << x[1] << " " << x[Dim - 1];
    } else {
      below = std::max(below, rho);
    }
  }
  EXPECT_GT(below, 0.9F) << what;
}

// Plates that move by several times their thickness in a step push smoke before them, or leave it behind.
TYPED_TEST(PlateTest, NothingCrossesAPlateThatMovesFast) {
  constexpr int Dim = TestFixture::dim;
  const int level = Dim == 2 ? 6 : 4;
  const double h = 1.0 / (1 << level), dt = 0.05;
  for (const auto stepping : {TimeStepping::projection, TimeStepping::reflection})
    for (const auto scheme :
         {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack, AdvectionScheme::bfecc})
      for (const double cells : {2.3, -2.3, 0.0}) {
        Vec<Dim> lo = Vec<Dim>::filled(-2), hi = Vec<Dim>::filled(3);
        lo[Dim - 1] = 0.5;
        hi[Dim - 1] = 0.5 + h;
        const Vec<Dim> pivot = Vec<Dim>::filled(0.5);
        SteadyMotion<Dim> motion{.pivot = pivot};
        motion.velocity[Dim - 1] = cells * h / dt;
        if (cells == 0) {
          // The ends of it move by some cells.
          if constexpr (Dim == 2)
            motion.spin = 2.5;
          else
            motion.spin = {1.5, 2.0, 0};
        }
        SmokeParameters<Dim> p;
        p.advection = scheme;
        p.stepping = stepping;
        p.walls.fill(Wall::open);
        p.refinement.min_level = 2;
        p.refinement.max_level = level;
        p.refinement.rules = {{.by = RefineBy::objects}};
        p.obstacles.push_back({.shape = box_shape<Dim>(lo, hi), .motion = Motion<Dim>(motion)});
        Smoke<Dim> smoke(Domain<Dim>{}, p);
        typename Smoke<Dim>::Start start;
        start.values["density"] = [=](const Vec<Dim>& x) {
          return x[Dim - 1] < 0.5 + 0.5 * h ? 1.0 : 0.0;
        };
        smoke.start(start);
        for (int s = 1; s <= (Dim == 2 ? 5 : 3); ++s) {
          smoke.step(dt);
          const Pose<Dim> pose = p.obstacles[0].motion.pose(smoke.time());
          Vec<Dim> up{}, middle = pivot;
          up[Dim - 1] = 1;
          middle[Dim - 1] += 0.5 * h;
          ASSERT_NO_FATAL_FAILURE(expect_smoke_below_only(
              smoke, moved(p.obstacles[0].shape, pose), pose.apply(middle), pose.turned(up),
              fmt::format("{}, {}, {} cells, step {}", name(stepping), name(scheme), cells, s)));
        }
      }
}

// Air that blows past a hot ball takes heat with it; past one without a temperature of its own none.
TYPED_TEST(PlateTest, HotObstaclesHeatTheAirBesideThem) {
  constexpr int Dim = TestFixture::dim;
  for (const bool hot : {true, false}) {
    SmokeParameters<Dim> p;
    p.walls.fill(Wall::open);
    p.ambient = 300;
    p.refinement.min_level = p.refinement.max_level = Dim == 2 ? 5 : 4;
    p.obstacles.push_back({.shape = sphere_shape<Dim>(Vec<Dim>::filled(0.5), 0.15)});
    if (hot) p.obstacles[0].temperature = 400;
    Smoke<Dim> smoke(Domain<Dim>{}, p);
    typename Smoke<Dim>::Start start;
    start.velocity = [](const Vec<Dim>&) { return test::point<Dim>(0.5, 0, 0); };
    smoke.start(start);
    for (int s = 0; s < 10; ++s) smoke.step(0.02);
    const MeshView<Dim> m = smoke.mesh().view();
    double before = 300, behind = 300;  // some cells away from the ball
    for (std::size_t i = 0; i < m.node_count(); ++i) {
      const Vec<Dim> x = m.position(NodeId(i));
      const double t = static_cast<double>(smoke.temperature()[NodeId(i)]);
      if (x[0] < 0.3) before = std::max(before, t);
      if (x[0] > 0.7) behind = std::max(behind, t);
    }
    EXPECT_NEAR(before, 300, 1e-3);
    if (hot) {
      EXPECT_GT(behind, 304);
      EXPECT_LT(behind, 400.001);
    } else {
      EXPECT_NEAR(behind, 300, 1e-3);
    }
  }
}

// Smoke close around a ball that flies with the wind stays around it.
TYPED_TEST(PlateTest, SmokeFliesAlongWithABall) {
  constexpr int Dim = TestFixture::dim;
  const int level = Dim == 2 ? 6 : 5;
  const double h = 1.0 / (1 << level), dt = 4 * h;
  for (const auto stepping : {TimeStepping::projection, TimeStepping::reflection}) {
    const Shape<Dim> ball = sphere_shape<Dim>(test::point<Dim>(0.3, 0.5, 0.5), 0.1);
    const Vec<Dim> wind = test::point<Dim>(1, 0, 0);
    SmokeParameters<Dim> p;
    p.stepping = stepping;
    p.walls.fill(Wall::open);
    p.refinement.min_level = p.refinement.max_level = level;
    Source<Dim> everywhere{.shape = box_shape<Dim>(Vec<Dim>::filled(-1), Vec<Dim>::filled(2))};
    everywhere.velocity = wind;
    p.sources.push_back(everywhere);
    p.obstacles.push_back(
        {.shape = ball, .motion = Motion<Dim>(SteadyMotion<Dim>{.velocity = wind})});
    Smoke<Dim> smoke(Domain<Dim>{}, p);
    typename Smoke<Dim>::Start start;
    const auto density = [=](const Vec<Dim>& x) {
      const double away = (ball(x) - h) / h;
      return std::exp(-away * away);
    };
    start.values["density"] = density;
    start.velocity = [=](const Vec<Dim>&) { return wind; };
    smoke.start(start);
    for (int s = 0; s < 3; ++s) smoke.step(dt);
    const MeshView<Dim> m = smoke.mesh().view();
    double error = 0, total = 0;
    for (std::size_t i = 0; i < m.node_count(); ++i) {
      const Vec<Dim> x = m.position(NodeId(i)) - wind * smoke.time();
      if (ball(x) < 0) continue;
      error += std::abs(static_cast<double>(smoke.density()[NodeId(i)]) - density(x));
      total += density(x);
    }
    EXPECT_LT(error, 0.02 * total) << name(stepping);
  }
}

// A disk that begins to spin in still air does not take along what is beside it.
TEST(Plate, ASpinningDiskLeavesSmokeWhereItIs) {
  const Vec<2> middle{0.5, 0.5};
  for (const auto scheme : {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack}) {
    SmokeParameters<2> p;
    p.advection = scheme;
    p.refinement.min_level = p.refinement.max_level = 6;
    p.obstacles.push_back({.shape = sphere_shape<2>(middle, 0.2),
                           .motion = Motion<2>(SteadyMotion<2>{.spin = 5, .pivot = middle})});
    Smoke<2> smoke(Domain<2>{}, p);
    Smoke<2>::Start start;
    const auto density = [=](const Vec<2>& x) {
      return 0.5 + 0.5 * std::cos(4 * std::atan2(x[1] - 0.5, x[0] - 0.5));
    };
    start.values["density"] = density;
    smoke.start(start);
    smoke.step(0.05);
    const MeshView<2> m = smoke.mesh().view();
    double change = 0;
    for (std::size_t i = 0; i < m.node_count(); ++i) {
      const Vec<2> x = m.position(NodeId(i));
      if (p.obstacles[0].shape(x) < 0) continue;
      change =
          std::max(change, std::abs(static_cast<double>(smoke.density()[NodeId(i)]) - density(x)));
    }
    EXPECT_LT(change, 1e-3) << name(scheme);
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
