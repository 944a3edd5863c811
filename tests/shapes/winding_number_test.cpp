#include "octavo/shapes/winding_number.h"

#include <gtest/gtest.h>

#include <numbers>

#include "octavo/base/error.h"
#include "octavo/base/parallel.h"
#include "shapes/shape_checks.h"
#include "shapes/test_meshes.h"

namespace octavo {
namespace {

using test::ball_mesh;
using test::cube_around_origin;
using test::random_point;

using std::numbers::pi;

TEST(SolidAngle, KnownOnes) {
  // The corner of a cube sees an eighth of the sphere.
  const Triangle eighth{{1, 0, 0}, {-1, 1, 0}, {-1, 0, 1}};
  EXPECT_NEAR(solid_angle({0, 0, 0}, eighth), 0.5 * pi, 1e-15);
  const Triangle back{{1, 0, 0}, {-1, 0, 1}, {-1, 1, 0}};
  EXPECT_NEAR(solid_angle({0, 0, 0}, back), -0.5 * pi, 1e-15);

  // Just above and below a triangle it fills half of the view; in its plane it is not seen.
  const Triangle flat{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_NEAR(solid_angle({0.2, 0.2, -1e-9}, flat), 2 * pi, 1e-6);
  EXPECT_NEAR(solid_angle({0.2, 0.2, 1e-9}, flat), -2 * pi, 1e-6);
  EXPECT_EQ(solid_angle({0.2, 0.2, 0}, flat), 0);
  EXPECT_EQ(solid_angle({3, 0.2, 0}, flat), 0);
  EXPECT_EQ(solid_angle({0, 0, 0}, flat), 0);
  EXPECT_NEAR(solid_angle({0.2, 0.2, -100}, flat), 0.5 / 1e4, 1e-7);
  EXPECT_EQ(solid_angle({0, 1, 2}, Triangle{{1, 2, 3}, {1, 0, 0}, {1, 0, 0}}), 0);
}

// The tree against the sum over all triangles.
double largest_error(const TriangleMesh& mesh, double half_size = 1.5, std::uint64_t count = 2000) {
  const WindingNumber winding(mesh);
  double most = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Vec3d p = random_point(i, 0, cube_around_origin<3>(half_size));
    most = std::max(most, std::abs(winding(p) - winding.exact(p)));
  }
  return most;
}

TEST(WindingNumber, FewTrianglesAreExact) {
  const WindingNumber winding(test::cube_mesh());
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Vec3d p = random_point(i, 0, cube_around_origin<3>(2));
    const bool inside = Box<3>{{0, 0, 0}, {1, 1, 1}}.contains(p);
    EXPECT_NEAR(winding.exact(p), inside ? 1 : 0, 1e-14);
    EXPECT_NEAR(winding(p), inside ? 1 : 0, 0.03);
  }
}

TEST(WindingNumber, CloseToTheSum) {
  const TriangleMesh ball = ball_mesh(16), more = test::shifted(ball_mesh(8, 0.5), {0.7, 0.2, 0.1});
  EXPECT_LT(largest_error(ball), 0.07);
  EXPECT_LT(largest_error(test::inverted(ball)), 0.07);
  EXPECT_LT(largest_error(test::cut_above(ball, 0.3)), 0.07);                // open
  EXPECT_LT(largest_error(test::cut_above(ball, 0.97)), 0.07);               // a small hole
  EXPECT_LT(largest_error(test::joined(ball, ball)), 0.14);                  // everything twice
  EXPECT_LT(largest_error(test::joined(ball, test::inverted(ball))), 1e-2);  // comes to nothing
  EXPECT_LT(largest_error(test::joined(ball, more)), 0.1);                   // overlapping
  EXPECT_LT(largest_error(test::with_degenerate(ball)), 0.07);
  EXPECT_LT(largest_error(test::separated(ball)), 0.07);
}

TEST(WindingNumber, CountsHowOftenTheSurfaceGoesRound) {
  const TriangleMesh ball = ball_mesh(12), small = ball_mesh(6, 0.5);
  const Vec3d inside{0.1, 0.2, 0.3}, between{0.5, -0.4, 0.3}, outside{0.9, 0.9, 0.1};
  auto at = [](const TriangleMesh& mesh, const Vec3d& p) { return WindingNumber(mesh).exact(p); };
  EXPECT_NEAR(at(ball, inside), 1, 1e-13);
  EXPECT_NEAR(at(ball, outside), 0, 1e-13);
  EXPECT_NEAR(at(test::inverted(ball), inside), -1, 1e-13);
  EXPECT_NEAR(at(test::joined(ball, ball), inside), 2, 1e-13);
  EXPECT_NEAR(at(test::joined(ball, small), inside), 2, 1e-13);
  EXPECT_NEAR(at(test::joined(ball, test::inverted(small)), inside), 0, 1e-13);  // a cavity
  EXPECT_NEAR(at(test::joined(ball, test::inverted(small)), between), 1, 1e-13);
  EXPECT_NEAR(at(test::with_degenerate(ball), inside), 1, 1e-13);
}

// In the hole of a half sphere the number is one half.
TEST(WindingNumber, HoleOfAHalfSphere) {
  const WindingNumber bowl(test::cut_above(ball_mesh(32), -1e-9));
  EXPECT_NEAR(bowl({0, 0, 0}), 0.5, 0.02);
  EXPECT_NEAR(bowl({0.5, 0.3, 0}), 0.5, 0.03);
  EXPECT_GT(bowl({0, 0, -0.5}), 0.6);
  EXPECT_LT(bowl({0, 0, 0.5}), 0.4);
}

// Where the surface is near, all of it that counts is summed exactly: the jump is where it should be.
TEST(WindingNumber, JumpsAtTheSurface) {
  const TriangleMesh ball = ball_mesh(32);
  const WindingNumber winding(ball);
  for (std::size_t i = 0; i < ball.triangles.size(); i += 7) {
    const test::Corners& t = ball.triangles[i];
    const Vec3d &a = ball.vertices[t[0]], &b = ball.vertices[t[1]], &c = ball.vertices[t[2]];
    const Vec3d middle = (a * 2.0 + b + c) / 4.0, normal = cross(b - a, c - a);
    const Vec3d step = normal * (1e-10 / length(normal));
    EXPECT_NEAR(winding(middle - step), 1, 0.07);
    EXPECT_NEAR(winding(middle + step), 0, 0.07);
  }
}

// Coordinates far from zero, as in a survey.
TEST(WindingNumber, FarFromTheOrigin) {
  const Vec3d far{12345.678, -9876.5, 4321.1};
  const WindingNumber winding(test::shifted(ball_mesh(12, 1e-2), far));
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Vec3d p = random_point(i, 0, cube_around_origin<3>(2e-2));
    if (std::abs(length(p) - 0.99e-2) < 0.02e-2) continue;
    EXPECT_NEAR(winding.exact(p + far), length(p) < 1e-2 ? 1 : 0, 1e-6);
    EXPECT_NEAR(winding(p + far), length(p) < 1e-2 ? 1 : 0, 0.07);
  }
}

TEST(WindingNumber, ManyThreadsMayAsk) {
  const WindingNumber winding(ball_mesh(8));
  std::vector<double> one(20000), many(20000);
  const auto at = [&](std::size_t i) {
    return winding(random_point(i, 2, cube_around_origin<3>(1.5)));
  };
  for (std::size_t i = 0; i < one.size(); ++i) one[i] = at(i);
  set_threads(4);
  parallel_for("ask", many.size(), [&](std::size_t i) { many[i] = at(i); });
  set_threads(0);
  EXPECT_EQ(one, many);
}

TEST(WindingNumber, RefusesAnEmptyMesh) { EXPECT_THROW(WindingNumber(TriangleMesh{}), InputError); }

}  // namespace
}  // namespace octavo
