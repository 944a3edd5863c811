// Orders of signed distances, about circles, spheres and an ellipse, where all sizes meet.

#include <gtest/gtest.h>

#include "level_set/surface_cases.h"
#include "octavo/level_set/signed_distance.h"

namespace octavo {
namespace {

template <class D>
class DistanceOrderTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(DistanceOrderTest, test::Dims);

// Errors within 2.5 coarse leaves of a ball whose level set is no distance; those next to the surface apart.
template <int Dim>
std::pair<test::Errors, test::Errors> ball_errors(int base, int jump, DistanceScheme scheme) {
  test::Errors all, near;
  const double h = 1.0 / (1 << base);
  for (std::uint64_t seed = 0; seed < (Dim == 2 ? 3u : 1u); ++seed) {
    const auto ball = test::Ball<Dim>::off_center(seed);
    const auto tree = test::surface_tree<Dim>(base, jump, seed, ball);
    const Mesh<Dim> mesh(tree);
    auto phi = test::nodal_field(mesh, [&](const Vec<Dim>& x) {
      return ball(x) * (length(x - ball.center) + ball.radius) * (1.5 + 0.5 * x[0]);
    });
    SignedDistance<Dim, double> redistance;
    redistance(mesh, phi, {.scheme = scheme, .band = {.metres = 4 * h}});
    for (std::size_t i = 0; i < mesh.node_count(); ++i) {
      const double exact = ball(mesh.view().position(NodeId(i)));
      if (std::abs(exact) > 2.5 * h) continue;
      all.add(phi[NodeId(i)] - exact);
      if (std::abs(exact) < 0.5 * h) near.add(phi[NodeId(i)] - exact);
    }
  }
  return {all, near};
}

template <int Dim>
void expect_second_order(int jump, double mean_bound, double largest_bound) {
  constexpr int first = Dim == 2 ? 5 : 3, last = Dim == 2 ? 7 : 5;
  test::Errors before, before_near;
  for (int base = first; base <= last; ++base) {
    const double h = 1.0 / (1 << base), unit = h * h / 0.3;
    const auto [all, near] = ball_errors<Dim>(base, jump, DistanceScheme::second_order);
    fmt::print("{}D, jump {}, h 1/{}: L1 {:.2g} Linf {:.2g} h^2/R, near {:.2g} {:.2g}", Dim, jump,
               1 << base, all.mean() / unit, all.largest / unit, near.mean() / unit,
               near.largest / unit);
    if (base > first)
      fmt::print(", orders {:.2f} {:.2f}, near {:.2f} {:.2f}",
                 test::order(before.mean(), all.mean()), test::order(before.largest, all.largest),
                 test::order(before_near.mean(), near.mean()),
                 test::order(before_near.largest, near.largest));
    fmt::print("\n");
    if (base == last) {
      EXPECT_GE(test::order(before.mean(), all.mean()), 1.8);
      EXPECT_GE(test::order(before_near.mean(), near.mean()), 1.8);
      EXPECT_LT(all.mean(), mean_bound * unit);
      EXPECT_LT(all.largest, largest_bound * unit);
    }
    before = all;
    before_near = near;
  }
}

TYPED_TEST(DistanceOrderTest, BallsAreOfSecondOrderAmongEqualLeaves) {
  expect_second_order<TestFixture::dim>(0, 0.003, 0.1);
}
TYPED_TEST(DistanceOrderTest, BallsAreOfSecondOrderWhereSizesMeet) {
  expect_second_order<TestFixture::dim>(1, 0.12, 3);
}
TYPED_TEST(DistanceOrderTest, BallsAreOfSecondOrderWhereLeavesMeetOthersEightTimesAsLarge) {
  constexpr int Dim = TestFixture::dim;
  if (Dim == 2) {
    expect_second_order<2>(3, 0.1, 5);
  } else {
    const auto coarse = ball_errors<3>(3, 3, DistanceScheme::second_order).first;
    const auto fine = ball_errors<3>(4, 3, DistanceScheme::second_order).first;
    fmt::print("3D, jump 3: order {:.2f} {:.2f}\n", test::order(coarse.mean(), fine.mean()),
               test::order(coarse.largest, fine.largest));
    EXPECT_GE(test::order(coarse.mean(), fine.mean()), 1.4);
  }
}

TEST(DistanceOrder, TheOldSchemeIsOfFirstOrderWhereSizesMeet) {
  const auto coarse = ball_errors<2>(5, 1, DistanceScheme::losasso04).first;
  const auto fine = ball_errors<2>(6, 1, DistanceScheme::losasso04).first;
  EXPECT_LT(test::order(coarse.mean(), fine.mean()), 1.5);
  EXPECT_GT(test::order(coarse.mean(), fine.mean()), 0.7);
  EXPECT_GT(fine.mean(), 20 * ball_errors<2>(6, 1, DistanceScheme::second_order).first.mean());
}

// An ellipse is no circle anywhere; its exact distance is found by bisection (Eberly, "Distance from a point to an
// ellipse", 2013).
double distance_to_ellipse(Vec2d x, double a, double b) {
  const double px = std::abs(x[0]), py = std::abs(x[1]);
  auto excess = [&](double t) {
    const double u = a * px / (t + a * a), v = b * py / (t + b * b);
    return u * u + v * v - 1;
  };
  double low = -b * b + b * py, high = -b * b + std::sqrt(a * a * px * px + b * b * py * py);
  for (int k = 0; k < 200; ++k) {
    const double t = 0.5 * (low + high);
    (excess(t) > 0 ? low : high) = t;
  }
  const Vec2d foot{a * a * px / (low + a * a), b * b * py / (low + b * b)};
  const double d = length(Vec2d{px, py} - foot);
  return px * px / (a * a) + py * py / (b * b) < 1 ? -d : d;
}

TEST(DistanceOrder, AnEllipseIsOfSecondOrder) {
  const Vec2d center{0.507, 0.489};
  auto exact = [&](const Vec2d& x) { return distance_to_ellipse(x - center, 0.37, 0.21); };
  for (const int jump : {0, 2}) {
    test::Errors before;
    for (int base = 5; base <= 7; ++base) {
      const double h = 1.0 / (1 << base);
      const auto tree = test::surface_tree<2>(base, jump, 3, exact);
      const Mesh<2> mesh(tree);
      auto phi = test::nodal_field(mesh, [&](const Vec2d& x) {
        const Vec2d r = x - center;
        return r[0] * r[0] / (0.37 * 0.37) + r[1] * r[1] / (0.21 * 0.21) - 1;
      });
      SignedDistance<2, double> redistance;
      redistance(mesh, phi, {.band = {.metres = 4 * h}});
      test::Errors errors;
      for (std::size_t i = 0; i < mesh.node_count(); ++i) {
        const double d = exact(mesh.view().position(NodeId(i)));
        if (std::abs(d) < 2.5 * h) errors.add(phi[NodeId(i)] - d);
      }
      fmt::print("ellipse, jump {}, h 1/{}: L1 {:.2g} h^2, Linf {:.2g} h^2\n", jump, 1 << base,
                 errors.mean() / (h * h), errors.largest / (h * h));
      if (base == 7) {
        EXPECT_GE(test::order(before.mean(), errors.mean()), 1.8);
      }
      before = errors;
    }
  }
}

}  // namespace
}  // namespace octavo
