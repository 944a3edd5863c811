// The pressure matrix by two routes: PressureMatrix, which works on sibling blocks of siblings, and the
// face-by-face operator it stands for.

#include "octavo/pressure/pressure_matrix.h"

#include <gtest/gtest.h>

#include "support/dense_matrix.h"
#include "support/places.h"
#include "support/pressure_problem.h"

namespace octavo {
namespace {

using test::DenseMatrix;
using test::PressureProblem;

template <class D>
class PressureMatrixTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(PressureMatrixTest, test::Dims);

// Random values at liquid leaves, zero elsewhere.
template <int Dim, class Real>
std::vector<double> random_pressure(const FlowBoundary<Dim, Real>& boundary, std::size_t count,
                                    std::uint64_t seed) {
  const Random random(seed * 13 + 1);
  std::vector<double> q(count, 0.0);
  for (std::size_t i = 0; i < count; ++i)
    if (boundary.is_liquid(LeafId(i)))
      q[i] = static_cast<double>(static_cast<Real>(2 * random.uniform(i) - 1));
  return q;
}

// A q, and q . A q, by both routes; relative to the size of a row.
template <int Dim, class Real>
void expect_same_product(int problems, double tolerance) {
  std::size_t hanging_faces = 0, blocks = 0;
  test::for_random_problems<Dim, Real>(
      problems, [&](const PressureProblem<Dim, Real>& p, std::uint64_t seed) {
        const auto q = random_pressure(p.boundary(), p.mesh.leaf_count(), seed);
        PressureMatrix<Dim, Real> matrix;
        for (const PressureScheme scheme : test::all_schemes()) {
          SCOPED_TRACE(test::describe(scheme));
          const auto faces = p.faces(scheme);
          matrix.build(p.mesh, p.boundary(), scheme);
          const auto [fast, energy] = test::apply(matrix, q);
          const auto slow = test::slow_apply(faces, q);
          const auto size = test::row_sizes(faces);
          double slow_energy = 0, total = 0;
          for (std::size_t i = 0; i < q.size(); ++i) {
            ASSERT_NEAR(fast[i], slow[i], tolerance * size[i]) << "leaf " << i;
            slow_energy += q[i] * slow[i];
            total += size[i];
          }
          ASSERT_NEAR(energy, slow_energy, tolerance * total);
        }
        hanging_faces += matrix.hanging_faces().view().count();
        blocks += matrix.view().fraction.size();
      });
  EXPECT_GT(hanging_faces, 1000u);
  EXPECT_GT(blocks, 1000u);
}

TYPED_TEST(PressureMatrixTest, AppliesTheOperatorOfTheFaces) {
  expect_same_product<TestFixture::dim, double>(200, 1e-12);
}

TYPED_TEST(PressureMatrixTest, AppliesTheOperatorOfTheFacesInFloat) {
  expect_same_product<TestFixture::dim, float>(200, 1e-5);
}

// Liquid leaves have an equation, unless solids cover all their faces.
TYPED_TEST(PressureMatrixTest, CountsLiquidLeaves) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_problems<Dim, float>(100, [](const PressureProblem<Dim, float>& p, auto) {
    PressureMatrix<Dim, float> matrix;
    matrix.build(p.mesh, p.boundary(), {});
    const auto has_equation = test::equations(matrix);
    std::size_t count = 0;
    for (std::size_t i = 0; i < has_equation.size(); ++i) {
      ASSERT_EQ(has_equation[i], test::holds_liquid(p.faces({}), LeafId(i))) << "leaf " << i;
      count += has_equation[i] ? 1 : 0;
    }
    ASSERT_EQ(matrix.liquid_leaves(), count);
  });
}

// Rows sum to their surface terms: a constant pressure drives nothing but what passes a surface.
TYPED_TEST(PressureMatrixTest, RowsSumToTheSurfaceTerms) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_problems<Dim, double>(200, [](const PressureProblem<Dim, double>& p, auto) {
    std::vector<double> one(p.mesh.leaf_count(), 0.0);
    for (std::size_t i = 0; i < one.size(); ++i) one[i] = p.boundary().is_liquid(LeafId(i)) ? 1 : 0;
    PressureMatrix<Dim, double> matrix;
    for (const PressureScheme scheme : test::all_schemes()) {
      SCOPED_TRACE(test::describe(scheme));
      matrix.build(p.mesh, p.boundary(), scheme);
      const auto sums = test::apply(matrix, one).first;
      const auto faces = p.faces(scheme);
      const auto size = test::row_sizes(faces), surface = test::row_sizes(faces, true);
      for (std::size_t i = 0; i < one.size(); ++i)
        ASSERT_NEAR(sums[i], surface[i], 1e-13 * size[i]) << "leaf " << i;
    }
  });
}

