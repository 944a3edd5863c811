// What a step does, piece by piece, and what it says about itself.

#include "octavo/smoke/smoke.h"

#include <gtest/gtest.h>

#include "octavo/operators/forces.h"
#include "octavo/operators/open_area.h"
#include "octavo/shapes/mesh_shape.h"
#include "support/sanitized.h"
#include "support/smoke_scene.h"

namespace octavo {
namespace {

template <class D>
class SmokeTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(SmokeTest, test::Dims);

TYPED_TEST(SmokeTest, ReportsWhatHappened) {
  constexpr int Dim = TestFixture::dim;
  Smoke<Dim> smoke(Domain<Dim>{}, test::plume<Dim>(5));
  StepReport all;
  int steps = 0;
  for (int f = 0; f < 6; ++f)
    all = smoke.advance(1.0 / 24, [&](const StepReport&) {
      ++steps;
      return true;
    });
  EXPECT_EQ(all.step, static_cast<std::uint64_t>(steps));
  EXPECT_NEAR(all.time, 0.25, 1e-12);
  EXPECT_NEAR(all.dt * all.substeps, 1.0 / 24, 1e-12);
  EXPECT_EQ(all.leaves, smoke.mesh().leaf_count());
  EXPECT_EQ(all.faces, smoke.mesh().face_count());
  EXPECT_EQ(all.nodes, smoke.mesh().node_count());
  EXPECT_GT(all.cfl, 0);
  EXPECT_GT(test::total_density(all), 0);
  EXPECT_GT(all.kinetic_energy, 0);
  EXPECT_TRUE(all.pressure.converged());
  EXPECT_GT(all.iterations, 0);
  EXPECT_GT(all.largest_divergence, 0);
  EXPECT_GE(all.peak_bytes, all.bytes);
  EXPECT_GT(all.bytes, all.leaves * 300);
}

TYPED_TEST(SmokeTest, StepsAreChosenByTheCflNumber) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p;
  p.refinement.min_level = p.refinement.max_level = 4;
  p.walls.fill(Wall::open);
  p.cfl = 2;
  p.max_substeps = 50;
  Smoke<Dim> smoke(Domain<Dim>{}, p);
  EXPECT_EQ(smoke.substeps_for(1.0), 1);
  typename Smoke<Dim>::Start start;
  start.velocity = [](const Vec<Dim>&) { return test::point<Dim>(0.5, 0, 0); };
  smoke.start(start);
  EXPECT_EQ(smoke.substeps_for(1.0), 4);  // half a metre is eight cells
  EXPECT_EQ(smoke.substeps_for(0.24), 1);
  EXPECT_THROW(smoke.substeps_for(0), InputError);
  EXPECT_THROW(smoke.step(-1), InputError);
  EXPECT_THROW(smoke.step(std::nan("")), InputError);
}

// exp(-rate t), whatever the steps.
TYPED_TEST(SmokeTest, DecayAndCoolingAreExact) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p;
  p.refinement.min_level = 2;
  p.refinement.max_level = 3;
  p.ambient = 20;
  p.cooling = 0.7;
  p.density_decay = 0.3;
  p.scalars = {{.name = "fuel", .outside = 1, .decay = 2}};
  Smoke<Dim, double> smoke(Domain<Dim>{}, p);
  typename Smoke<Dim, double>::Start start;
  start.values["density"] = [](const Vec<Dim>&) { return 2.0; };
  start.values["temperature"] = [](const Vec<Dim>&) { return 50.0; };
  start.values["fuel"] = [](const Vec<Dim>&) { return 4.0; };
  smoke.start(start);
  for (const double dt : {0.5, 0.1, 1.4}) smoke.step(dt);
  for (std::size_t i = 0; i < smoke.density().size(); ++i) {
    ASSERT_NEAR(smoke.density()[NodeId(i)], 2 * std::exp(-0.6), 1e-12);
    ASSERT_NEAR(smoke.temperature()[NodeId(i)], 20 + 30 * std::exp(-1.4), 1e-12);
    ASSERT_NEAR(smoke.scalar(0)[NodeId(i)], 1 + 3 * std::exp(-4.0), 1e-12);
  }
}

