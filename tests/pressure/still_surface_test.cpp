// Still water whose surface crosses any change of size stays still: level and tilted with gravity, moving from frame to
// frame, beside inclined walls; on trees with jumps of up to 8:1 at the surface.

#include <gtest/gtest.h>

#include "support/still_water.h"

namespace octavo {
namespace {

using test::Plane;
using test::PressureProblem;
using test::Scatter;

template <class D>
class StillSurfaceTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(StillSurfaceTest, test::Dims);

constexpr PressureScheme with_rows(SurfaceRows rows) {
  return {GradientScheme::losasso06s, {}, rows};
}

// The largest velocity that a kind of rows leaves, over so many trees and surfaces, in units of g dt.
struct Left {
  double speed = 0;
  CutRowCounts rows;

  void see(const test::Rest& rest) {
    EXPECT_TRUE(rest.report.converged()) << rest.report.sentence();
    speed = std::max(speed, rest.speed);
    const CutRowCounts& r = rest.report.cut_rows;
    rows.cut += r.cut;
    rows.large += r.large;
    rows.degenerate += r.degenerate;
    rows.without_partner += r.without_partner;
    rows.largest_weight = std::max(rows.largest_weight, r.largest_weight);
  }
};

// Surfaces tilt and move: a tilt of 0.1 cos 3t or any, an offset of 0.1 sin t.
template <int Dim>
Plane<Dim> surface_at(int frame) {
  const Random random(static_cast<std::uint64_t>(frame));
  const double t = 0.37 * frame;
  const bool gentle = frame % 2 == 0;
  const auto up = test::tilted_up<Dim>(gentle ? 0.1 * std::cos(3 * t) : 1.5 * random.uniform(1),
                                       6.28 * random.uniform(2));
  return {up, 0.51 + 0.1 * std::sin(t)};
}

template <int Dim, class Surface>
Left leave_still(SurfaceRows rows, int jumps, int frames, Surface&& surface) {
  Left left;
  for (int frame = 0; frame < frames; ++frame) {
    SCOPED_TRACE("frame " + std::to_string(frame));
    const auto scatter = frame % 4 < 2 ? Scatter::cells : Scatter::blocks;
    PressureProblem<Dim, double> p(test::jumping_tree<Dim>(static_cast<std::uint64_t>(frame / 4),
                                                           Dim == 2    ? 4
                                                           : jumps > 2 ? 1
                                                                       : 2,
                                                           jumps, scatter));
    left.see(test::project_at_rest(p, surface(frame), with_rows(rows)));
    if (::testing::Test::HasFailure()) break;
  }
  return left;
}

constexpr int frames = test::sanitized ? 4 : 36;

TYPED_TEST(StillSurfaceTest, StaysStillWhereverItMoves) {
  constexpr int Dim = TestFixture::dim;
  for (const int jumps : {1, 2, 3}) {
    const Left left = leave_still<Dim>(SurfaceRows::secant, jumps, frames, surface_at<Dim>);
    EXPECT_LE(left.speed, 1e-9);
    EXPECT_EQ(left.rows.without_partner, 0u);
    EXPECT_GT(left.rows.degenerate, 0u);
    printf("  jumps of %d:1 leave %.1e g dt; %s\n", 1 << jumps, left.speed,
           test::describe(left.rows).c_str());
  }
}

// A level surface between centres.
TYPED_TEST(StillSurfaceTest, StaysStillIfLevel) {
  constexpr int Dim = TestFixture::dim;
  for (const SurfaceRows rows : {SurfaceRows::secant, SurfaceRows::clamped})
    for (const int jumps : {1, 2, 3}) {
      const Left left = leave_still<Dim>(rows, jumps, test::sanitized ? 2 : 8, [](int frame) {
        return Plane<Dim>{test::tilted_up<Dim>(0), 0.4123 + 0.031 * frame};
      });
      EXPECT_LE(left.speed, 1e-9) << name(rows);
    }
}

// The tests above can fail: the ghost fluid moves still water wherever sizes change at the surface, and clamped rows
// do so if it is tilted.
TYPED_TEST(StillSurfaceTest, GhostFluidAndClampedRowsMoveIt) {
  constexpr int Dim = TestFixture::dim;
  for (const int jumps : {2, 3}) {
    const Left ghost = leave_still<Dim>(SurfaceRows::ghost_fluid, jumps, 8, surface_at<Dim>);
    const Left clamped = leave_still<Dim>(SurfaceRows::clamped, jumps, 16, surface_at<Dim>);
    EXPECT_GT(ghost.speed, 0.1);
    EXPECT_GT(clamped.speed, 0.1);
    printf("  jumps of %d:1: the ghost fluid leaves %.2f g dt, clamped rows %.2f\n", 1 << jumps,
           ghost.speed, clamped.speed);
  }
}

TYPED_TEST(StillSurfaceTest, StaysStillInFloat) {
  constexpr int Dim = TestFixture::dim;
  for (int frame = 0; frame < 6; ++frame) {
    PressureProblem<Dim, float> p(
        test::jumping_tree<Dim>(static_cast<std::uint64_t>(frame), Dim == 2 ? 4 : 2, 3));
    const test::Rest rest = test::project_at_rest(p, surface_at<Dim>(frame), {}, 1e-6);
    EXPECT_TRUE(rest.report.converged()) << rest.report.sentence();
    EXPECT_LE(rest.speed, 1e-3);
  }
}

// The part of the water that a solid half-space leaves, with its open fractions, rests as well. Gravity has to be known
// for that: it says along which field large faces that are partly open have to be right.
TYPED_TEST(StillSurfaceTest, StaysStillBesideAnInclinedWall) {
  constexpr int Dim = TestFixture::dim;
  for (const int jumps : {1, 2, 3}) {
    Left left, loose;
    for (int frame = 0; frame < (test::sanitized ? 3 : 20); ++frame) {
      const Random random(static_cast<std::uint64_t>(frame) + 50);
      PressureProblem<Dim, double> p(test::jumping_tree<Dim>(static_cast<std::uint64_t>(frame),
                                                             Dim == 2    ? 4
                                                             : jumps > 2 ? 1
                                                                         : 2,
                                                             jumps));
      auto normal = test::tilted_up<Dim>(0.9 + 0.8 * random.uniform(1), 6.28 * random.uniform(2));
      test::set_open_parts(p, [&](const Vec<Dim>& x) {
        return dot(normal, x - Vec<Dim>::filled(0.5)) + 0.2 + 0.1 * random.uniform(3);
      });
      left.see(test::project_at_rest(p, surface_at<Dim>(frame), {}));
      loose.see(test::project_at_rest(p, surface_at<Dim>(frame), {}, 1e-12, false));
    }
    EXPECT_LE(left.speed, 1e-9);
    EXPECT_GT(loose.speed, 0.1);
    printf("  jumps of %d:1 leave %.1e g dt; not knowing gravity, %.1e; %s\n", 1 << jumps,
           left.speed, loose.speed, test::describe(left.rows).c_str());
  }
}

}  // namespace
}  // namespace octavo
