// When the solver stops, what it says then, and what it does when it is asked for too much or for
// nothing.

#include <gtest/gtest.h>

#include <vector>

#include "octavo/pressure/projection.h"
#include "support/preconditioners.h"
#include "support/pressure_problem.h"
#include "support/sanitized.h"

namespace octavo {
namespace {

using test::PressureProblem;

template <class D>
class StoppingTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(StoppingTest, test::Dims);

// A closed box refined towards one point.
template <int Dim>
Octree<Dim> pointed_tree(int finest, const Domain<Dim>& domain = {}) {
  return Octree<Dim>::build(domain, [=](const Leaf<Dim>& l) {
    const Vec<Dim> point = domain.origin + Vec<Dim>::filled(0.3 * domain.root_size);
    return l.level < 3 || (l.level < finest && length(l.center - point) < 2 * l.size);
  });
}

template <int Dim>
PressureReport project(const PressureProblem<Dim, double>& p, FaceField<double>& u,
                       LeafField<double>& pressure, const StopRule& stop,
                       Preconditioner preconditioner = Preconditioner::multigrid) {
  return Projection<Dim, double>().project(p.mesh, p.boundary(), {1, 1, {}, preconditioner, stop},
                                           u, pressure);
}

TYPED_TEST(StoppingTest, SaysSoIfIterationsRunOut) {
  constexpr int Dim = TestFixture::dim;
  const PressureProblem<Dim, double> p(pointed_tree<Dim>(6));
  for (const Preconditioner preconditioner : test::preconditioners) {
    FaceField<double> u = test::random_velocity(p, 1);
    LeafField<double> pressure(p.mesh);
    const PressureReport r = project(p, u, pressure, {.max_iterations = 1}, preconditioner);
    EXPECT_EQ(r.outcome, SolveOutcome::not_converged);
    EXPECT_FALSE(r.converged());
    EXPECT_EQ(r.iterations, 1);
    EXPECT_EQ(r.history.residual.size(), 2u);
    EXPECT_NE(r.sentence().find("did not converge"), std::string::npos) << r.sentence();
    EXPECT_NE(r.sentence().find("1 iteration"), std::string::npos) << r.sentence();
    EXPECT_LT(r.residual_after, r.residual_before);
  }
  FaceField<double> u = test::random_velocity(p, 1);
  LeafField<double> pressure(p.mesh);
  EXPECT_EQ(project(p, u, pressure, {.max_iterations = 0}).outcome, SolveOutcome::not_converged);
}

TYPED_TEST(StoppingTest, EitherBoundIsEnough) {
  constexpr int Dim = TestFixture::dim;
  const PressureProblem<Dim, double> p(pointed_tree<Dim>(6));
  FaceField<double> u = test::random_velocity(p, 1), v = u, w = u;
  LeafField<double> pu(p.mesh), pv(p.mesh), pw(p.mesh);
  const PressureReport relative = project(p, u, pu, {.relative = 1e-7});
  const PressureReport absolute = project(p, v, pv, {.relative = 0, .divergence = 1e-5});
  EXPECT_TRUE(relative.converged());
  EXPECT_LE(relative.divergence_after, 1.01e-7 * relative.history.divergence.front());
  EXPECT_TRUE(absolute.converged());
  EXPECT_LE(absolute.divergence_after, 1.01e-5);
  EXPECT_GT(absolute.divergence_after, 1e-9);
  EXPECT_EQ(project(p, w, pw, {.relative = 0, .divergence = 1e9}).iterations, 0);
}

TYPED_TEST(StoppingTest, FluidAtRestNeedsNothing) {
  constexpr int Dim = TestFixture::dim;
  for (const Wall wall : {Wall::closed, Wall::open})
    for (const Preconditioner preconditioner : test::preconditioners) {
      PressureProblem<Dim, double> p(pointed_tree<Dim>(5));
      p.wall.fill(wall);
      FaceField<double> u(p.mesh, 0.0);
      LeafField<double> pressure(p.mesh);
      const PressureReport r = project(p, u, pressure, {}, preconditioner);
      EXPECT_TRUE(r.converged());
      EXPECT_EQ(r.iterations, 0);
      EXPECT_EQ(r.divergence_after, 0);
    }
}

// The pressure that solved the problem, passed back with the velocity of before: hardly anything is
// left to do.
TYPED_TEST(StoppingTest, AWarmStartSavesTheIterations) {
  constexpr int Dim = TestFixture::dim;
  for (const Wall wall : {Wall::closed, Wall::open})
    for (const Preconditioner preconditioner : test::preconditioners) {
      SCOPED_TRACE(name(preconditioner));
      PressureProblem<Dim, double> p(pointed_tree<Dim>(6));
      p.wall.fill(wall);
      const FaceField<double> before = test::random_velocity(p, 1);
      FaceField<double> u = before, v = before;
      LeafField<double> pressure(p.mesh);
      const PressureReport first = project(p, u, pressure, {.relative = 1e-6}, preconditioner);
      const PressureReport second = project(p, v, pressure, {.relative = 1e-6}, preconditioner);
      EXPECT_TRUE(first.converged() && second.converged());
      EXPECT_GT(first.iterations, 3);
      EXPECT_LE(second.iterations, 2);
      EXPECT_LE(second.divergence_after, 1.01e-6 * first.history.divergence.front());
    }
}

// Asked for more than rounding allows, the solver gives what it can, and does not spoil it.
TYPED_TEST(StoppingTest, AskingForTooMuchDoesNoHarm) {
  constexpr int Dim = TestFixture::dim;
  for (const Wall wall : {Wall::closed, Wall::open})
    for (const int finest : test::sanitized ? std::vector{4, 8} : std::vector{4, 8, 13})
      for (const Preconditioner preconditioner : test::preconditioners) {
        SCOPED_TRACE(testing::Message() << name(preconditioner) << ", finest level " << finest
                                        << (wall == Wall::open ? ", open" : ", closed"));
        PressureProblem<Dim, double> p(pointed_tree<Dim>(finest));
        p.wall.fill(wall);
        FaceField<double> u = test::random_velocity(p, 1);
        LeafField<double> pressure(p.mesh);
        const PressureReport r =
            project(p, u, pressure, {.relative = 0, .max_iterations = 1000}, preconditioner);
        EXPECT_LT(r.divergence_after, 1e-9 * r.divergence_before);
      }
}

// The same box in nanometres or light years, slow or fast, takes the same iterations.
TYPED_TEST(StoppingTest, UnitsDoNotMatter) {
  constexpr int Dim = TestFixture::dim;
  auto iterations = [](double size, double speed) {
    Domain<Dim> domain;
    domain.root_size = size;
    const PressureProblem<Dim, double> p(pointed_tree<Dim>(6, domain));
    FaceField<double> u = test::random_velocity(p, 1);
    for (double& v : u.view()) v *= speed;
    LeafField<double> pressure(p.mesh);
    const PressureReport r = project(p, u, pressure, {.relative = 1e-10});
    EXPECT_TRUE(r.converged()) << size << " m, " << speed << " m/s: " << r.sentence();
    return r.iterations;
  };
  const int usual = iterations(1, 1);
  for (const double size : {1e-9, 1e-3, 1e4, 1e9})
    for (const double speed : {1e-12, 1.0, 1e12}) EXPECT_NEAR(iterations(size, speed), usual, 1);
}

}  // namespace
}  // namespace octavo
