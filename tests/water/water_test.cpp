// What a step of water does, as physics has it.

#include <gtest/gtest.h>

#include "water/water_cases.h"

namespace octavo {
namespace {

template <class D>
class WaterTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(WaterTest, test::Dims);

constexpr double gravity = 9.81;

// Still water stays still, though its surface is where no node is, and leaves differ below it.
TYPED_TEST(WaterTest, StaysAtRest) {
  constexpr int Dim = TestFixture::dim;
  constexpr double height = 0.5637;
  for (const TimeStepping stepping : {TimeStepping::projection, TimeStepping::reflection}) {
    SCOPED_TRACE(name(stepping));
    WaterParameters<Dim> p = test::pool_parameters<Dim>(Dim == 2 ? 6 : 4);
    p.stepping = stepping;
    p.stop = {.relative = 1e-12, .max_iterations = 100};
    Water<Dim, double> water(Domain<Dim>{}, p, test::pool<Dim>(height));
    EXPECT_NEAR(water.volume().total(), height, 1e-9);
    for (int s = 0; s < (test::sanitized ? 2 : 10); ++s) water.step(0.02);
    EXPECT_LT(test::fastest_in_liquid(water), 1e-5 * std::sqrt(gravity * height));
    EXPECT_NEAR(water.volume().total(), height, 1e-6);
  }
}

// A drop falls along its parabola and stays round; the air does not hold it.
TYPED_TEST(WaterTest, ADropFallsFreely) {
  constexpr int Dim = TestFixture::dim;
  Vec<Dim> center = Vec<Dim>::filled(0.5);
  center[Dim - 1] = 0.7;
  Water<Dim> water(Domain<Dim>{}, test::pool_parameters<Dim>(Dim == 2 ? 6 : 5),
                   test::ball<Dim>(center, 0.15));
  const double volume = water.volume().total();
  const int steps = test::sanitized ? 2 : 12;
  constexpr double dt = 0.02;
  for (int s = 0; s < steps; ++s) water.step(dt);
  // Gravity acts at the end of each step.
  const double fallen = 0.5 * gravity * dt * dt * steps * (steps - 1);
  const Vec<Dim> middle = test::center_of_mass(water);
  EXPECT_NEAR(middle[Dim - 1], center[Dim - 1] - fallen, 0.01 * fallen + 1e-4);
  EXPECT_NEAR(middle[0], center[0], 1e-3);
  EXPECT_NEAR(water.volume().total(), volume, 1e-2 * volume);
}

// Nothing but gravity moves a column that collapses: its energy never grows.
TEST(Water, EnergyDoesNotGrow) {
  for (const TimeStepping stepping : {TimeStepping::projection, TimeStepping::reflection}) {
    SCOPED_TRACE(name(stepping));
    WaterParameters<2> p = test::pool_parameters<2>(test::sanitized ? 4 : 6);
    p.stepping = stepping;
    p.cfl = 2;  // height and speed belong to moments that are apart by a part of a step
    p.walls.fill(Wall::closed);
    Water<2> water(Domain<2>{}, p, test::column<2>(0.4, 0.7));
    const double before = test::energy(water);
    for (int frame = 0; frame < (test::sanitized ? 1 : 24); ++frame) {
      water.advance(1.0 / 48);
      EXPECT_LT(test::energy(water), 1.02 * before) << frame;
    }
    EXPECT_GT(test::fastest_in_liquid(water), 0.3);
  }
}

// With feedback a column that collapses and splashes has the volume that it had.
TEST(Water, KeepsItsVolume) {
  WaterParameters<2> p = test::pool_parameters<2>(6);
  p.walls.fill(Wall::closed);
  p.keep_volume = KeepVolume::flow;
  Water<2> water(Domain<2>{}, p, test::column<2>(0.4, 0.6));
  const double volume = water.volume().total();
  EXPECT_NEAR(volume, 0.24, 1e-4);
  for (int frame = 0; frame < (test::sanitized ? 2 : 36); ++frame) {
    const StepReport r = water.advance(1.0 / 24);
    EXPECT_NEAR(water.volume().total(), volume, 0.04 * volume) << frame;
    EXPECT_NEAR(water.feedback().booked(), volume, 1e-12) << frame;
    const LedgerLine& line = r.ledger.back();
    EXPECT_EQ(line.field, "liquid");
    EXPECT_NEAR(line.change(), line.sum(), 1e-12);
    EXPECT_EQ(line.outflow, 0);
  }
}

// What a source fills is there, and what a drain empties is gone; both are booked.
TYPED_TEST(WaterTest, SourcesFillAndDrainsEmpty) {
  constexpr int Dim = TestFixture::dim;
  WaterParameters<Dim> p = test::pool_parameters<Dim>(Dim == 2 ? 6 : 5);
  p.gravity = 0;
  p.keep_volume = KeepVolume::flow;
  Source<Dim> source{.shape = sphere_shape<Dim>(Vec<Dim>::filled(0.5), 0.2)};
  source.values = {{"liquid", 1}};
  source.end = 0.015;
  Source<Dim> drain = source;
  drain.values = {{"liquid", 0}};
  drain.start = 0.025;
  drain.end = 1;
  p.sources = {source, drain};
  p.refinement.rules.push_back({.by = RefineBy::sources});
  Water<Dim> water(Domain<Dim>{}, p);
  EXPECT_EQ(water.volume().total(), 0);
  const double ball = Dim == 2 ? 0.04 * std::numbers::pi : 0.032 * std::numbers::pi / 3;
  const StepReport filled = water.step(0.01);
  EXPECT_NEAR(water.volume().total(), ball, 0.02 * ball);
  EXPECT_NEAR(filled.ledger.back().sources, water.volume().total(), 1e-12);
  EXPECT_NEAR(water.feedback().booked(), water.volume().total(), 1e-9);
  water.step(0.01);
  EXPECT_NEAR(water.volume().total(), ball, 0.02 * ball);
  const StepReport emptied = water.step(0.01);
  EXPECT_LT(water.volume().total(), 0.01 * ball);
  EXPECT_LT(emptied.ledger.back().sources, -0.9 * ball);
}

// What a drain takes out of a pool is booked, so that nothing brings it back.
TYPED_TEST(WaterTest, DrainsOfPoolsAreBooked) {
  constexpr int Dim = TestFixture::dim;
  WaterParameters<Dim> p = test::pool_parameters<Dim>(4);
  p.keep_volume = KeepVolume::flow;
  Source<Dim> drain{.shape = sphere_shape<Dim>(Vec<Dim>::filled(0.4), 0.2)};
  drain.values = {{"liquid", 0}};
  p.sources = {drain};
  Water<Dim> water(Domain<Dim>{}, p, test::pool<Dim>(0.5));
  const double before = water.volume().total();
  water.step(1e-4);
  EXPECT_LT(water.volume().total(), 0.98 * before);
  EXPECT_NEAR(water.feedback().booked(), water.volume().total(), 2e-3 * before);
}

// A drop that is smaller than a leaf has no pressure, and falls all the same.
TYPED_TEST(WaterTest, SmallDropsFall) {
  constexpr int Dim = TestFixture::dim;
  Vec<Dim> center = Vec<Dim>::filled(0.5);
  center[Dim - 1] = 0.75;
  Water<Dim> water(Domain<Dim>{}, test::pool_parameters<Dim>(5), test::ball<Dim>(center, 0.6 / 32));
  ASSERT_GT(water.volume().total(), 0);
  const int steps = test::sanitized ? 2 : 8;
  constexpr double dt = 0.02;
  for (int s = 0; s < steps; ++s) water.step(dt);
  if (water.volume().total() == 0) return;  // the tracker may have lost it
  const double fallen = 0.5 * gravity * dt * dt * steps * (steps - 1);
  EXPECT_NEAR(test::center_of_mass(water)[Dim - 1], center[Dim - 1] - fallen, 0.2 * fallen + 0.01);
}

// Leaves whose centres are hardly below the surface have no pressure; what is in them stays where it is.
TYPED_TEST(WaterTest, StaysAtRestWhereverTheSurfaceIs) {
  constexpr int Dim = TestFixture::dim;
  for (const double part : {0.5, 0.505, 0.52, 0.999}) {
    SCOPED_TRACE(part);
    const double height = (8 + part) / 16;
    WaterParameters<Dim> p = test::pool_parameters<Dim>(4);
    p.stop = {.relative = 1e-10, .max_iterations = 100};
    Water<Dim, double> water(Domain<Dim>{}, p, test::pool<Dim>(height));
    for (int s = 0; s < 4; ++s) water.step(0.02);
    EXPECT_LT(test::fastest_in_liquid(water), 1e-4);
    EXPECT_NEAR(water.volume().total(), height, 1e-5);
  }
}

// Without liquid, and without air, there is nothing to see and nothing goes wrong.
TYPED_TEST(WaterTest, DryAndFullBoxes) {
  constexpr int Dim = TestFixture::dim;
  WaterParameters<Dim> p = test::pool_parameters<Dim>(4);
  Water<Dim> dry(Domain<Dim>{}, p);
  p.walls.fill(Wall::closed);
  Water<Dim> full(Domain<Dim>{}, p, test::pool<Dim>(2));
  for (int s = 0; s < 2; ++s) {
    EXPECT_EQ(dry.step(0.05).ledger.back().after, 0);
    full.step(0.05);
  }
  EXPECT_EQ(test::fastest_in_liquid(dry), 0);
  EXPECT_NEAR(full.volume().total(), 1, 1e-12);
  EXPECT_LT(test::fastest_in_liquid(full), 1e-3);
}

// What flows out through an open wall is booked as such.
TEST(Water, FlowsOutThroughOpenWalls) {
  WaterParameters<2> p = test::pool_parameters<2>(5);
  p.walls.fill(Wall::open);
  p.keep_volume = KeepVolume::flow;
  Water<2> water(Domain<2>{}, p, test::ball<2>({0.5, 0.3}, 0.15));
  const double volume = water.volume().total();
  double out = 0;
  for (int frame = 0; frame < (test::sanitized ? 3 : 16); ++frame)
    out -= water.advance(1.0 / 24).ledger.back().outflow;
  if (test::sanitized) return;
  EXPECT_EQ(water.volume().total(), 0);
  EXPECT_NEAR(out, volume, 0.1 * volume);
}

// Surface tension makes a drop round, and does not let a round one go.
TEST(Water, SurfaceTension) {
  WaterParameters<2> p = test::pool_parameters<2>(5);
  p.gravity = 0;
  p.surface_tension = 1;
  FlowStart<2> start;
  start.values["liquid"] = [](const Vec2d& x) {
    const Vec2d y{(x[0] - 0.5) / 1.2, (x[1] - 0.5) * 1.2};
    return 0.8 * (length(y) - 0.2);
  };
  p.cfl = 1;
  Water<2> water(Domain<2>{}, p, start);
  EXPECT_EQ(water.substeps_for(0.5),
            static_cast<int>(std::ceil(0.5 / std::sqrt(1000 / 32768.0 / (4 * std::numbers::pi)))));
  auto width = [&] {
    const MeshView<2> m = water.mesh().view();
    double sum = 0;
    for (std::size_t i = 0; i < m.leaf_count(); ++i) {
      const double x = m.tree.center(LeafId(i))[0] - 0.5;
      sum += x * x * water.volume().in_leaves()[LeafId(i)];
    }
    return sum / water.volume().total();
  };
  const double before = width();
  const double quarter = std::numbers::pi / 2 / std::sqrt(6 * 1 / (1000 * 0.008));
  for (int s = 0; s < 8; ++s) water.advance(quarter / 8);
  EXPECT_LT(width(), 0.85 * before);
}

}  // namespace
}  // namespace octavo