// A constant force along a duct accelerates the air in it as it should.
TYPED_TEST(SmokeTest, ForcesHaveTheirUnits) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p;
  p.refinement.min_level = p.refinement.max_level = 3;
  p.acceleration = test::point<Dim>(0.2, 0, 0);
  p.walls.fill(Wall::closed);
  p.walls[0] = p.walls[1] = Wall::open;
  Smoke<Dim, double> smoke(Domain<Dim>{}, p);
  const StepReport r = smoke.step(0.05);
  for (std::size_t i = 0; i < smoke.velocity().size(); ++i) {
    const double wanted = smoke.mesh().view().axis(FaceId(i)) == 0 ? 0.2 * 0.05 : 0.0;
    ASSERT_NEAR(smoke.velocity()[FaceId(i)], wanted, 1e-12);
  }
  EXPECT_NEAR(r.kinetic_energy, 0.5 * 0.01 * 0.01, 1e-12);

  // Lighter by lift (T - ambient) - weight rho, on the faces across `up` alone.
  const Octree<Dim> tree = Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 2; });
  const Mesh<Dim> mesh(tree);
  FaceField<double> u(mesh, 0);
  add_buoyancy<Dim, double>(mesh, {0.5, 2, 10, 0}, 0.1, NodeField<double>(mesh, 3.0),
                            NodeField<double>(mesh, 14.0), u);
  for (std::size_t i = 0; i < u.size(); ++i)
    ASSERT_NEAR(u[FaceId(i)], mesh.view().axis(FaceId(i)) == 0 ? 0.1 * (2 * 4 - 0.5 * 3) : 0,
                1e-14);
}

// A vortex is strengthened; what turns like a solid, or moves as one, is left alone.
TYPED_TEST(SmokeTest, ConfinementStrengthensVorticesOnly) {
  constexpr int Dim = TestFixture::dim;
  const Octree<Dim> tree = Octree<Dim>::build({}, [](const Leaf<Dim>& l) {
    return l.level < (Dim == 2 ? 5 : 4) ||
           (l.level < (Dim == 2 ? 6 : 5) && l.center[0] > 0.5 && l.center[1] > 0.25);
  });
  const Mesh<Dim> mesh(tree);
  const MeshView<Dim> m = mesh.view();
  auto field = [&](auto&& velocity) {
    FaceField<double> u(mesh);
    for (std::size_t i = 0; i < u.size(); ++i)
      u[FaceId(i)] = velocity(m.center(FaceId(i)))[m.axis(FaceId(i))];
    return u;
  };
  Confinement<Dim, double> confinement;
  auto rotation = [](const Vec<Dim>& x) {
    return test::point<Dim>(0.5 - x[Dim - 1], 0, x[0] - 0.5) * 3.0;
  };
  for (const bool turns : {true, false}) {
    FaceField<double> u =
        field([&](const Vec<Dim>& x) { return turns ? rotation(x) : Vec<Dim>::filled(1); });
    const FaceField<double> before = u;
    confinement.add(mesh, 0.5, 0.1, u);
    for (std::size_t i = 0; i < u.size(); ++i) {
      const Vec<Dim> c = m.center(FaceId(i));
      bool inside =
          true;  // beside walls differences are one-sided, and where sizes meet of first order
      for (int a = 0; a < Dim; ++a) inside = inside && c[a] > 0.1 && c[a] < 0.9;
      if (!inside || std::abs(c[0] - 0.5) < 0.2 || std::abs(c[1] - 0.25) < 0.2) continue;
      ASSERT_NEAR(u[FaceId(i)], before[FaceId(i)], 1e-10) << c[0] << " " << c[1];
    }
  }

  FaceField<double> u = field([&](const Vec<Dim>& x) {
    const double r = length(x - Vec<Dim>::filled(0.5));
    return rotation(x) * std::exp(-r * r / 0.02);
  });
  auto energy = [&] {
    double sum = 0;
    for (const double v : u.view()) sum += v * v;
    return sum;
  };
  const double before = energy();
  confinement.add(mesh, 0.5, 0.01, u);
  EXPECT_GT(energy(), before);
}

