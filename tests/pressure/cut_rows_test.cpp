// Rows that a free surface cuts: what their weights and groups promise, the pressure matrix by another route, and that
// the projection is orthogonal in the norm of the rows.

#include "octavo/pressure/cut_rows.h"

#include <gtest/gtest.h>

#include "octavo/pressure/projection.h"
#include "support/dense_rows.h"
#include "support/places.h"
#include "support/preconditioners.h"
#include "support/still_water.h"

namespace octavo {
namespace {

using test::DenseMatrix;
using test::DenseRows;
using test::PressureProblem;

template <class D>
class CutRowsTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(CutRowsTest, test::Dims);

// Random problems with a surface: a plane or a ball in half of them, noise in the others; solids, at rest, in half.
template <int Dim, class F>
void for_surfaces(int count, F&& f, double size = 150) {
  test::for_random_problems<Dim, double>(
      count,
      [&](PressureProblem<Dim, double>& p, std::uint64_t seed) {
        const Random random(seed * 5 + 2);
        const Box<Dim> box = p.tree.domain().box();
        const auto up = test::tilted_up<Dim>(1.5 * random.uniform(1), 6 * random.uniform(2));
        Vec<Dim> center = box.lo;
        for (int a = 0; a < Dim; ++a)
          center[a] +=
              (0.3 + 0.4 * random.uniform(3, static_cast<std::uint32_t>(a))) * box.size()[a];
        const int kind = random.below(4, 4);
        p.on_leaves(p.level_set, [&](LeafId l) {
          const Vec<Dim> x = p.tree.view().center(l) - center;
          const double h = p.tree.view().size(l);
          return kind == 0   ? length(x) - 0.3 * box.size()[0]
                 : kind == 1 ? dot(up, x)
                             : (random.uniform(l, 5) - 0.6) * h;
        });
        p.solid_velocity.resize(0);
        p.surface_pressure.resize(0);
        p.gravity = up * -9.81;
        f(p, seed);
      },
      size);
}

// X d = m for every row that can have it, and groups are positive definite.
TYPED_TEST(CutRowsTest, WeightsAndGroupsAreRightForTheirField) {
  constexpr int Dim = TestFixture::dim;
  std::size_t cut = 0, groups = 0, largest = 0, alone = 0;
  for_surfaces<Dim>(200, [&](const PressureProblem<Dim, double>& p, auto) {
    CutRows<Dim, double> rows;
    rows.build(p.faces({}));
    const CutRowsView view = rows.view();
    cut += rows.counts().cut;
    alone += rows.counts().without_partner;
    for (std::size_t k = 0; k < view.row.size(); ++k) {
      const CutRow& row = view.row[k];
      ASSERT_EQ(view.find(row.first), &row);
      ASSERT_EQ(view.find(FaceId(row.last.value - 1)), &row);
      ASSERT_GT(row.inverse_mass, 0);
      if (k > 0 && k != view.listed) {
        ASSERT_GE(row.first, view.row[k - 1].last);
      }
    }
    for (std::size_t g = 0; g + 1 < view.group.size(); ++g) {
      ++groups;
      const View<const std::uint32_t> members = view.members(g);
      const std::size_t n = members.size();
      largest = std::max(largest, n);
      ASSERT_GE(n, 2u);
      auto row = [&](std::size_t i) -> const CutRow& { return view.row[members[i]]; };
      DenseMatrix x(n);
      for (std::size_t j = 0; j < n; ++j)
        view.multiply_group(
            n, row, [&](std::size_t i) { return i == j ? 1.0 : 0.0; },
            [&](std::size_t i, double y) { x(i, j) = y; });
      std::vector<double> d(n), root(n);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(row(i).group, g);
        ASSERT_NEAR(x(i, i), row(i).inverse_mass, 1e-9 * x(i, i));
        d[i] = row(i).moment;
        root[i] = 1 / std::sqrt(x(i, i));
      }
      const std::vector<double> m = x.times(d);
      for (std::size_t i = 0; i < n; ++i) {
        double size = 0;
        for (std::size_t j = 0; j < n; ++j) size += std::abs(x(i, j) * d[j]);
        ASSERT_NEAR(m[i], row(i).slope, 1e-11 * size);
      }
      if (n <= 16) {
        ASSERT_GT(test::eigenvalues(test::scaled(x, root)).front(), 0);
      }
    }
  });
  EXPECT_GT(groups, static_cast<std::size_t>(test::problem_count(200)));
  printf("  %zu cut rows, %zu groups of up to %zu rows, %zu rows without a partner\n", cut, groups,
         largest, alone);
  EXPECT_LE(alone, cut / 15);  // noise is full of drops and films
}

// A q, and q . A q, against B^T X B q; and the diagonal.
TYPED_TEST(CutRowsTest, MatrixIsTheProductOfItsRows) {
  constexpr int Dim = TestFixture::dim;
  for_surfaces<Dim>(
      150,
      [](const PressureProblem<Dim, double>& p, std::uint64_t seed) {
        const Random random(seed);
        PressureMatrix<Dim, double> matrix;
        for (const PressureScheme scheme : test::cut_row_schemes()) {
          SCOPED_TRACE(test::describe(scheme));
          matrix.build(p.mesh, p.boundary(), scheme);
          const auto has = test::equations(matrix);
          const DenseRows<Dim> rows(p.faces(scheme), matrix.cut_rows().view());
          std::vector<double> q(p.mesh.leaf_count(), 0.0), size(q.size(), 0.0), own(q.size(), 0.0);
          for (std::size_t i = 0; i < q.size(); ++i) q[i] = has[i] ? 2 * random.uniform(i) - 1 : 0;
          const auto [fast, energy] = test::apply(matrix, q);
          const auto slow = rows.times_matrix(q);
          for (std::size_t k = 0; k < rows.row.size(); ++k)
            for (const auto& [i, a] : rows.b[k])
              for (std::size_t l = 0; l < rows.row.size(); ++l)
                if (rows.x(k, l) != 0)
                  for (const auto& [j, c] : rows.b[l]) {
                    size[i] += std::abs(a * rows.x(k, l) * c);
                    if (i == j) own[i] += a * rows.x(k, l) * c;
                  }
          const auto diagonal = test::diagonal(matrix);
          double slow_energy = 0, total = 0;
          for (std::size_t i = 0; i < q.size(); ++i) {
            ASSERT_EQ(has[i], test::holds_liquid(p.faces(scheme), LeafId(i)));
            ASSERT_NEAR(fast[i], slow[i], 1e-10 * size[i]) << "leaf " << i;
            if (has[i]) {
              ASSERT_NEAR(diagonal[i], own[i], 1e-10 * size[i]) << "leaf " << i;
            }
            slow_energy += q[i] * slow[i];
            total += size[i];
          }
          ASSERT_NEAR(energy, slow_energy, 1e-10 * total);
        }
      },
      60);
}

// Every preconditioner leads to the same pressure, in double and float, and leaves the divergence that was asked for.
template <int Dim, class Real>
void expect_same_solution(double tolerance) {
  for (std::uint64_t seed = 0; seed < (test::sanitized ? 3 : 8); ++seed) {
    SCOPED_TRACE(seed);
    const Random random(seed);
    PressureProblem<Dim, Real> p(test::jumping_tree<Dim>(seed, Dim == 2 ? 4 : 2, 3));
    const auto up = test::tilted_up<Dim>(1.5 * random.uniform(1), 6 * random.uniform(2));
    const test::Plane<Dim> plane{up, 0.4 + 0.3 * random.uniform(3)};
    const MeshView<Dim> m = p.mesh.view();
    p.on_leaves(p.level_set, [&](LeafId l) { return plane(m.tree.center(l)); });
    p.on_leaves(p.surface_pressure, [&](LeafId l) { return 1 + m.tree.center(l)[0]; });
    LeafField<Real> reference(p.mesh);
    double largest = 0;
    for (const Preconditioner preconditioner : test::preconditioners) {
      FaceField<Real> u = test::random_velocity(p, seed);
      LeafField<Real> pressure(p.mesh);
      const PressureReport r = Projection<Dim, Real>().project(
          p.mesh, p.boundary(), {1, 1, {}, preconditioner, {tolerance, 0, 2000}}, u, pressure);
      ASSERT_TRUE(r.converged()) << name(preconditioner) << ": " << r.sentence();
      ASSERT_LE(r.divergence_after, 1e3 * tolerance * r.history.divergence.front());
      if (preconditioner == Preconditioner::multigrid) reference = pressure;
      for (std::size_t i = 0; i < pressure.size(); ++i)
        largest = std::max(largest, std::abs(static_cast<double>(reference[LeafId(i)])));
      for (std::size_t i = 0; i < pressure.size(); ++i)
        ASSERT_NEAR(static_cast<double>(pressure[LeafId(i)]),
                    static_cast<double>(reference[LeafId(i)]), 1e4 * tolerance * largest);
    }
  }
}
TYPED_TEST(CutRowsTest, EveryPreconditionerFindsTheSamePressure) {
  expect_same_solution<TestFixture::dim, double>(1e-10);
  expect_same_solution<TestFixture::dim, float>(1e-6);
}

// All of the projection as a matrix on rows, in the norm u . M u: L^T P L^-T with M = L L^T.
template <int Dim>
struct Norms {
  double projection, reflection, asymmetry;

