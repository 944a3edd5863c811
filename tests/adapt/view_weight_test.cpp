// Equations 2 to 4 of Bunlutangtum and Kanongchaiyos 2011, worked out by hand, and the limits they name.

#include "octavo/adapt/view_weight.h"

#include <gtest/gtest.h>

#include <numbers>

namespace octavo {
namespace {

// A picture of 4 : 3 with a given tangent of half the field of view across.
Camera with_tangent(double tangent) {
  Camera camera;
  camera.position = {1, 2, 3};
  camera.target = {1, 2, 0};
  camera.up = {0, 1, 0};
  camera.field_of_view = 2 * std::atan(tangent) * 180 / std::numbers::pi;
  camera.resolution = {160, 120};
  return camera;
}

// With tangents of 0.8 across and 0.6 up, that along the diagonal is 1: 90 degrees.
TEST(ViewWeight, EquationsByHand) {
  const Camera wide = with_tangent(0.8);
  EXPECT_NEAR(perspective_ratio(wide), 1, 1e-12);
  const ViewWeight weight({.tau = 2, .front = 2}, wide);
  EXPECT_NEAR(weight.psi(5), 1.5, 1e-12);            // 1 (5 - 2) / 2
  EXPECT_NEAR(weight.at_distance(5), 4, 1e-12);      // 2 * 1.5 + 1
  EXPECT_NEAR(weight({1, 2 + 3, 3 - 4}), 4, 1e-12);  // 5 m away, in any direction
  EXPECT_NEAR(weight.at_distance(2), 1, 1e-12);

  const ViewWeight half({.tau = 2, .front = 2, .grid_per_image = 0.5}, wide);
  EXPECT_NEAR(half.at_distance(5), 2, 1e-12);

  const Camera narrow = with_tangent(0.4);
  EXPECT_NEAR(perspective_ratio(narrow), 0.5, 1e-12);
  EXPECT_NEAR(ViewWeight({.tau = 2, .front = 2}, narrow).at_distance(5), 2.5, 1e-12);
  const ViewWeight at_90({.tau = 2, .front = 2, .at_90_degrees = true}, narrow);
  EXPECT_NEAR(at_90.at_distance(5), 1.25, 1e-12);  // T = 0.5 T(90 degrees)
}

// At 2 m, 160 pixels are 3.2 m: leaves of 1 cm are twice as fine as pixels.
TEST(ViewWeight, ResolutionOfGridOverImage) {
  EXPECT_NEAR(resolution_ratio(with_tangent(0.8), 2, 0.01), 2, 1e-12);
  EXPECT_NEAR(resolution_ratio(with_tangent(0.8), 2, 0.04), 0.5, 1e-12);
}

// Nearer than the front plane thresholds are what they are at it, not lower or negative.
TEST(ViewWeight, InFrontOfTheFrontPlane) {
  const ViewWeight weight({.tau = 10, .front = 2}, with_tangent(0.8));
  for (const double r : {0.0, 0.5, 1.9, 2.0}) EXPECT_EQ(weight.at_distance(r), 1);
}

// No view dependence: tau = 0, an infinitely narrow field of view, a camera infinitely far away.
TEST(ViewWeight, Limits) {
  for (const double r : {1.0, 3.0, 50.0}) {
    EXPECT_EQ(ViewWeight({.tau = 0, .front = 1}, with_tangent(0.8)).at_distance(r), 1);
    EXPECT_NEAR(ViewWeight({.tau = 5, .front = 1}, with_tangent(1e-9)).at_distance(r), 1, 1e-6);
    const double far = 1e9;
    EXPECT_NEAR(ViewWeight({.tau = 5, .front = far}, with_tangent(0.8)).at_distance(far + r), 1,
                1e-6);
  }

  // Away from the limits it grows with distance, field of view and tau.
  const ViewWeight one({.tau = 1, .front = 1}, with_tangent(0.8));
  EXPECT_GT(one.at_distance(3), one.at_distance(2));
  EXPECT_GT(one.at_distance(3),
            ViewWeight({.tau = 1, .front = 1}, with_tangent(0.4)).at_distance(3));
  EXPECT_GT(ViewWeight({.tau = 2, .front = 1}, with_tangent(0.8)).at_distance(3),
            one.at_distance(3));
}

}  // namespace
}  // namespace octavo
