// Solids by open area, against the exact potential flow past a cylinder (2D) and a sphere (3D), whose
// velocity is given on the walls of the box. The fluid starts with the uniform flow; the projection
// has to find the pressure by which the solid turns it aside.

#include <gtest/gtest.h>

#include "octavo/operators/divergence.h"
#include "octavo/pressure/projection.h"
#include "support/obstacle.h"
#include "support/pressure_problem.h"
#include "support/refinement.h"

namespace octavo {
namespace {

using test::Obstacle;
using test::PressureProblem;

template <class D>
class PotentialFlowTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(PotentialFlowTest, test::Dims);

struct FlowErrors {
  std::size_t leaves;
  double mean = 0, largest = 0;
};

template <int Dim>
void set_obstacle(PressureProblem<Dim, double>& p) {
  const MeshView<Dim> m = p.mesh.view();
  p.on_faces(p.open_area,
             [&](FaceId f) { return test::open_fraction(m.center(f), m.size(f), m.axis(f)); });
}

// The exact velocity of a wall face, `inside` elsewhere.
template <int Dim>
FaceField<double> with_walls(const PressureProblem<Dim, double>& p, const Vec<Dim>& inside) {
  const MeshView<Dim> m = p.mesh.view();
  return p.face_field([&](FaceId f) {
    const int a = m.axis(f);
    if (!m.is_wall(f)) return inside[a];
    return test::face_mean(m.center(f), m.size(f), a,
                           [a](const Vec<Dim>& x) { return Obstacle<Dim>::velocity(x, a); });
  });
}

template <int Dim>
PressureReport project(const PressureProblem<Dim, double>& p, FaceField<double>& u,
                       LeafField<double>& pressure, double relative = 1e-8) {
  const ProjectionOptions options{
      .time_step = 1, .scheme = {GradientScheme::losasso06s, {}}, .stop = {.relative = relative}};
  const PressureReport report =
      Projection<Dim, double>().project(p.mesh, p.boundary(), options, u, pressure);
  EXPECT_TRUE(report.converged()) << report.sentence();
  return report;
}

// Errors of the pressure in the fluid, up to a constant.
// The velocity far from the obstacle.
template <int Dim>
Vec<Dim> stream() {
  Vec<Dim> uniform{};
  uniform[0] = test::speed;
  return uniform;
}

template <int Dim>
FlowErrors measure(const Octree<Dim>& tree, bool voxels) {
  PressureProblem<Dim, double> p(tree);
  set_obstacle(p);
  for (double& w : p.open_area)
    if (voxels) w = std::round(w);
  const Vec<Dim> uniform = stream<Dim>();
  FaceField<double> u = with_walls(p, uniform);
  LeafField<double> pressure(p.mesh);
  EXPECT_LT(project(p, u, pressure).forced_divergence, 1e-6);

  const OctreeView<Dim> t = p.tree.view();
  FlowErrors e{.leaves = tree.leaf_count()};
  double volume = 0, mean = 0;
  auto for_fluid = [&](auto&& f) {
    for (std::size_t i = 0; i < pressure.size(); ++i) {
      const Vec<Dim> x = t.center(LeafId(i));
      if (Obstacle<Dim>::distance(x) > 0)
        f(pressure[LeafId(i)] - Obstacle<Dim>::pressure(x), std::pow(t.size(LeafId(i)), Dim));
    }
  };
  for_fluid([&](double error, double v) { mean += error * v, volume += v; });
  mean /= volume;
  for_fluid([&](double error, double v) {
    e.mean += std::abs(error - mean) * v / volume;
    e.largest = std::max(e.largest, std::abs(error - mean));
  });
  printf("  %-11s %6zu leaves: error of the pressure %.2e mean, %.2e largest\n",
         voxels ? "voxels" : "open areas", e.leaves, e.mean, e.largest);
  return e;
}

template <int Dim>
double order_of_accuracy(bool voxels) {
  const auto errors =
      test::refine_and_measure(test::tree_around<Dim>(), Dim == 2 ? 4 : 2,
                               [=](const Octree<Dim>& tree) { return measure<Dim>(tree, voxels); });
  printf("  orders %.2f %.2f\n", test::mean_order(errors, &FlowErrors::mean),
         test::mean_order(errors, &FlowErrors::largest));
  return test::mean_order(errors, &FlowErrors::mean);
}

TYPED_TEST(PotentialFlowTest, OpenAreasAreOfSecondOrder) {
  EXPECT_GE(order_of_accuracy<TestFixture::dim>(false), 1.8);
}
TYPED_TEST(PotentialFlowTest, VoxelsAreOfFirstOrder) {
  EXPECT_LE(order_of_accuracy<TestFixture::dim>(true), 1.5);
}

// The same obstacle moving through fluid at rest: the same pressure, seen from another frame.
TYPED_TEST(PotentialFlowTest, AMovingObstacleFeelsTheSamePressure) {
  constexpr int Dim = TestFixture::dim;
  PressureProblem<Dim, double> p(test::tree_around<Dim>());
  const MeshView<Dim> m = p.mesh.view();
  set_obstacle(p);
  const Vec<Dim> uniform = stream<Dim>();
  FaceField<double> resting = with_walls(p, uniform), moving = resting;
  LeafField<double> pressure(p.mesh), same(p.mesh);
  project(p, resting, pressure, 1e-12);
  for (std::size_t i = 0; i < moving.size(); ++i) moving[FaceId(i)] -= uniform[m.axis(FaceId(i))];
  p.on_faces(p.solid_velocity, [&](FaceId f) { return -uniform[m.axis(f)]; });
  project(p, moving, same, 1e-12);
  for (std::size_t i = 0; i < pressure.size(); ++i)
    if (Obstacle<Dim>::distance(m.tree.center(LeafId(i))) > 0) {
      ASSERT_NEAR(pressure[LeafId(i)], same[LeafId(i)], 1e-9);
    }
  for (std::size_t i = 0; i < moving.size(); ++i)
    if (p.open_area[i] > 0.1) {
      ASSERT_NEAR(moving[FaceId(i)] + uniform[m.axis(FaceId(i))], resting[FaceId(i)], 1e-9);
    }
}

// Openings that are there only by rounding do no harm: the flow outside is the same as without them.
TYPED_TEST(PotentialFlowTest, OpeningsOfRoundingSize) {
  constexpr int Dim = TestFixture::dim;
  PressureProblem<Dim, double> p(test::tree_around<Dim>());
  set_obstacle(p);
  const Vec<Dim> uniform = stream<Dim>();
  FaceField<double> without = with_walls(p, uniform), with = without;
  LeafField<double> pressure(p.mesh), same(p.mesh);
  project(p, without, pressure, 1e-10);
  for (std::size_t i = 0; i < p.open_area.size(); ++i)
    if (p.open_area[i] == 0) p.open_area[i] = 1e-16 * static_cast<double>(i % 3);
  project(p, with, same, 1e-10);
  for (std::size_t i = 0; i < with.size(); ++i)
    if (p.open_area[i] > 0.1) {
      ASSERT_NEAR(with[FaceId(i)], without[FaceId(i)], 1e-7);
    }
}

// A solid that moves and turns in a closed box displaces as much as it makes room for: nothing is
// forced, and everything can be made free of divergence.
TYPED_TEST(PotentialFlowTest, RigidMotionConservesVolume) {
  constexpr int Dim = TestFixture::dim;
  PressureProblem<Dim, double> p(test::tree_around<Dim>());
  const MeshView<Dim> m = p.mesh.view();
  set_obstacle(p);
  p.on_faces(p.solid_velocity, [&](FaceId f) {
    const Vec<Dim> x = m.center(f);
    const int a = m.axis(f);
    return a == 0 ? 1 - 2 * x[1] : a == 1 ? -0.5 + 2 * x[0] : 0.25;
  });
  FaceField<double> u(p.mesh, 0.0);
  LeafField<double> pressure(p.mesh);
  const PressureReport report = project(p, u, pressure, 1e-10);
  EXPECT_LT(report.forced_divergence, 1e-12);
  EXPECT_GT(report.divergence_before, 0.1);
  EXPECT_LT(report.divergence_after, 2e-10 * report.divergence_before);
  double total = 0, moved = 0;
  for (std::size_t i = 0; i < m.leaf_count(); ++i)
    total += outflow<Dim, double>(m, p.boundary(), u.view(), LeafId(i));
  EXPECT_NEAR(total, 0, 1e-12);
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (p.open_area[i] == 0) {
      ASSERT_EQ(u[FaceId(i)], p.solid_velocity[i]);
    }
    if (p.open_area[i] == 1 && !m.is_wall(FaceId(i)))
      moved = std::max(moved, std::abs(u[FaceId(i)]));
  }
  EXPECT_GT(moved, 0.5);
}

}  // namespace
}  // namespace octavo