// Set and added, in a window of time, with noise that stays within its bounds.
TYPED_TEST(SmokeTest, SourcesSetAndAdd) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p;
  p.refinement.min_level = p.refinement.max_level = 4;
  p.scalars = {{.name = "color"}};
  const Shape<Dim> ball = sphere_shape<Dim>(Vec<Dim>::filled(0.5), 0.3);
  Source<Dim> source{.shape = ball};
  source.values = {{"density", 2}, {"temperature", 30}, {"color", 0.5}};
  source.start = 0.1;
  source.end = 0.35;
  p.sources = {source};
  Smoke<Dim> set(Domain<Dim>{}, p);
  p.sources[0].add = true;
  Smoke<Dim> add(Domain<Dim>{}, p);
  p.sources[0].noise = {.amount = 0.5, .size = 0.2, .period = 0.5, .seed = 1};
  Smoke<Dim> noisy(Domain<Dim>{}, p);
  for (int s = 0; s < 5; ++s) {
    set.step(0.1);
    add.step(0.1);
    noisy.step(0.1);
  }
  const MeshView<Dim> m = set.mesh().view();
  float least = 1e9F, largest = -1e9F;
  for (std::size_t i = 0; i < m.node_count(); ++i) {
    const double d = ball(m.position(NodeId(i)));
    if (d > 0.04) {
      ASSERT_EQ(set.density()[NodeId(i)], 0);
      ASSERT_EQ(add.density()[NodeId(i)], 0);
    }
    if (d > -0.04) continue;
    ASSERT_NEAR(set.density()[NodeId(i)], 2, 1e-6);
    ASSERT_NEAR(set.temperature()[NodeId(i)], 30, 1e-5);
    ASSERT_NEAR(set.scalar(0)[NodeId(i)], 0.5, 1e-6);
    ASSERT_NEAR(add.density()[NodeId(i)], 2 * 0.25, 1e-5);  // from 0.1 to 0.35 s
    least = std::min(least, noisy.density()[NodeId(i)]);
    largest = std::max(largest, noisy.density()[NodeId(i)]);
  }
  EXPECT_GE(least, 0.25F - 1e-5F);
  EXPECT_LE(largest, 0.5F + 1e-5F);
  EXPECT_GT(largest - least, 0.03F);
}

// Velocities are set, or added as accelerations; a source that moves is where it is at the end of a step.
TYPED_TEST(SmokeTest, SourcesOfVelocityAndMovingOnes) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p;
  p.walls.fill(Wall::open);
  p.refinement.min_level = p.refinement.max_level = 4;
  Source<Dim> wind{.shape = box_shape<Dim>(Vec<Dim>::filled(-1), Vec<Dim>::filled(2))};
  wind.velocity = test::point<Dim>(0.5, 0, 0);
  Source<Dim> ball{.shape = sphere_shape<Dim>(Vec<Dim>::filled(0.25), 0.1)};
  ball.motion = Motion<Dim>(SteadyMotion<Dim>{.velocity = Vec<Dim>::filled(1)});
  ball.values = {{"density", 1}};
  p.sources = {wind, ball};
  Smoke<Dim> set(Domain<Dim>{}, p);
  p.sources[0].add = true;
  Smoke<Dim> add(Domain<Dim>{}, p);
  for (int s = 0; s < 4; ++s) set.step(0.1);
  add.step(0.1);  // later, air that comes in from outside is at rest
  const MeshView<Dim> m = set.mesh().view();
  for (std::size_t i = 0; i < m.face_count(); ++i) {
    const double along = m.axis(FaceId(i)) == 0 ? 1 : 0;
    ASSERT_NEAR(static_cast<double>(set.velocity()[FaceId(i)]), 0.5 * along, 1e-4);
    ASSERT_NEAR(static_cast<double>(add.velocity()[FaceId(i)]), 0.5 * 0.1 * along, 1e-4);
  }
  auto density_at = [&](double x) {
    return sample<float>(m, set.density().view(), Vec<Dim>::filled(x));
  };
  EXPECT_NEAR(density_at(0.65), 1, 1e-5);
  EXPECT_LT(density_at(0.15), 1e-6);
}

// A frame can be left early; then the next one goes on from there.
TEST(Smoke, FramesCanBeLeftEarly) {
  SmokeParameters<2> p = test::plume<2>(5);
  p.min_substeps = 4;
  Smoke<2> smoke(Domain<2>{}, p);
  const int substeps = smoke.substeps_for(0.1);
  EXPECT_GE(substeps, 4);
  int calls = 0;
  const StepReport r = smoke.advance(0.1, [&](const StepReport&) { return ++calls < 2; });
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(r.substeps, 2);
  EXPECT_EQ(smoke.steps(), 2u);
  EXPECT_NEAR(smoke.time(), 0.1 * 2 / substeps, 1e-12);
  EXPECT_DOUBLE_EQ(r.time, smoke.time());
  const double before = smoke.time();
  smoke.advance(0.1);
  EXPECT_NEAR(smoke.time(), before + 0.1, 1e-12);
}