// On every level, a face has one coefficient, whichever of its two cells is asked: to the last bit, for
// the multigrid keeps only eight of them.
template <int Dim, class Real>
Real coefficient(const PressureMatrixView<Dim, Real>& m, SiblingBlockId sibling_block, int slot,
                 int side) {
  if (m.block[sibling_block] == no_block) return 1;
  const bool outer = SiblingBlocksView<Dim>::is_outer(slot, side);
  return m.fraction[block_entry<Dim>(m.block[sibling_block], slot, side / 2, outer)];
}
TYPED_TEST(PressureMatrixTest, CoarseFacesAreTheSameFromBothSides) {
  constexpr int Dim = TestFixture::dim;
  using SiblingBlocks = SiblingBlocksView<Dim>;
  std::size_t partly = 0;
  test::for_random_problems<Dim, float>(300, [&](const PressureProblem<Dim, float>& p, auto) {
    PressureMatrix<Dim, float> matrix;
    matrix.build(p.mesh, p.boundary(), {});
    const auto m = matrix.view();
    for (std::size_t f = 0; f < m.sibling_blocks.sibling_block_count(); ++f)
      for (int slot = 0; slot < SiblingBlocks::width; ++slot)
        for (int side = 0; side < side_count<Dim>; ++side) {
          const SiblingBlockId sibling_block(f),
              other = SiblingBlocks::is_outer(slot, side)
                          ? m.sibling_blocks.neighbor_of(sibling_block, side)
                          : sibling_block;
          const int across = SiblingBlocks::across(slot, side);
          if (((m.active[f] >> slot) & 1) == 0 || ((m.active[other] >> across) & 1) == 0) continue;
          const float own = coefficient(m, sibling_block, slot, side);
          ASSERT_EQ(own, coefficient(m, other, across, side ^ 1)) << "sibling block " << f;
          partly += own > 0 && own != 1 ? 1 : 0;
        }
  });
  EXPECT_GT(partly, 1000u);
}

// The whole matrix, column by column, f(q) being a product with it.
template <class F>
DenseMatrix assemble(std::size_t n, F&& f) {
  DenseMatrix a(n);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> unit(n, 0.0);
    unit[j] = 1;
    const auto column = f(unit);
    for (std::size_t i = 0; i < n; ++i) a(i, j) = column[i];
  }
  return a;
}

// Symmetric up to the order in which three factors are multiplied (1e-15 of the diagonal entries),
// positive semidefinite, with the diagonal that full_diagonal() gives; assembled by both routes.
TYPED_TEST(PressureMatrixTest, SymmetricAndPositive) {
  constexpr int Dim = TestFixture::dim;
  int singular = 0, regular = 0;
  test::for_random_problems<Dim, double>(
      150,
      [&](const PressureProblem<Dim, double>& p, auto) {
        const std::size_t n = p.mesh.leaf_count();
        if (n >= 60) return;
        PressureMatrix<Dim, double> matrix;
        for (const PressureScheme scheme : test::all_schemes()) {
          SCOPED_TRACE(test::describe(scheme));
          matrix.build(p.mesh, p.boundary(), scheme);
          const auto faces = p.faces(scheme);
          const auto liquid = [&](const std::vector<double>& unit) {
            for (std::size_t i = 0; i < n; ++i)
              if (unit[i] != 0 && !p.boundary().is_liquid(LeafId(i))) return false;
            return true;
          };
          const DenseMatrix a = assemble(n, [&](const std::vector<double>& unit) {
            return liquid(unit) ? test::apply(matrix, unit).first : std::vector<double>(n, 0.0);
          });
          const DenseMatrix b = assemble(
              n, [&](const std::vector<double>& unit) { return test::slow_apply(faces, unit); });
          const auto diagonal = test::diagonal(matrix);
          std::vector<double> d(n);
          for (std::size_t i = 0; i < n; ++i) {
            ASSERT_NEAR(diagonal[i], b(i, i), 1e-14 * b(i, i)) << "leaf " << i;
            ASSERT_NEAR(diagonal[i], a(i, i), 1e-14 * b(i, i)) << "leaf " << i;
            d[i] = b(i, i) > 0 ? 1 / std::sqrt(b(i, i)) : 0;
          }
          const DenseMatrix unit_a = test::scaled(a, d), unit_b = test::scaled(b, d);
          ASSERT_LT(unit_a.asymmetry(), 1e-15);
          ASSERT_LT(unit_b.asymmetry(), 1e-15);
          for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) ASSERT_NEAR(unit_a(i, j), unit_b(i, j), 1e-14);
          const auto lambda = test::eigenvalues(unit_a);
          ASSERT_GT(lambda.front(), -1e-13);
          (lambda.front() < 1e-13 ? singular : regular) += 1;
        }
      },
      40);
  EXPECT_GT(singular, test::problem_count(15));
  EXPECT_GT(regular, test::problem_count(15));
}

}  // namespace
}  // namespace octavo
