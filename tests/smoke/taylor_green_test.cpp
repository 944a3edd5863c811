// Taylor-Green vortices of an ideal fluid in a closed box: they should turn for ever. The reference is
// Basilisk's test of its own advection scheme (taylor-green.ref): mean error of the speed at t = 2 of
// 4.3e-3 with 64 cells along an edge, and 5.4e-4 with 128.

#include <gtest/gtest.h>

#include <numbers>

#include "octavo/operators/forces.h"
#include "support/refinement.h"
#include "support/sanitized.h"
#include "support/smoke_scene.h"

namespace octavo {
namespace {

Vec<2> exact(const Vec<2>& x) {
  const double k = 2 * std::numbers::pi;
  return {-std::sin(k * x[0]) * std::cos(k * x[1]), std::cos(k * x[0]) * std::sin(k * x[1])};
}

struct Result {
  double mean = 0, largest = 0;  // error of the speed
  double energy = 0;             // what is left of it
};

Result run(int level, AdvectionScheme scheme, TimeStepping stepping, bool refined = false) {
  SmokeParameters<2> p;
  p.advection = scheme;
  p.stepping = stepping;
  p.stop.relative = 1e-8;
  p.refinement.min_level = level;
  p.refinement.max_level = level + (refined ? 1 : 0);
  if (refined)
    p.refinement.rules = {{.by = RefineBy::region, .region = box_shape<2>({0.3, -1}, {0.7, 2})}};
  Smoke<2, double> smoke(Domain<2>{}, p);
  Smoke<2, double>::Start start;
  start.velocity = exact;
  smoke.start(start);
  const int steps = 1 << level;  // of two cells
  StepReport r;
  for (int s = 0; s < steps; ++s) r = smoke.step(2.0 / steps);

  Result result;
  const MeshView<2> m = smoke.mesh().view();
  for (std::size_t i = 0; i < m.leaf_count(); ++i) {
    const LeafId leaf(i);
    const double h = m.tree.size(leaf);
    const double error =
        std::abs(length(center_velocity<2, double>(m, smoke.velocity().view(), leaf)) -
                 length(exact(m.tree.center(leaf))));
    result.mean += error * h * h;
    result.largest = std::max(result.largest, error);
  }
  result.energy = r.kinetic_energy / 0.25;
  return result;
}

TEST(TaylorGreen, ReflectionIsWithinThreeTimesOfBasilisk) {
  if (test::sanitized) GTEST_SKIP() << "the same as on a refined grid, only larger";
  for (const auto scheme : {AdvectionScheme::maccormack, AdvectionScheme::bfecc}) {
    const Result coarse = run(6, scheme, TimeStepping::reflection);
    const Result fine = run(7, scheme, TimeStepping::reflection);
    EXPECT_LT(coarse.mean, 3 * 4.3e-3) << name(scheme);
    EXPECT_LT(fine.mean, 3 * 5.4e-4) << name(scheme);
    EXPECT_LT(fine.largest, 3 * 9.5e-4) << name(scheme);
    EXPECT_GT(test::order(coarse.mean, fine.mean), 2) << name(scheme);
    EXPECT_GT(fine.energy, 0.995);
    EXPECT_LT(fine.energy, 1.0001);
  }
}

// With leaves of two sizes it is of second order as well.
TEST(TaylorGreen, IsOfSecondOrderOnARefinedGrid) {
  const Result coarse = run(5, AdvectionScheme::maccormack, TimeStepping::reflection, true);
  const Result fine = run(6, AdvectionScheme::maccormack, TimeStepping::reflection, true);
  EXPECT_GT(test::order(coarse.mean, fine.mean), 1.9);
  EXPECT_LT(fine.mean, 1.3e-2);
}

// What the choices lose, in order.
TEST(TaylorGreen, EnergyFallsByChoice) {
  const double paper = run(6, AdvectionScheme::semi_lagrangian, TimeStepping::projection).energy;
  const double corrected = run(6, AdvectionScheme::maccormack, TimeStepping::projection).energy;
  const double reflected = run(6, AdvectionScheme::maccormack, TimeStepping::reflection).energy;
  EXPECT_LT(paper, 0.5);
  EXPECT_GT(corrected, paper + 0.05);
  EXPECT_GT(reflected, 0.98);
}

}  // namespace
}  // namespace octavo