  Norms(const PressureProblem<Dim, double>& p, PressureScheme scheme) {
    const auto faces = p.faces(scheme);
    CutRows<Dim, double> cut;
    cut.build(faces);
    const DenseRows<Dim> rows(faces, cut.view());
    const std::size_t n = rows.row.size();
    auto unit = [&](std::size_t k) {
      FaceField<double> u(p.mesh, 0.0);
      for (const FaceId f : rows.row[k])
        if (faces.is_passage(f) || faces.mesh.is_wall(f)) u[f] = 1;
      return u;
    };
    auto squared = [&](const FaceField<double>& u) { return cut.squared_norm(faces, u.view()); };

    // M is the inverse of X, entry by entry.
    DenseMatrix mass(n);
    for (std::size_t i = 0; i < n; ++i) mass(i, i) = squared(unit(i));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        FaceField<double> sum = unit(i);
        for (const FaceId f : rows.row[j]) sum[f] += unit(j)[f];
        mass(i, j) = mass(j, i) = 0.5 * (squared(sum) - mass(i, i) - mass(j, j));
      }
    for (std::size_t j = 0; j < n; ++j) {
      std::vector<double> column(n);
      for (std::size_t i = 0; i < n; ++i) column[i] = mass(i, j);
      const auto one = rows.x.times(column);
      for (std::size_t i = 0; i < n; ++i)
        EXPECT_NEAR(one[i], i == j ? 1 : 0, 1e-9 * std::sqrt(rows.x(i, i) / rows.x(j, j)));
    }
    const DenseMatrix factor = cholesky(mass);
    DenseMatrix matrix(n);
    Projection<Dim, double> projection_of;
    const ProjectionOptions options{.time_step = 1, .scheme = scheme, .stop = {.relative = 1e-13}};
    for (std::size_t j = 0; j < n; ++j) {
      FaceField<double> u = unit(j);
      LeafField<double> pressure(p.mesh, 0.0);
      projection_of.project(p.mesh, p.boundary(), options, u, pressure);
      for (std::size_t i = 0; i < n; ++i)
        for (const FaceId f : rows.row[i])
          if (faces.is_passage(f) || faces.mesh.is_wall(f)) matrix(i, j) = u[f];
    }
    const DenseMatrix in_norm = between(factor, matrix);
    projection = test::operator_norm(in_norm);
    asymmetry = in_norm.asymmetry();
    DenseMatrix twice = in_norm;
    for (double& v : twice.value) v *= 2;
    for (std::size_t i = 0; i < n; ++i) twice(i, i) -= 1;
    reflection = test::operator_norm(twice);
  }

