// What solids in smoke hide, and what they do not.

#include <gtest/gtest.h>

#include "furnace.h"
#include "smoke_scenes.h"

namespace octavo {
namespace {

using namespace test;

// What is seen of thin smoke along x, of what would be if the lamp, or the sky, shone on all of it.
class ThinSmoke {
 public:
  ThinSmoke(const Surfaces& surfaces, const Lighting& lighting)
      : smoke_(uniform({}, 5), [](const Vec3d&) { return 1.0; }),
        medium_(smoke_.field(), {.extinction = 1e-3, .albedo = {1, 1, 1}}, lighting, surfaces) {}

  double lit(const Ray& ray, const Span& span) const {
    const Marched m = medium_.march(ray, span);
    return double{m.light[0]} / (1 - double{m.transmittance});
  }
  double lit(double y, double z) const { return lit({{-1, y, z}, {1, 0, 0}}, {}); }

 private:
  Smoke smoke_;
  SmokeMedium medium_;
};

const Lighting from_above = lamp({0, 0, -1}, 4);  // of which a quarter is sent on to each side

TEST(SmokeSolids, HideTheLamp) {
  const Vec3d lo{-1, 0.25, 0.5}, hi{2, 2, 0.6};
  TriangleMesh roof = cube_mesh();
  for (Vec3d& v : roof.vertices)
    for (int a = 0; a < 3; ++a) v[a] = v[a] > 0.5 ? hi[a] : lo[a];
  for (const bool mesh : {false, true}) {
    const Surfaces surfaces =
        mesh ? only(surface(roof), matte(1)) : only(box_shape<3>(lo, hi), matte(1));
    const ThinSmoke smoke(surfaces, from_above);
    for (const double z : {0.1, 0.3, 0.46}) {
      EXPECT_NEAR(smoke.lit(0.7, z), 0, 1e-5) << z;
      EXPECT_NEAR(smoke.lit(0.1, z), 1, 0.005) << z;
    }
    // A node of the leaf beside the roof is inside of it, and must not make the smoke there dark.
    for (const double z : {0.601, 0.62, 0.9}) EXPECT_NEAR(smoke.lit(0.7, z), 1, 0.005) << z;
  }
}

// The edge of a shadow is between nodes: there is as much light as if it ended below the roof, to a part of a leaf.
TEST(SmokeSolids, ShadowsEndWhereTheyShould) {
  for (const double edge : {0.40625, 0.415, 0.43}) {
    const Surfaces roof = only(box_shape<3>({-1, edge, 0.8}, {2, 2, 0.9}), matte(1));
    const ThinSmoke smoke(roof, from_above);
    double sum = 0;
    for (int i = 0; i < 200; ++i) sum += smoke.lit(0.3 + 0.001 * (i + 0.5), 0.4) * 0.001;
    EXPECT_NEAR(0.3 + sum, edge, 0.25 / 32) << edge;
  }
}

// Glass leaves what Fresnel and absorption do, not nothing.
TEST(SmokeSolids, GlassThrowsNoBlackShadow) {
  const Surfaces plate = only(box_shape<3>({-1, -1, 0.5}, {2, 2, 0.7}), glass(1.5, 2));
  const ThinSmoke smoke(plate, from_above);
  EXPECT_NEAR(smoke.lit(0.5, 0.3), std::pow(1 - 0.04, 2) * std::exp(-2 * 0.2), 0.005);
  EXPECT_NEAR(smoke.lit(0.5, 0.9), 1, 0.005);
}

// A sheet has no inside: which way it faces does not matter, and just behind it there is no light.
TEST(SmokeSolids, OpenMeshesHaveNoInside) {
  const Surfaces up = only(sheet({-1, -1, 0.52}, {3, 0, 0}, {0, 3, 0}), matte(1)),
                 down = only(sheet({-1, -1, 0.52}, {0, 3, 0}, {3, 0, 0}), matte(1));
  const ThinSmoke lamp_up(up, from_above), lamp_down(down, from_above);
  for (const double z : {0.3, 0.48}) {
    EXPECT_NEAR(lamp_up.lit(0.5, z), 0, 1e-5) << z;
    EXPECT_NEAR(lamp_down.lit(0.5, z), 0, 1e-5) << z;
  }
  const ThinSmoke sky_up(up, furnace(1)), sky_down(down, furnace(1));
  for (const double z : {0.1, 0.4, 0.7}) {
    EXPECT_NEAR(sky_up.lit(0.5, z), sky_down.lit(0.5, z), 1e-6) << z;
    EXPECT_GT(sky_up.lit(0.5, z), 0.4) << z;  // half of the sky, and what comes in at the sides
    EXPECT_LT(sky_up.lit(0.5, z), 0.8) << z;
  }
}

// Points of the grid of the sky's light that are inside of a ball have no part in what is around it: where it hides
// half of the sky, half is seen.
TEST(SmokeSolids, HaveNoDarkRimInTheLightOfTheSky) {
  const Surfaces ball = only(sphere_shape<3>({0.5, 0.5, 0.5}, 0.2), matte(1));
  const ThinSmoke smoke(ball, furnace(1));
  EXPECT_NEAR(smoke.lit({{0.5, 0.5, -1}, {0, 0, 1}}, {1.29, 1.299}), 0.5, 0.15);
}

}  // namespace
}  // namespace octavo
