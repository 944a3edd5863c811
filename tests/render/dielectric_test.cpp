#include "octavo/render/dielectric.h"

#include <gtest/gtest.h>

#include <cmath>

namespace octavo {
namespace {

TEST(Fresnel, StraightOn) {
  for (const double n : {1.0, 1.33, 1.5, 2.4, 1 / 1.5})
    EXPECT_NEAR(fresnel(1, n), std::pow((n - 1) / (n + 1), 2), 1e-7) << n;
}

// At Brewster's angle light that is polarised along the plane of incidence is not reflected; the other half of
// unpolarised light is, by ((n^2 - 1) / (n^2 + 1))^2.
TEST(Fresnel, AtBrewstersAngle) {
  for (const double n : {1.33, 1.5, 1 / 1.5}) {
    const double across = std::pow((n * n - 1) / (n * n + 1), 2);
    EXPECT_NEAR(fresnel(std::cos(std::atan(n)), n), across / 2, 1e-7) << n;
  }
}

TEST(Fresnel, IsAllWhereLightGrazesAndWhereItCannotLeave) {
  EXPECT_EQ(fresnel(0, 1.5), 1);
  const double critical = std::asin(1 / 1.5);
  EXPECT_LT(fresnel(std::cos(critical - 1e-3), 1 / 1.5), 1);
  EXPECT_EQ(fresnel(std::cos(critical + 1e-6), 1 / 1.5), 1);
}

// What is reflected on the way in is reflected on the way out, too (Stokes 1849).
TEST(Fresnel, IsTheSameFromBothSides) {
  for (const double angle : {0.1, 0.5, 1.0, 1.5}) {
    const double inside = std::asin(std::sin(angle) / 1.5);
    EXPECT_NEAR(fresnel(std::cos(angle), 1.5), fresnel(std::cos(inside), 1 / 1.5), 1e-6);
  }
}

TEST(Refraction, ObeysSnellsLaw) {
  const Vec3d normal{0, 0, 1};
  for (const double n : {1.33, 1.5, 1 / 1.5})
    for (const double angle : {0.0, 0.2, 0.6}) {
      const Vec3d in{std::sin(angle) * 0.6, std::sin(angle) * 0.8, -std::cos(angle)};
      const auto out = refracted(in, normal, n);
      ASSERT_TRUE(out);
      EXPECT_NEAR(length(*out), 1, 1e-14);
      EXPECT_NEAR(length(cross(normal, *out)) * n, std::sin(angle), 1e-14);
      EXPECT_NEAR((*out)[0] * 0.8, (*out)[1] * 0.6, 1e-14);  // in the plane of incidence
      EXPECT_LT((*out)[2], 0);
    }
}

TEST(Refraction, EndsAtTheCriticalAngle) {
  const double critical = std::asin(1 / 1.33);
  auto in = [](double angle) { return Vec3d{std::sin(angle), 0, -std::cos(angle)}; };
  EXPECT_TRUE(refracted(in(critical - 1e-6), {0, 0, 1}, 1 / 1.33));
  EXPECT_FALSE(refracted(in(critical + 1e-6), {0, 0, 1}, 1 / 1.33));
}

TEST(Reflection, KeepsWhatIsAlongTheSurface) {
  EXPECT_EQ(reflected({0.6, 0, -0.8}, {0, 0, 1}), (Vec3d{0.6, 0, 0.8}));
}

}  // namespace
}  // namespace octavo
