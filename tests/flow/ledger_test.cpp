// Whatever a field gains or loses in a step has a place in its ledger.

#include "octavo/flow/ledger.h"

#include <gtest/gtest.h>

#include <numbers>

#include "support/smoke_scene.h"

namespace octavo {
namespace {

template <class D>
class LedgerTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(LedgerTest, test::Dims);

const LedgerLine& line_of(const StepReport& report, std::string_view field) {
  for (const LedgerLine& line : report.ledger)
    if (line.field == field) return line;
  throw InvariantError(fmt::format("there is no ledger of '{}'", field));
}

void expect_balanced(const LedgerLine& line, const std::string& when) {
  double largest = 0;
  for (const double column :
       {line.sources, line.outflow, line.decay, line.solids, line.advection, line.change()})
    largest = std::max(largest, std::abs(column));
  EXPECT_NEAR(line.change(), line.sum(), 1e-12 * largest) << when;
}

// A wind blows smoke out at the top; a source that reaches into a ball brings more, which the ball takes again.
template <int Dim>
SmokeParameters<Dim> windy(TimeStepping stepping, bool moves) {
  SmokeParameters<Dim> p = test::plume<Dim>(Dim == 2 ? 6 : 4);
  p.stepping = stepping;
  p.density_decay = 0.5;
  p.walls[2 * (Dim - 1)] = Wall::open;
  p.sources[0].shape = sphere_shape<Dim>(test::point<Dim>(0.5, 0.5, 0.4), 0.15);
  p.sources[0].add = true;
  if (moves)
    p.obstacles[0].motion =
        Motion<Dim>(SteadyMotion<Dim>{.velocity = test::point<Dim>(0.3, 0, -0.4)});
  return p;
}
template <int Dim>
FlowStart<Dim> upwards() {
  FlowStart<Dim> start;
  start.values["density"] = [](const Vec<Dim>& x) { return x[Dim - 1]; };
  start.velocity = [](const Vec<Dim>&) { return test::point<Dim>(0, 0, 0.7); };
  return start;
}

TYPED_TEST(LedgerTest, ColumnsAreTheChange) {
  constexpr int Dim = TestFixture::dim;
  for (const auto stepping : {TimeStepping::projection, TimeStepping::reflection})
    for (const bool moves : {false, true}) {
      Smoke<Dim> smoke(Domain<Dim>{}, windy<Dim>(stepping, moves), upwards<Dim>());
      double before = 0;
      for (int s = 0; s < 4; ++s) {
        const auto when = fmt::format("{}, {}, step {}", name(stepping), moves, s);
        const StepReport report = smoke.step(0.03);
        const LedgerLine line = line_of(report, "density");
        expect_balanced(line, when);
        EXPECT_GT(line.before, 0.1) << when;
        EXPECT_GT(line.sources, 0) << when;
        EXPECT_LT(line.outflow, -0.001) << when;
        EXPECT_LT(line.decay, -0.001) << when;
        EXPECT_LT(line.solids, 0) << when;
        EXPECT_NE(line.advection, 0) << when;
        if (s > 0) {
          EXPECT_EQ(line.before, before) << when;
        }
        before = line.after;
      }
    }
}

// Also if nothing but the solids and the flow change anything.
TYPED_TEST(LedgerTest, OfAMovingSolidAlone) {
  constexpr int Dim = TestFixture::dim;
  for (const auto stepping : {TimeStepping::projection, TimeStepping::reflection}) {
    SmokeParameters<Dim> p = windy<Dim>(stepping, true);
    p.sources.clear();
    p.refinement.rules = {{.by = RefineBy::objects}};
    p.density_decay = 0;
    p.walls.fill(Wall::closed);
    Smoke<Dim> smoke(Domain<Dim>{}, p, upwards<Dim>());
    for (int s = 0; s < 4; ++s) {
      const StepReport report = smoke.step(0.03);
      const LedgerLine line = line_of(report, "density");
      expect_balanced(line, fmt::format("{}, step {}", name(stepping), s));
      EXPECT_EQ(line.sources, 0);
      EXPECT_EQ(line.outflow, 0);
      EXPECT_EQ(line.decay, 0);
    }
  }
}

// What a hot ball loses by decay it gets again from the ball.
TYPED_TEST(LedgerTest, OfASolidThatHeats) {
  constexpr int Dim = TestFixture::dim;
  FlowParameters<Dim> p;
  p.refinement.min_level = p.refinement.max_level = 4;
  p.obstacles.push_back(
      {.shape = sphere_shape<Dim>(Vec<Dim>::filled(0.5), 0.2), .temperature = 10});
  Flow<Dim, double> flow(
      Domain<Dim>{}, p,
      {{.name = "warmth", .in_solids = InSolids::heat, .decay = 1, .has_ledger = true}});
  flow.start({});
  const double dt = 0.1;
  for (int s = 0; s < 2; ++s) {
    flow.begin_step(dt);
    flow.decide_leaves(dt);
    flow.onto_next_mesh(dt, [&](const auto& from, const auto& to) { flow.advect(from, to, dt); });
    flow.decay(dt);
    flow.impose_boundary();
    flow.project(dt);
    const StepReport report = flow.end_step(dt);
    const LedgerLine line = line_of(report, "warmth");
    EXPECT_LT(line.decay, -0.01) << s;
    EXPECT_GT(line.solids, 0.01) << s;
    expect_balanced(line, fmt::format("step {}", s));
  }
}

// Steps of a frame are added up.
TEST(Ledger, OfAFrame) {
  SmokeParameters<2> p = windy<2>(TimeStepping::projection, true);
  p.min_substeps = 3;
  Smoke<2> smoke(Domain<2>{}, p, upwards<2>());
  Ledger steps;
  const StepReport frame = smoke.advance(0.1, [&](const StepReport& one) {
    steps.push_back(line_of(one, "density"));
    return true;
  });
  ASSERT_GE(steps.size(), 3u);
  const LedgerLine line = line_of(frame, "density");
  EXPECT_EQ(line.before, steps.front().before);
  EXPECT_EQ(line.after, steps.back().after);
  LedgerLine sum = steps[0];
  for (std::size_t i = 1; i < steps.size(); ++i) sum.add(steps[i]);
  EXPECT_DOUBLE_EQ(line.outflow, sum.outflow);
  EXPECT_DOUBLE_EQ(line.sources, sum.sources);
  EXPECT_DOUBLE_EQ(line.sum(), sum.sum());
  expect_balanced(line, "frame");
}

// In air at rest, where each column is known.
TYPED_TEST(LedgerTest, ColumnsAreWhatTheySay) {
  constexpr int Dim = TestFixture::dim;
  const double radius = 0.2, dt = 0.1, pi = std::numbers::pi;
  const double ball = Dim == 2 ? pi * radius * radius : 4 * pi / 3 * std::pow(radius, 3);
  SmokeParameters<Dim> p;
  p.refinement.min_level = 3;
  p.refinement.max_level = 5;
  p.refinement.rules = {{.by = RefineBy::sources}};
  p.density_decay = 0.3;
  Source<Dim> source{.shape = sphere_shape<Dim>(Vec<Dim>::filled(0.4), radius)};
  source.values = {{"density", 5}};
  source.add = true;
  p.sources = {source};
  FlowStart<Dim> start;
  start.values["density"] = [](const Vec<Dim>&) { return 2.0; };
  Smoke<Dim, double> smoke(Domain<Dim>{}, p, start);
  const StepReport report = smoke.step(dt);
  ASSERT_EQ(report.ledger.size(), 1u);
  const LedgerLine& line = report.ledger[0];
  EXPECT_NEAR(line.before, 2, 1e-12);
  EXPECT_NEAR(line.sources, 5 * dt * ball, 0.03 * 5 * dt * ball);
  EXPECT_NEAR(line.decay, (2 + line.sources) * (std::exp(-0.3 * dt) - 1), 1e-12);
  EXPECT_EQ(line.outflow, 0);
  EXPECT_EQ(line.solids, 0);
  EXPECT_NEAR(line.advection, 0, 1e-12);
  expect_balanced(line, "at rest");
}

// Air that comes in brings what is outside, which counts as less than no outflow.
TYPED_TEST(LedgerTest, InflowBringsWhatIsOutside) {
  constexpr int Dim = TestFixture::dim;
  FlowParameters<Dim> p;
  p.refinement.min_level = 3;
  p.refinement.max_level = Dim == 2 ? 6 : 4;
  p.refinement.rules = {{.by = RefineBy::region,
                         .region = box_shape<Dim>(Vec<Dim>::filled(-1), Vec<Dim>::filled(0.3))}};
  p.walls[0] = p.walls[1] = Wall::open;
  Flow<Dim, double> flow(Domain<Dim>{}, p,
                         {{.name = "salt", .outside = 3, .has_ledger = true}, {.name = "dye"}});
  FlowStart<Dim> start;
  start.values["salt"] = [](const Vec<Dim>&) { return 1.0; };
  start.velocity = [](const Vec<Dim>&) { return test::point<Dim>(0.5, 0, 0); };
  flow.start(start);
  const double dt = 0.1;
  flow.begin_step(dt);
  flow.decide_leaves(dt);
  flow.onto_next_mesh(dt, [&](const auto& from, const auto& to) { flow.advect(from, to, dt); });
  flow.project(dt);
  const StepReport report = flow.end_step(dt);
  ASSERT_EQ(report.ledger.size(), 1u);
  const LedgerLine& line = report.ledger[0];
  EXPECT_EQ(line.field, "salt");
  EXPECT_NEAR(line.outflow, 0.5 * dt * (3 - 1), 1e-9);
  EXPECT_NEAR(line.advection, 0, 0.3 * line.outflow);  // the front is smeared
  expect_balanced(line, "inflow");
}

}  // namespace
}  // namespace octavo
