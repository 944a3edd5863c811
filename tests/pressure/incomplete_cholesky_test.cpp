// MIC(0): what it keeps of the matrix, and that it is what it says it is.

#include "octavo/pressure/incomplete_cholesky.h"

#include <gtest/gtest.h>

#include "octavo/pressure/projection.h"
#include "support/places.h"
#include "support/pressure_problem.h"

namespace octavo {
namespace {

using test::PressureProblem;

template <class D>
class IncompleteCholeskyTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(IncompleteCholeskyTest, test::Dims);

template <int Dim>
struct Factors {
  SiblingBlocks<Dim> sibling_blocks;
  IncompleteCholesky<Dim, double> mic;

  Factors(const PressureProblem<Dim, double>& p, PressureScheme scheme) {
    sibling_blocks.build(p.mesh);
    mic.build(p.faces(scheme), sibling_blocks.view());
  }
  std::vector<double> multiply(const std::vector<double>& v) const {
    Buffer<double> in(v.size()), out(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) in[i] = v[i];
    mic.multiply(in.view(), out.view());
    return {out.begin(), out.end()};
  }
  std::vector<double> solve(const std::vector<double>& r) {
    const Buffer<double> in =
        test::to_places<double>(sibling_blocks.view(), sibling_blocks.view().level_cell_count(), r);
    mic.apply(in.view());
    return test::to_leaves<Dim, double>(sibling_blocks.view(), mic.correction());
  }
};

// Random problems in which every part of the fluid touches a known pressure: an open wall, and no
// face that is closed altogether.
template <int Dim, class F>
void for_open_problems(int count, F&& f) {
  test::for_random_problems<Dim, double>(count,
                                         [&](PressureProblem<Dim, double>& p, std::uint64_t seed) {
                                           p.wall[1] = Wall::open;
                                           test::open_every_face(p);
                                           f(p, seed);
                                         });
}

TYPED_TEST(IncompleteCholeskyTest, KeepsRowSums) {
  constexpr int Dim = TestFixture::dim;
  for_open_problems<Dim>(200, [](const PressureProblem<Dim, double>& p, std::uint64_t) {
    const std::size_t n = p.mesh.leaf_count();
    for (const PressureScheme scheme : test::all_schemes()) {
      SCOPED_TRACE(test::describe(scheme));
      const PressureScheme factored =
          scheme.whole_faces() ? PressureScheme{GradientScheme::losasso04, {}} : scheme;
      const auto size = test::row_sizes(p.faces(factored));
      const auto sums = test::row_sizes(p.faces(factored), true);
      const auto product = Factors<Dim>(p, scheme).multiply(std::vector<double>(n, 1.0));
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_NEAR(product[i], sums[i], 1e-12 * size[i]) << "leaf " << i;
    }
  });
}

// In a closed box all rows sum to zero, but the last, whose equation follows from the others.
TYPED_TEST(IncompleteCholeskyTest, ClosedBoxesLoseTheLastRowOnly) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(100, [](const Octree<Dim>& tree, std::uint64_t) {
    if (tree.leaf_count() == 1) return;
    const PressureProblem<Dim, double> p(tree);
    const std::size_t n = p.mesh.leaf_count();
    const PressureScheme scheme{GradientScheme::losasso04, {}};
    const auto size = test::row_sizes(p.faces(scheme));
    const auto product = Factors<Dim>(p, scheme).multiply(std::vector<double>(n, 1.0));
    for (std::size_t i = 0; i + 1 < n; ++i) ASSERT_NEAR(product[i], 0, 1e-12 * size[i]);
    ASSERT_GT(product[n - 1], 0.5 * size[n - 1]);
  });
}

// apply() is the inverse of multiply(), symmetric and positive.
TYPED_TEST(IncompleteCholeskyTest, SolvesWithItsFactors) {
  constexpr int Dim = TestFixture::dim;
  for_open_problems<Dim>(200, [](const PressureProblem<Dim, double>& p, std::uint64_t seed) {
    const Random random(seed);
    const std::size_t n = p.mesh.leaf_count();
    const auto size = test::row_sizes(p.faces({GradientScheme::losasso04, {}}));
    std::vector<double> x(n, 0.0), y(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      if (p.faces({}).is_liquid(LeafId(i))) {
        x[i] = random.uniform(i, 1) - 0.5;
        y[i] = random.uniform(i, 2) - 0.5;
      }
    Factors<Dim> factors(p, {});
    const auto bx = factors.solve(x), by = factors.solve(y);
    const auto back = factors.multiply(bx);
    double xbx = 0, yby = 0, xby = 0, ybx = 0, largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      xbx += x[i] * bx[i], xby += x[i] * by[i], ybx += y[i] * bx[i], yby += y[i] * by[i];
      largest = std::max(largest, std::abs(bx[i]));
    }
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(back[i], x[i], 1e-13 * (1 + largest * size[i]));
    ASSERT_GE(xbx, 0);
    ASSERT_NEAR(xby, ybx, 1e-12 * std::sqrt(xbx * yby));
  });
}

// A ball-refined box: fewer than half of the iterations that scaling by the diagonal takes.
TYPED_TEST(IncompleteCholeskyTest, ConvergesFasterThanTheDiagonal) {
  constexpr int Dim = TestFixture::dim;
  const int finest = Dim == 2 ? 8 : 5;
  PressureProblem<Dim, double> p(Octree<Dim>::build({}, [=](const Leaf<Dim>& l) {
    const double d = length(l.center - Vec<Dim>::filled(0.4)) - 0.3;
    return l.level < 3 || (l.level < finest && std::abs(d) < l.size);
  }));
  for (const Wall wall : {Wall::closed, Wall::open}) {
    p.wall.fill(wall);
    for (const PressureScheme scheme : test::main_schemes()) {
      SCOPED_TRACE(test::describe(scheme));
      auto iterations = [&](Preconditioner preconditioner) {
        FaceField<double> u = test::random_velocity(p, 3);
        LeafField<double> pressure(p.mesh);
        const PressureReport report = Projection<Dim, double>().project(
            p.mesh, p.boundary(),
            {1, 1, scheme, preconditioner, {.relative = 1e-8, .max_iterations = 2000}}, u,
            pressure);
        EXPECT_TRUE(report.converged());
        return report.iterations;
      };
      const int mic = iterations(Preconditioner::mic0);
      const int diagonal = iterations(Preconditioner::diagonal);
      EXPECT_LT(2 * mic, diagonal) << mic << " and " << diagonal;
      EXPECT_GT(mic, 3);
    }
  }
}

}  // namespace
}  // namespace octavo
