// What makes no sense is refused with a sentence; what is strange but possible has a defined result.

#include <gtest/gtest.h>

#include "octavo/shapes/mesh_shape.h"
#include "support/smoke_scene.h"

namespace octavo {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
const double not_a_number = std::nan("");

// Expects the sentence to contain some words.
template <class Change>
void expect_refused(Change&& change, const std::string& words) {
  SmokeParameters<3> p = test::plume<3>(4);
  change(p);
  try {
    const Smoke<3> smoke(Domain<3>{}, p);
    ADD_FAILURE() << "not refused: " << words;
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
  }
}

TEST(SmokeBadInput, ParametersThatMakeNoSense) {
  using P = SmokeParameters<3>;
  expect_refused([](P& p) { p.sources[0].values["temperature"] = infinite; },
                 "temperature of a source");
  expect_refused([](P& p) { p.sources[0].values["density"] = not_a_number; },
                 "density of a source");
  expect_refused([](P& p) { p.sources[0].velocity = Vec3d{0, not_a_number, 0}; }, "velocity");
  expect_refused([](P& p) { p.sources[0].values["fog"] = 1; }, "a source sets the field 'fog'");
  expect_refused([](P& p) { p.sources[0].end = -1; }, "end after");
  expect_refused([](P& p) { p.sources[0].noise.amount = 2; }, "noise");
  expect_refused([](P& p) { p.sources[0].noise.size = 0; }, "size of noise");
  expect_refused([](P& p) { p.obstacles[0].temperature = infinite; }, "obstacle");
  expect_refused([](P& p) { p.lift = not_a_number; }, "lift");
  expect_refused([](P& p) { p.weight = infinite; }, "weight");
  expect_refused([](P& p) { p.ambient = not_a_number; }, "ambient");
  expect_refused([](P& p) { p.up_axis = 3; }, "up");
  expect_refused([](P& p) { p.confinement = -1; }, "confinement");
  expect_refused([](P& p) { p.acceleration[1] = infinite; }, "acceleration");
  expect_refused([](P& p) { p.cooling = -0.1; }, "cooling");
  expect_refused([](P& p) { p.density_decay = not_a_number; }, "decay");
  expect_refused([](P& p) { p.cfl = 0; }, "CFL");
  expect_refused([](P& p) { p.min_substeps = 3, p.max_substeps = 2; }, "not 3 and 2");
  expect_refused([](P& p) { p.refinement.min_level = 5; }, "5 to 4");
  expect_refused([](P& p) { p.refinement.max_level = 40; }, "levels");
  expect_refused([](P& p) { p.refinement.margin = -1; }, "margin");
  expect_refused([](P& p) { p.refinement.max_leaves = 10; }, "64 leaves");
  expect_refused([](P& p) { p.refinement.rules[3].above = 0; }, "vorticity");
  expect_refused([](P& p) { p.refinement.rules[2].high = 0.01; }, "band");
  expect_refused([](P& p) { p.refinement.rules[2].field = "fog"; }, "the field 'fog'");
  expect_refused([](P& p) { p.refinement.rules = {{.by = RefineBy::region}}; }, "shape");
  expect_refused(
      [](P& p) {
        p.stepping = TimeStepping::reflection;
        p.pressure.scheme = GradientScheme::losasso06;
      },
      "losasso06s");
  expect_refused([](P& p) { p.scalars = {{.name = "c", .outside = infinite}}; }, "scalar");
  expect_refused([](P& p) { p.scalars = {{.name = "density"}}; }, "two fields");
}

TEST(SmokeBadInput, ShapesWithoutASize) {
  EXPECT_THROW(sphere_shape<3>({0.5, 0.5, 0.5}, 0), InputError);
  EXPECT_THROW(box_shape<3>({0.5, 0.5, 0.5}, {0.5, 1, 1}), InputError);
  TriangleMesh flat;
  flat.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  flat.triangles = {{0, 1, 2}, {0, 0, 1}};
  EXPECT_THROW(closed_mesh_shape(flat), InputError);
}

// Triangles without an area do not count, the others do.
TEST(SmokeBadInput, DegenerateTrianglesAmongGoodOnes) {
  TriangleMesh sheet;
  sheet.vertices = {{0.2, 0.2, 0.5}, {0.8, 0.2, 0.5}, {0.2, 0.8, 0.5}, {0.8, 0.8, 0.5}};
  sheet.triangles = {{0, 1, 2}, {1, 3, 2}, {0, 0, 0}, {1, 1, 2}};
  SmokeParameters<3> p = test::plume<3>(4);
  p.obstacles[0].shape = sheet_mesh_shape(sheet, 0.07);
  Smoke<3> smoke(Domain<3>{}, p);
  for (int s = 0; s < 3; ++s) {
    const StepReport r = smoke.step(0.04);
    EXPECT_TRUE(r.pressure.converged());
    EXPECT_TRUE(std::isfinite(r.kinetic_energy));
  }
}

// Nothing can move, and nothing does.
TEST(SmokeBadInput, AnObstacleThatFillsTheBox) {
  SmokeParameters<3> p = test::plume<3>(4);
  p.obstacles[0].shape = box_shape<3>({-1, -1, -1}, {2, 2, 2});
  p.obstacles[0].temperature = 5;
  Smoke<3> smoke(Domain<3>{}, p);
  for (int s = 0; s < 2; ++s) smoke.step(0.04);
  EXPECT_EQ(test::largest_speed(smoke), 0);
  for (const float rho : smoke.density().view()) ASSERT_EQ(rho, 0);
  for (const float t : smoke.temperature().view()) ASSERT_EQ(t, 5);
}

TEST(SmokeBadInput, NotANumberInTheBeginning) {
  Smoke<3> smoke(Domain<3>{}, test::plume<3>(4));
  Smoke<3>::Start start;
  start.velocity = [](const Vec3d& x) {
    return x[0] > 0.5 ? Vec3d{not_a_number, 0, 0} : Vec3d{0, 0, 0};
  };
  EXPECT_THROW(smoke.start(start), InputError);
  EXPECT_THROW(smoke.step(0.04), SimulationError);
  Smoke<3>::Start hot;
  hot.values["temperature"] = [](const Vec3d& x) { return 1 / std::max(0.0, x[0] - 0.5); };
  EXPECT_THROW(smoke.start(hot), InputError);
  Smoke<3>::Start foggy;
  foggy.values["fog"] = [](const Vec3d&) { return 1.0; };
  EXPECT_THROW(smoke.start(foggy), InputError);
  smoke.start({});
  EXPECT_GT(test::total_density(smoke.step(0.04)), 0);
}

// Steps of a hundred leaves and more are no reason to stop.
TEST(SmokeBadInput, HugeSteps) {
  Smoke<3> smoke(Domain<3>{}, test::plume<3>(4));
  for (int s = 0; s < 4; ++s) {
    const StepReport r = smoke.step(5.0);
    EXPECT_TRUE(std::isfinite(r.kinetic_energy));
    EXPECT_TRUE(r.pressure.converged());
  }
}

}  // namespace
}  // namespace octavo
