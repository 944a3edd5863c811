// Orders of curvatures of circles and spheres, from exact distances and from those that were measured, where all sizes
// meet.

#include <gtest/gtest.h>

#include "level_set/surface_cases.h"
#include "octavo/level_set/curvature.h"
#include "octavo/level_set/signed_distance.h"

namespace octavo {
namespace {

template <class D>
class CurvatureOrderTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(CurvatureOrderTest, test::Dims);

// Errors of the curvature in leaves beside a ball, as parts of the exact one.
template <int Dim>
test::Errors curvature_errors(int base, int jump, CurvatureScheme scheme, int redistanced = 0) {
  test::Errors errors;
  for (std::uint64_t seed = 0; seed < (Dim == 2 ? 3u : 1u); ++seed) {
    const auto ball = test::Ball<Dim>::off_center(seed);
    const auto tree = test::surface_tree<Dim>(base, jump, seed, ball);
    const Mesh<Dim> mesh(tree);
    auto phi = test::nodal_field(mesh, ball);
    SignedDistance<Dim, double> redistance;
    for (int k = 0; k < redistanced; ++k) redistance(mesh, phi);
    Curvature<Dim, double> curvature;
    LeafField<double> kappa;
    const auto report = curvature(mesh, phi, kappa, scheme);
    EXPECT_GT(report.leaves, 10u);
    EXPECT_EQ(report.failed, 0u);
    const double exact = (Dim - 1) / ball.radius;
    for (std::size_t i = 0; i < mesh.leaf_count(); ++i) {
      const LeafId leaf(i);
      if (kappa[leaf] == 0) continue;
      const double here = scheme == CurvatureScheme::losasso04
                              ? (Dim - 1) / length(mesh.view().tree.center(leaf) - ball.center)
                              : exact;
      errors.add((kappa[leaf] - here) / exact);
    }
    EXPECT_LE(errors.count, report.leaves * (seed + 1) + 1000);
  }
  return errors;
}

template <int Dim>
void expect_curvature_of_second_order(int jump, double largest_bound) {
  constexpr int first = Dim == 2 ? 5 : 4, last = Dim == 2 ? 7 : 5;
  test::Errors before;
  for (int base = first; base <= last; ++base) {
    const auto errors = curvature_errors<Dim>(base, jump, CurvatureScheme::least_squares);
    fmt::print("curvature {}D, jump {}, h 1/{}: L1 {:.2g}, Linf {:.2g}", Dim, jump, 1 << base,
               errors.mean(), errors.largest);
    if (base > first)
      fmt::print(", orders {:.2f} {:.2f}", test::order(before.mean(), errors.mean()),
                 test::order(before.largest, errors.largest));
    fmt::print("\n");
    if (base == last && base > first) {
      EXPECT_GE(test::order(before.mean(), errors.mean()), 1.7);
      EXPECT_LT(errors.largest, largest_bound);
    }
    before = errors;
  }
}

TYPED_TEST(CurvatureOrderTest, BallsAreOfSecondOrder) {
  constexpr int Dim = TestFixture::dim;
  expect_curvature_of_second_order<Dim>(0, Dim == 2 ? 1e-3 : 0.02);
  expect_curvature_of_second_order<Dim>(1, Dim == 2 ? 4e-3 : 0.05);
  if (Dim == 2) expect_curvature_of_second_order<Dim>(3, 0.05);
}

TEST(CurvatureOrder, EightTimesAsLargeLeavesMeetInSpace) {
  const auto errors = curvature_errors<3>(4, 3, CurvatureScheme::least_squares);
  fmt::print("curvature 3D, jump 3, h 1/16: L1 {:.2g}, Linf {:.2g}\n", errors.mean(),
             errors.largest);
  EXPECT_LT(errors.mean(), 0.1);
}

TYPED_TEST(CurvatureOrderTest, MeasuredDistancesGiveNearlyTheSame) {
  constexpr int Dim = TestFixture::dim;
  const int base = Dim == 2 ? 6 : 4;
  const auto exact = curvature_errors<Dim>(base, 0, CurvatureScheme::least_squares);
  const auto measured = curvature_errors<Dim>(base, 0, CurvatureScheme::least_squares, 20);
  fmt::print("curvature {}D, h 1/{}, exact {:.2g} {:.2g}, measured 20 times {:.2g} {:.2g}\n", Dim,
             1 << base, exact.mean(), exact.largest, measured.mean(), measured.largest);
  EXPECT_LT(measured.mean(), Dim == 2 ? 0.01 : 0.05);
}

TYPED_TEST(CurvatureOrderTest, TheOldSchemeConvergesAmongEqualLeavesOnly) {
  constexpr int Dim = TestFixture::dim;
  const int base = Dim == 2 ? 6 : 4;
  const auto coarse = curvature_errors<Dim>(base, 0, CurvatureScheme::losasso04);
  const auto fine = curvature_errors<Dim>(base + 1, 0, CurvatureScheme::losasso04);
  const auto meeting = curvature_errors<Dim>(base + 1, 1, CurvatureScheme::losasso04);
  fmt::print(
      "losasso04 {}D: L1 {:.2g} {:.2g}, Linf {:.2g} {:.2g}, where sizes meet {:.2g} {:.2g}\n", Dim,
      coarse.mean(), fine.mean(), coarse.largest, fine.largest, meeting.mean(), meeting.largest);
  EXPECT_LT(fine.mean(), 0.6 * coarse.mean());
  EXPECT_GT(meeting.largest, 0.2);
}

// An ellipse, whose curvature varies from 1.5 to 8.4, from the values of its quadratic form.
TEST(CurvatureOrder, AnEllipseFromADistanceThatWasMeasured) {
  const double a = 0.37, b = 0.21;
  const Vec2d center{0.507, 0.489};
  double before = 0;
  for (int base = 5; base <= 7; ++base) {
    auto form = [&](const Vec2d& x) {
      const Vec2d r = x - center;
      return std::sqrt(r[0] * r[0] / (a * a) + r[1] * r[1] / (b * b)) - 1;
    };
    const auto tree = Octree<2>::build({}, [&](const Leaf<2>& l) { return l.level < base; });
    const Mesh<2> mesh(tree);
    auto phi = test::nodal_field(mesh, form);
    SignedDistance<2, double> redistance;
    redistance(mesh, phi);
    Curvature<2, double> curvature;
    LeafField<double> kappa;
    curvature(mesh, phi, kappa);
    test::Errors errors;
    for (std::size_t i = 0; i < mesh.leaf_count(); ++i) {
      if (kappa[LeafId(i)] == 0) continue;
      const Vec2d r = mesh.view().tree.center(LeafId(i)) - center;
      const double scale = 1 / (form(r + center) + 1), x = r[0] * scale, y = r[1] * scale;
      const double q = x * x / (a * a * a * a) + y * y / (b * b * b * b);
      errors.add(kappa[LeafId(i)] - 1 / (a * a * b * b * q * std::sqrt(q)));
    }
    fmt::print("ellipse, h 1/{}: curvature L1 {:.2g} 1/m, Linf {:.2g} 1/m\n", 1 << base,
               errors.mean(), errors.largest);
    if (base > 5) {
      EXPECT_GT(test::order(before, errors.mean()), 0.8);
    }
    before = errors.mean();
  }
}

}  // namespace
}  // namespace octavo