// A source that is on for one short frame, and noise about the temperature of the air.
TEST(Smoke, SourcesAreOnForTheirTime) {
  SmokeParameters<2> p;
  p.refinement.min_level = p.refinement.max_level = 4;
  p.ambient = 300;
  Source<2> source{.shape = sphere_shape<2>({0.5, 0.5}, 0.3)};
  source.values = {{"density", 1}, {"temperature", 350}};
  source.end = 0.01;
  source.noise = {.amount = 1, .size = 0.1, .period = 1, .seed = 2};
  p.sources = {source};
  for (const auto stepping : {TimeStepping::projection, TimeStepping::reflection}) {
    p.stepping = stepping;
    Smoke<2> smoke(Domain<2>{}, p);
    EXPECT_GT(test::total_density(smoke.step(0.04)), 0.05);
    const double before = test::total_density(smoke.step(0.04));
    EXPECT_NEAR(test::total_density(smoke.step(0.04)), before, 1e-6);
    for (const float t : smoke.temperature().view()) {
      ASSERT_GE(t, 300 - 1e-3);
      ASSERT_LE(t, 350 + 1e-3);
    }
  }
}

// Smoke that slides along a box which is aligned with the grid is not held back by it.
TEST(Smoke, SlidesAlongAlignedWalls) {
  SmokeParameters<2> p;
  p.refinement.min_level = p.refinement.max_level = 5;
  p.walls.fill(Wall::closed);
  p.walls[0] = p.walls[1] = Wall::open;
  p.obstacles.push_back({.shape = box_shape<2>({-1, -1}, {2, 0.25})});
  Source<2> inlet{.shape = box_shape<2>({-1, -1}, {0.1, 2})};
  inlet.velocity = Vec<2>{1, 0};
  inlet.values = {{"density", 1}};
  p.sources.push_back(inlet);
  Smoke<2> smoke(Domain<2>{}, p);
  Smoke<2>::Start start;
  start.velocity = [](const Vec<2>& x) { return Vec<2>{x[1] > 0.25 ? 1.0 : 0.0, 0}; };
  smoke.start(start);
  for (int s = 0; s < 12; ++s) smoke.step(0.05);
  const MeshView<2> m = smoke.mesh().view();
  int on_the_wall = 0;
  for (std::size_t i = 0; i < m.node_count(); ++i) {
    const Vec<2> x = m.position(NodeId(i));
    if (x[1] != 0.25 || x[0] < 0.1 || x[0] > 0.5) continue;
    ++on_the_wall;
    EXPECT_GT(smoke.density()[NodeId(i)], 0.5F) << x[0];
  }
  EXPECT_GT(on_the_wall, 10);
}

// Of plane cuts the open part is exact; two triangles or four make no difference.
TEST(OpenArea, OfPlaneCutsIsExact) {
  EXPECT_EQ(open_part(1, 1), 1);
  EXPECT_EQ(open_part(-1, -1), 0);
  EXPECT_DOUBLE_EQ(open_part(-1, 3), 0.75);
  EXPECT_DOUBLE_EQ(open_part(-1, 1, 1), 0.75);
  EXPECT_DOUBLE_EQ(open_part(1, -1, -1), 0.25);
  const Random random(4);
  for (std::uint32_t k = 0; k < 200; ++k) {
    const double angle = 6.28 * random.uniform(k), shift = random.uniform(k, 1) * 1.4 - 0.7;
    const double nx = std::cos(angle), ny = std::sin(angle);
    auto d = [&](double x, double y) { return nx * (x - 0.5) + ny * (y - 0.5) + shift; };
    int open = 0;
    constexpr int n = 400;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) open += d((i + 0.5) / n, (j + 0.5) / n) >= 0;
    ASSERT_NEAR(open_part(d(0, 0), d(1, 0), d(0, 1), d(1, 1)), open / double{n * n}, 5e-3) << k;
  }
}

