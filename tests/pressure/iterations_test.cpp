// How many iterations the multigrid takes: few, and the same few for every box of fluid.

#include <gtest/gtest.h>

#include "octavo/pressure/projection.h"
#include "support/pressure_cases.h"

namespace octavo {
namespace {

using test::PressureCase;

// Iterations until the residual has fallen by a factor.
int iterations_to(const SolveReport& history, double factor) {
  for (std::size_t i = 0; i < history.residual.size(); ++i)
    if (history.residual[i] <= factor * history.residual[0]) return static_cast<int>(i);
  return 1000;
}

struct Counts {
  std::size_t leaves;
  int to_1e6, to_1e10;
};

template <class Real>
Counts count_iterations(const PressureCase& c, PressureScheme scheme) {
  const auto p = test::make_problem<Real>(c);
  FaceField<Real> velocity = test::stirred_velocity(*p);
  LeafField<Real> pressure(p->mesh);
  const ProjectionOptions options{
      .time_step = 1, .scheme = scheme, .stop = {.relative = 1e-11, .max_iterations = 50}};
  const PressureReport report =
      Projection<3, Real>().project(p->mesh, p->boundary(), options, velocity, pressure);
  const Counts counts{p->mesh.leaf_count(), iterations_to(report.history, 1e-6),
                      iterations_to(report.history, 1e-10)};
  printf("  %-24s %-10s %6zu leaves: %2d iterations to 1e-6, %2d to 1e-10\n", c.name.c_str(),
         std::string(name(scheme.scheme)).c_str(), counts.leaves, counts.to_1e6, counts.to_1e10);
  return counts;
}

class IterationsTest : public ::testing::TestWithParam<std::size_t> {};

// Ten thousand to a hundred thousand leaves.
TEST_P(IterationsTest, FewInEveryBox) {
  const PressureCase c = test::pressure_cases(6)[GetParam()];
  SCOPED_TRACE(c.name);
  std::vector<PressureScheme> schemes = test::main_schemes();
  if (c.liquid) schemes.push_back({GradientScheme::losasso06s, {}, SurfaceRows::secant});
  for (const PressureScheme scheme : schemes) {
    if (scheme.scheme == GradientScheme::losasso06) continue;  // the same matrix as losasso06s
    SCOPED_TRACE(test::describe(scheme));
    const Counts counts = count_iterations<float>(c, scheme);
    EXPECT_GT(counts.leaves, 5000u);
    EXPECT_LE(counts.to_1e6, 8);
    EXPECT_LE(counts.to_1e10, 14);
  }
}

std::string name_of_case(const ::testing::TestParamInfo<std::size_t>& parameter) {
  std::string name = test::pressure_cases(6)[parameter.param].name;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Boxes, IterationsTest,
                         ::testing::Range(std::size_t{0}, test::pressure_cases(6).size()),
                         name_of_case);

// One level more, eight (surfaces: four) times the leaves: no more than two iterations more.
TEST(Iterations, DoNotGrowWithTheTree) {
  for (const std::size_t i : {0u, 3u, 7u}) {
    const PressureScheme scheme{GradientScheme::losasso06s, {}};
    const Counts small = count_iterations<float>(test::pressure_cases(4)[i], scheme);
    const Counts large = count_iterations<float>(test::pressure_cases(6)[i], scheme);
    EXPECT_GT(large.leaves, 8 * small.leaves);
    EXPECT_LE(large.to_1e6, small.to_1e6 + 2);
    EXPECT_LE(large.to_1e10, small.to_1e10 + 2);
  }
}

}  // namespace
}  // namespace octavo