  static DenseMatrix cholesky(const DenseMatrix& m) {
    DenseMatrix l(m.n);
    for (std::size_t i = 0; i < m.n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = m(i, j);
        for (std::size_t k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
        EXPECT_TRUE(i != j || sum > 0);
        l(i, j) = i == j ? std::sqrt(sum) : sum / l(j, j);
      }
    return l;
  }
  // L^T P L^-T
  static DenseMatrix between(const DenseMatrix& l, const DenseMatrix& p) {
    DenseMatrix lp(p.n);
    for (std::size_t i = 0; i < p.n; ++i)
      for (std::size_t j = 0; j < p.n; ++j)
        for (std::size_t k = i; k < p.n; ++k) lp(i, j) += l(k, i) * p(k, j);
    // Y L^T = L^T P, column after column.
    DenseMatrix y(p.n);
    for (std::size_t i = 0; i < p.n; ++i)
      for (std::size_t j = 0; j < p.n; ++j) {
        double sum = lp(i, j);
        for (std::size_t k = 0; k < j; ++k) sum -= y(i, k) * l(j, k);
        y(i, j) = sum / l(j, j);
      }
    return y;
  }
};

TYPED_TEST(CutRowsTest, NeverAddEnergyInTheirNorm) {
  constexpr int Dim = TestFixture::dim;
  std::size_t groups = 0;
  int seen = 0;
  double norm = 0, reflected = 0;
  for (std::uint64_t seed = 0; seed < 200 && seen < (test::sanitized ? 3 : 8); ++seed) {
    SCOPED_TRACE(seed);
    const Random random(seed);
    PressureProblem<Dim, double> p(Octree<Dim>::build({}, [&](const Leaf<Dim>& l) {
      return l.level < 2 - (Dim - 2) || (l.level < 4 && test::cell_noise(random, l) < 0.25);
    }));
    if (p.mesh.leaf_count() > 70) continue;
    const auto up = test::tilted_up<Dim>(random.uniform(1), 6 * random.uniform(2));
    const test::Plane<Dim> plane{up, 0.4 + 0.3 * random.uniform(3)};
    p.on_leaves(p.level_set, [&](LeafId l) { return plane(p.tree.view().center(l)); });
    CutRows<Dim, double> cut;
    cut.build(p.faces({}));
    if (cut.view().group.size() == 0) continue;
    groups += cut.view().group.size() - 1;
    const Norms<Dim> n(p, {});
    norm = std::max(norm, n.projection);
    reflected = std::max(reflected, n.reflection);
    ASSERT_LE(n.projection, 1 + 1e-10);
    ASSERT_LE(n.reflection, 1 + 1e-10);
    ASSERT_LT(n.asymmetry, 1e-10);
    ++seen;
  }
  EXPECT_GE(seen, 3);
  printf(
      "  %d trees with %zu groups: norms of the projection up to 1 + %.1e, of the reflection 1 + "
      "%.1e\n",
      seen, groups, norm - 1, reflected - 1);
}

// A disc that falls is left alone, whatever cuts it.
TYPED_TEST(CutRowsTest, FreeFallIsLeftAlone) {
  constexpr int Dim = TestFixture::dim;
  for (const int jumps : {1, 2, 3}) {
    PressureProblem<Dim, double> p(test::jumping_tree<Dim>(3, Dim == 2 ? 4 : 3, jumps));
    const MeshView<Dim> m = p.mesh.view();
    p.on_leaves(p.level_set,
                [&](LeafId l) { return length(m.tree.center(l) - Vec<Dim>::filled(0.48)) - 0.27; });
    FaceField<double> u = p.face_field([&](FaceId f) { return m.axis(f) == Dim - 1 ? -3.0 : 0.5; });
    LeafField<double> pressure(p.mesh);
    const PressureReport r = Projection<Dim, double>().project(
        p.mesh, p.boundary(), {1, 1, {}, {}, {1e-13}}, u, pressure);
    EXPECT_GT(r.cut_rows.degenerate, 0u);
    for (std::size_t i = 0; i < u.size(); ++i)
      ASSERT_NEAR(u[FaceId(i)], m.axis(FaceId(i)) == Dim - 1 ? -3.0 : 0.5, 1e-12);
  }
}

TYPED_TEST(CutRowsTest, AreReported) {
  constexpr int Dim = TestFixture::dim;
  PressureProblem<Dim, double> p(test::jumping_tree<Dim>(1, Dim == 2 ? 4 : 3, 2));
  const test::Plane<Dim> plane{test::tilted_up<Dim>(0.1), 0.53};
  const auto secant = test::project_at_rest(p, plane, {}).report.cut_rows;
  EXPECT_GT(secant.large, 0u);
  EXPECT_GT(secant.cut, secant.large);
  EXPECT_GT(secant.degenerate, 0u);
  EXPECT_EQ(secant.without_partner, 0u);
  EXPECT_GT(secant.largest_weight, 1);
  const auto clamped =
      test::project_at_rest(p, plane, {GradientScheme::losasso06s, {}, SurfaceRows::clamped});
  EXPECT_EQ(clamped.report.cut_rows.degenerate, secant.degenerate);
  const auto ghost =
      test::project_at_rest(p, plane, {GradientScheme::losasso06s, {}, SurfaceRows::ghost_fluid});
  EXPECT_EQ(ghost.report.cut_rows.cut, 0u);
}

}  // namespace
}  // namespace octavo