// The paper's way: faces are open or closed, and the flow goes round the same ball.
TYPED_TEST(SmokeTest, VoxelisedObstaclesGiveNearlyTheSameFlow) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p = test::plume<Dim>(5);
  Smoke<Dim> cut(Domain<Dim>{}, p);
  p.treatment = ObstacleTreatment::voxel;
  Smoke<Dim> voxel(Domain<Dim>{}, p);
  StepReport a, b;
  for (int s = 0; s < (test::sanitized ? 4 : 15); ++s) {
    a = cut.step(0.04);
    b = voxel.step(0.04);
  }
  for (const float w : voxel.boundary().open_area) ASSERT_TRUE(w == 0 || w == 1);
  EXPECT_NEAR(a.kinetic_energy, b.kinetic_energy, 0.1 * a.kinetic_energy);
  EXPECT_NE(a.kinetic_energy, b.kinetic_energy);
}

// Each of many obstacles has its own temperature inside.
TEST(Smoke, ManyObstacles) {
  SmokeParameters<2> p;
  p.refinement.min_level = p.refinement.max_level = test::sanitized ? 5 : 7;
  for (int i = 0; i < 300; ++i)
    p.obstacles.push_back(
        {.shape = sphere_shape<2>({(0.5 + i % 20) / 20, (0.5 + i / 20) / 15}, 0.015),
         .temperature = 300.0 + i});
  Smoke<2> smoke(Domain<2>{}, p);
  smoke.step(0.1);
  const MeshView<2> m = smoke.mesh().view();
  int inside = 0;
  for (std::size_t n = 0; n < m.node_count(); ++n)
    for (std::size_t i = 0; i < p.obstacles.size(); ++i)
      if (p.obstacles[i].shape(m.position(NodeId(n))) < -1e-6) {
        ++inside;
        ASSERT_EQ(smoke.temperature()[NodeId(n)], 300.0F + static_cast<float>(i));
      }
  EXPECT_GT(inside, test::sanitized ? 100 : 2000);
}

// The memory of one simulation is its own, whatever else there is.
TEST(Smoke, PeakOfMemoryBesideAnotherSimulation) {
  const SmokeParameters<3> p = test::plume<3>(5);
  auto peak = [&] {
    Smoke<3> smoke(Domain<3>{}, p);
    std::size_t most = 0;
    for (int s = 0; s < 4; ++s) {
      const StepReport r = smoke.step(0.04);
      EXPECT_GE(r.peak_bytes, r.bytes);
      most = std::max(most, r.peak_bytes);
    }
    return most;
  };
  const std::size_t alone = peak();
  const Smoke<3> other(Domain<3>{}, p);
  EXPECT_EQ(peak(), alone);
}

// A ball made of triangles is as good as a ball.
TEST(Smoke, TriangleMeshesAreObstacles) {
  TriangleMesh ball;
  constexpr int rows = 24, columns = 48;
  for (int i = 0; i <= rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const double a = 3.14159265358979 * i / rows, b = 6.28318530717959 * j / columns;
      ball.vertices.push_back({0.5 + 0.12 * std::sin(a) * std::cos(b),
                               0.5 + 0.12 * std::sin(a) * std::sin(b), 0.5 + 0.12 * std::cos(a)});
    }
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t j = 0; j < columns; ++j) {
      const std::uint32_t k = (j + 1) % columns;
      const std::uint32_t p = i * columns + j, q = i * columns + k;
      ball.triangles.push_back({p, p + columns, q});
      ball.triangles.push_back({q, p + columns, q + columns});
    }
  SmokeParameters<3> p = test::plume<3>(5);
  Smoke<3> exact(Domain<3>{}, p);
  p.obstacles[0].shape = closed_mesh_shape(ball);
  Smoke<3> meshed(Domain<3>{}, p);
  StepReport a, b;
  for (int s = 0; s < (test::sanitized ? 3 : 12); ++s) {
    a = exact.step(0.04);
    b = meshed.step(0.04);
  }
  EXPECT_NEAR(a.kinetic_energy, b.kinetic_energy, 0.01 * a.kinetic_energy);
  const double total = test::total_density(a);
  EXPECT_NEAR(total, test::total_density(b), 0.01 * total);
}

}  // namespace
}  // namespace octavo
