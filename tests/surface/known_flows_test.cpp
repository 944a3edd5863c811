// Enright's deformation and Zalesak's disk, small: what is lost, by the tracker and by those it is better than.
// `octavo reproduce` runs them as large as they were published.

#include "octavo/surface/known_flows.h"

#include <gtest/gtest.h>

#include "surface/given_surface.h"

namespace octavo::test {
namespace {

// The sphere is drawn out for this part of the time, and back.
Leftover deform(int level, double part, const ParticleLevelSetParameters& tracker) {
  using Flow = EnrightDeformation;
  auto run =
      given_surface<3>(Flow::box(1 << level, level), {.coarsest = 2, .finest = level}, tracker);
  run.start(Flow::distance);
  const double length = Flow::length() / 2 * part;
  const int steps = static_cast<int>(std::ceil(Flow::fastest * length * (1 << level) / 4.9));
  for (int s = 0; s < 2 * steps; ++s)
    run.step([=](const Vec3d& x) { return s < steps ? Flow::steady(x) : -Flow::steady(x); },
             length / steps);
  return leftover(run, Flow::distance, Flow::volume());
}

Leftover turn(int resolution, int level, const ParticleLevelSetParameters& tracker) {
  using Flow = ZalesakDisk;
  auto run =
      given_surface<2>(Flow::box(resolution, level), {.coarsest = 2, .finest = level}, tracker);
  run.start(Flow::distance);
  const int steps =
      static_cast<int>(std::ceil(Flow::fastest() * Flow::period * resolution / Flow::edge / 4.9));
  for (int s = 0; s < steps; ++s) run.step(Flow::velocity, Flow::period / steps);
  return leftover(run, Flow::distance, Flow::volume());
}

ParticleLevelSetParameters named(const char* name, int dim) {
  return ParticleLevelSetParameters::named(name, dim);
}

ParticleLevelSetParameters without_particles(int dim) {
  ParticleLevelSetParameters p = named("particle_level_set", dim);
  p.particles.particles_per_leaf = 0;
  return p;
}

TEST(KnownFlows, ShapesAreWhatTheyAreSaidToBe) {
  EXPECT_NEAR(EnrightDeformation::volume(), 0.0141372, 1e-7);
  EXPECT_NEAR(ZalesakDisk::volume(), 582.2, 0.05);
  EXPECT_NEAR(ZalesakDisk::distance({50, 75}), 2.5, 1e-12);  // in the slot
  EXPECT_NEAR(ZalesakDisk::distance({50, 88}), -2, 1e-12);   // above it
  EXPECT_NEAR(ZalesakDisk::distance({30, 75}), 5, 1e-12);    // outside
  double fastest = 0, divergence = 0;
  for (double x = 0.01; x < 1; x += 0.02)
    for (double y = 0.01; y < 1; y += 0.02)
      for (double z = 0.01; z < 1; z += 0.02) {
        const Vec3d u = EnrightDeformation::steady({x, y, z});
        fastest = std::max(fastest, std::abs(u[0]) + std::abs(u[1]) + std::abs(u[2]));
        const double d = 1e-4;
        double sum = 0;
        for (int a = 0; a < 3; ++a) {
          Vec3d p{x, y, z}, q = p;
          p[a] += d;
          q[a] -= d;
          sum += EnrightDeformation::steady(p)[a] - EnrightDeformation::steady(q)[a];
        }
        divergence = std::max(divergence, std::abs(sum / (2 * d)));
      }
  EXPECT_LE(fastest, EnrightDeformation::fastest);
  EXPECT_GT(fastest, 0.9 * EnrightDeformation::fastest);
  EXPECT_LT(divergence, 1e-5);
}

// Half of the way at 32, all of it at 64: with particles the shape comes back, without them it does not.
TEST(KnownFlows, ASphereComesBackFromAFilm) {
  const Leftover small = deform(5, 0.5, {}), paper = deform(5, 0.5, named("losasso04", 3)),
                 alone = deform(5, 0.5, named("level_set", 3));
  EXPECT_LT(std::abs(small.lost), 0.04);
  EXPECT_LT(small.error, 0.08);
  EXPECT_LT(paper.error, 0.15);
  EXPECT_GT(alone.lost, 0.35);

  const Leftover whole = deform(6, 1, {}), second = deform(6, 1, without_particles(3));
  EXPECT_LT(std::abs(whole.lost), 0.03);
  EXPECT_LT(whole.error, 0.06);
  EXPECT_GT(second.error, 3 * whole.error);
}

TEST(KnownFlows, TheDiskKeepsItsSlot) {
  using Flow = ZalesakDisk;
  const double leaves = Flow::volume() / Flow::perimeter();
  const Leftover coarse = turn(50, 6, {}), fine = turn(100, 7, {}),
                 paper = turn(50, 6, named("losasso04", 2)),
                 alone = turn(50, 6, named("level_set", 2));
  EXPECT_LT(std::abs(coarse.lost), 0.03);
  EXPECT_LT(coarse.error * leaves / 2, 0.2);
  EXPECT_LT(std::abs(fine.lost), 0.005);
  EXPECT_LT(fine.error * leaves, 0.1);
  EXPECT_LT(paper.error, 0.7 * alone.error);
  EXPECT_LT(coarse.error, 0.4 * alone.error);
}

}  // namespace
}  // namespace octavo::test
