// What must not move, does not.

#include <gtest/gtest.h>

#include "octavo/operators/divergence.h"
#include "support/smoke_scene.h"

namespace octavo {
namespace {

template <class D>
class StillTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(StillTest, test::Dims);

// A tree with jumps of all sizes, kept as it is by a rule for each patch.
template <int Dim>
RefinementParameters<Dim> patches(std::uint64_t seed) {
  RefinementParameters<Dim> p;
  p.min_level = 1;
  p.max_level = Dim == 2 ? 6 : 4;
  p.margin = 0;
  const Random random(seed);
  for (std::uint32_t i = 0; i < 4; ++i) {
    Vec<Dim> c{};
    for (int a = 0; a < Dim; ++a) c[a] = random.uniform(i, static_cast<std::uint32_t>(a));
    p.rules.push_back({.by = RefineBy::region,
                       .region = sphere_shape<Dim>(c, 0.02 + 0.1 * random.uniform(i, 9)),
                       .level = 2 + random.below(p.max_level - 1, i, 10)});
  }
  return p;
}

TYPED_TEST(StillTest, StillAirStaysStillAroundObstaclesOnAnyTree) {
  constexpr int Dim = TestFixture::dim;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SmokeParameters<Dim> p;
    p.lift = 3;
    p.weight = 1;
    p.ambient = 293;
    p.confinement = 0.3;
    p.refinement = patches<Dim>(seed);
    p.obstacles.push_back({.shape = sphere_shape<Dim>(test::point<Dim>(0.4, 0.6, 0.5), 0.21)});
    if (seed % 2 == 0) p.walls.fill(Wall::open);
    Smoke<Dim> smoke(Domain<Dim>{}, p);
    for (int s = 0; s < 3; ++s) smoke.step(0.1);
    const double rounding = 1e-6 * p.ambient;  // of temperatures that are means of equal ones
    EXPECT_LT(test::largest_speed(smoke), p.lift * rounding * 0.3) << seed;
  }
}

// Warm air that is equally warm everywhere presses on the ceiling, and that is all.
TYPED_TEST(StillTest, UniformTemperatureInAClosedBoxMovesNothing) {
  constexpr int Dim = TestFixture::dim;
  for (const auto stepping : {TimeStepping::projection, TimeStepping::reflection})
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      SmokeParameters<Dim> p;
      p.stepping = stepping;
      p.lift = 3;
      p.stop.relative = 1e-12;
      p.refinement = patches<Dim>(seed);
      Smoke<Dim, double> smoke(Domain<Dim>{}, p);
      typename Smoke<Dim, double>::Start start;
      start.values["temperature"] = [](const Vec<Dim>&) { return 50.0; };
      smoke.start(start);
      for (int s = 0; s < 5; ++s) smoke.step(0.1);
      EXPECT_LT(test::largest_speed(smoke), 1e-9 * 150 * 0.5) << seed;
    }
}

// A ball that flies with the wind is no obstacle to it.
TYPED_TEST(StillTest, ABallThatGoesWithTheWindLeavesItUndisturbed) {
  constexpr int Dim = TestFixture::dim;
  for (const auto treatment : {ObstacleTreatment::cut, ObstacleTreatment::voxel}) {
    SmokeParameters<Dim> p;
    const Vec<Dim> wind = test::point<Dim>(0.5, 0, 0);
    p.treatment = treatment;
    p.walls.fill(Wall::closed);
    p.walls[0] = p.walls[1] = Wall::open;
    p.stop.relative = 1e-10;

    // The air outside is at rest: a source keeps up the wind where it comes in.
    Source<Dim> inlet{
        .shape = box_shape<Dim>(test::point<Dim>(-1, -1, -1), test::point<Dim>(0.1, 2, 2))};
    inlet.velocity = wind;
    p.sources.push_back(inlet);
    p.refinement.min_level = 3;
    p.refinement.max_level = Dim == 2 ? 6 : 5;
    p.refinement.rules = {{.by = RefineBy::objects}};
    p.obstacles.push_back({.shape = sphere_shape<Dim>(test::point<Dim>(0.3, 0.5, 0.5), 0.13),
                           .motion = Motion<Dim>(SteadyMotion<Dim>{.velocity = wind})});
    Smoke<Dim, double> smoke(Domain<Dim>{}, p);
    typename Smoke<Dim, double>::Start start;
    start.velocity = [=](const Vec<Dim>&) { return wind; };
    smoke.start(start);
    for (int s = 0; s < 8; ++s) smoke.step(0.05);
    const MeshView<Dim> m = smoke.mesh().view();
    for (std::size_t i = 0; i < m.face_count(); ++i)
      ASSERT_NEAR(smoke.velocity()[FaceId(i)], wind[m.axis(FaceId(i))], 1e-7)
          << m.center(FaceId(i))[0];
  }
}

// The air has to make room for what moves, and closes behind it: as much flows away from an obstacle as
// towards it.
TYPED_TEST(StillTest, AMovingObstacleDrivesTheAirWithoutNetFlux) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p;
  p.walls.fill(Wall::open);
  p.stop.relative = 1e-9;
  p.refinement.min_level = 3;
  p.refinement.max_level = Dim == 2 ? 6 : 5;
  p.refinement.rules = {{.by = RefineBy::objects}};
  p.obstacles.push_back(
      {.shape = box_shape<Dim>(test::point<Dim>(0.3, 0.4, 0.4), test::point<Dim>(0.45, 0.6, 0.6)),
       .motion = Motion<Dim>(PeriodicMotion<Dim>{
           .translation = {.amplitude = test::point<Dim>(0.1, 0, 0), .frequency = 1}})});
  Smoke<Dim, double> smoke(Domain<Dim>{}, p);
  for (int s = 0; s < 5; ++s) {
    const StepReport r = smoke.step(0.03);
    EXPECT_TRUE(r.pressure.converged());
    EXPECT_LT(r.pressure.forced_divergence, 1e-9);
    EXPECT_LT(r.largest_divergence, 1e-6 * r.pressure.divergence_before + 1e-12);
  }
  EXPECT_GT(test::largest_speed(smoke), 0.1);

  // Through the surface of a box around it.
  const MeshView<Dim> m = smoke.mesh().view();
  const auto boundary = smoke.boundary();
  double out = 0, through = 0;
  auto is_near = [&](LeafId l) {
    return !l.is_none() && length(m.tree.center(l) - Vec<Dim>::filled(0.5)) < 0.33;
  };
  for (std::size_t i = 0; i < m.face_count(); ++i) {
    const auto [low, high] = m.face_leaf[i];
    if (is_near(low) == is_near(high)) continue;
    const double f = flux(m, boundary, smoke.velocity().view(), FaceId(i));
    out += is_near(low) ? f : -f;
    through += std::abs(f);
  }
  EXPECT_GT(through, 1e-4);
  EXPECT_LT(std::abs(out), 1e-6 * through);
}

}  // namespace
}  // namespace octavo
