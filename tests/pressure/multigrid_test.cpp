// Multigrid as a preconditioner: symmetric, positive, and the way to the same solution.

#include "octavo/pressure/multigrid.h"

#include <gtest/gtest.h>

#include "octavo/pressure/projection.h"
#include "support/dense_matrix.h"
#include "support/places.h"
#include "support/pressure_problem.h"

namespace octavo {
namespace {

using test::DenseMatrix;
using test::PressureProblem;

template <class D>
class MultigridTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(MultigridTest, test::Dims);

// B over leaves.
template <int Dim, class Real>
struct Cycle {
  PressureMatrix<Dim, Real> matrix;
  Multigrid<Dim, Real> multigrid;

  Cycle(const PressureProblem<Dim, Real>& p, PressureScheme scheme) {
    matrix.build(p.mesh, p.boundary(), scheme);
    multigrid.build(matrix);
  }
  std::vector<double> apply(const std::vector<double>& r) {
    const Buffer<double> in =
        test::to_places<double>(matrix.sibling_blocks().view(), matrix.vector_size(), r);
    multigrid.apply(in.view());
    return test::to_leaves<Dim, float>(matrix.sibling_blocks().view(), multigrid.correction());
  }
};

// Noise at the leaves that have an equation, times the root of its diagonal entry: every leaf then
// counts alike, whatever its size.
std::vector<double> noise(const std::vector<double>& diagonal, std::uint64_t seed) {
  const Random random(seed);
  std::vector<double> x(diagonal.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = std::sqrt(diagonal[i]) * (random.uniform(i) - 0.5);
  return x;
}

double dot_product(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

template <int Dim, class Real>
void expect_symmetric_and_positive(int problems) {
  test::for_random_problems<Dim, Real>(
      problems, [](const PressureProblem<Dim, Real>& p, std::uint64_t seed) {
        for (const PressureScheme scheme : test::all_schemes()) {
          SCOPED_TRACE(test::describe(scheme));
          Cycle<Dim, Real> b(p, scheme);
          const auto diagonal = test::diagonal(b.matrix);
          const auto x = noise(diagonal, 2 * seed), y = noise(diagonal, 2 * seed + 1);
          if (dot_product(x, x) == 0) continue;
          const auto bx = b.apply(x), by = b.apply(y);
          const double xbx = dot_product(x, bx), yby = dot_product(y, by);
          ASSERT_GT(xbx, 0);
          ASSERT_GT(yby, 0);
          ASSERT_NEAR(dot_product(x, by), dot_product(y, bx), 1e-5 * std::sqrt(xbx * yby));
        }
      });
}

TYPED_TEST(MultigridTest, SymmetricAndPositive) {
  expect_symmetric_and_positive<TestFixture::dim, float>(200);
}
TYPED_TEST(MultigridTest, SymmetricAndPositiveWithMatricesOfDoubles) {
  expect_symmetric_and_positive<TestFixture::dim, double>(50);
}

// Coefficients of eight bits: 0 and 1 as they are, others within half of the last one.
TEST(ShortFloatTest, EightSignificantBits) {
  for (const float exact : {0.0f, 1.0f, 0.5f, 0.75f, 1024.0f})
    EXPECT_EQ(static_cast<float>(ShortFloat(exact)), exact);
  const Random random(1);
  for (std::size_t i = 0; i < 1000; ++i) {
    const auto x = static_cast<float>(std::ldexp(1 + random.uniform(i), random.below(60, i) - 50));
    EXPECT_LE(std::abs(static_cast<float>(ShortFloat(x)) - x), x / 256);
    EXPECT_EQ(static_cast<float>(ShortFloat(x)), shortened(x));
  }
}

// All of B on small trees: every eigenvalue is positive.
TYPED_TEST(MultigridTest, EveryEigenvalueIsPositive) {
  constexpr int Dim = TestFixture::dim;
  int seen = 0;
  test::for_random_problems<Dim, double>(
      150,
      [&](const PressureProblem<Dim, double>& p, auto) {
        if (p.mesh.leaf_count() >= 60) return;
        for (const PressureScheme scheme : test::main_schemes()) {
          SCOPED_TRACE(test::describe(scheme));
          Cycle<Dim, double> cycle(p, scheme);
          const auto diagonal = test::diagonal(cycle.matrix);
          std::vector<std::size_t> rows;
          for (std::size_t i = 0; i < diagonal.size(); ++i)
            if (diagonal[i] > 0) rows.push_back(i);
          DenseMatrix b(rows.size());
          std::vector<double> root(rows.size());
          for (std::size_t j = 0; j < rows.size(); ++j) {
            std::vector<double> unit(diagonal.size(), 0.0);
            unit[rows[j]] = 1;
            const auto column = cycle.apply(unit);
            root[j] = std::sqrt(diagonal[rows[j]]);
            for (std::size_t i = 0; i < rows.size(); ++i) b(i, j) = column[rows[i]];
          }
          if (rows.empty()) continue;
          const auto lambda = test::eigenvalues(test::scaled(b, root));
          ASSERT_GT(lambda.front(), 0.05);
          ++seen;
        }
      },
      40);
  EXPECT_GT(seen, test::problem_count(50));
}

// Three routes to one pressure; multigrid's to a divergence of 1e-10 of the first, and the shortest.
template <int Dim, class Real>
void expect_same_solution(int problems, double others, double rounding) {
  test::for_random_problems<Dim, Real>(
      problems, [&](const PressureProblem<Dim, Real>& p, std::uint64_t seed) {
        const double extent = length(p.tree.domain().box().size());
        for (const PressureScheme scheme : test::main_schemes()) {
          SCOPED_TRACE(test::describe(scheme));
          double start = 0;
          auto solve = [&](Preconditioner preconditioner, double divergence, int max_iterations) {
            FaceField<Real> u = test::random_velocity(p, seed);
            LeafField<Real> pressure(p.mesh);
            const PressureReport report = Projection<Dim, Real>().project(
                p.mesh, p.boundary(),
                {1, 1, scheme, preconditioner, {divergence, 0, max_iterations}}, u, pressure);
            EXPECT_TRUE(report.converged()) << name(preconditioner) << ": " << report.sentence();
            start = report.history.divergence.front();
            return pressure;
          };
          const auto reference = solve(Preconditioner::multigrid, 1e-10, 40);
          const auto mic = solve(Preconditioner::mic0, others, 1000);
          const auto diagonal = solve(Preconditioner::diagonal, others, 3000);
          double largest = 0, worst = 0;
          for (std::size_t i = 0; i < reference.size(); ++i) {
            const LeafId leaf(i);
            const auto q = static_cast<double>(reference[leaf]);
            largest = std::max(largest, std::abs(q));
            worst = std::max({worst, std::abs(static_cast<double>(mic[leaf]) - q),
                              std::abs(static_cast<double>(diagonal[leaf]) - q)});
          }
          // Pressures that differ in their Laplacian by d differ by no more than d extent^2, or some
          // times that if solids narrow the way.
          ASSERT_LE(worst, 10 * others * start * extent * extent + rounding * largest);
        }
      });
}

TYPED_TEST(MultigridTest, SameSolutionAsOtherPreconditioners) {
  expect_same_solution<TestFixture::dim, double>(60, 1e-10, 1e-11);
}
TYPED_TEST(MultigridTest, SameSolutionAsOtherPreconditionersInFloat) {
  expect_same_solution<TestFixture::dim, float>(60, 1e-8, 1e-6);
}

}  // namespace
}  // namespace octavo
