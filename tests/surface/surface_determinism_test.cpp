// The same bytes for any number of threads, and after a state was saved and restored in the middle.

#include <gtest/gtest.h>

#include "octavo/surface/known_flows.h"
#include "support/random_tree.h"
#include "surface/given_surface.h"

namespace octavo::test {
namespace {

class SurfaceDeterminism : public ::testing::Test {
 protected:
  void TearDown() override { set_threads(0); }
};

ParticleLevelSetParameters quick() {
  ParticleLevelSetParameters p;
  p.particles.reseed_every = 3;
  return p;
}

using Flow = EnrightDeformation;
inline constexpr int finest = sanitized ? 4 : 5;
inline constexpr int steps = 8;

GivenSurface<3> begun() {
  return given_surface<3>(Flow::box(1 << finest, finest), {.coarsest = 2, .finest = finest},
                          quick());
}
void go_on(GivenSurface<3>& run, int count) {
  for (int s = 0; s < count; ++s) run.step(Flow::steady, 0.06);
}

TEST_F(SurfaceDeterminism, ThreadsMakeNoDifference) {
  std::vector<SavedSurface> ends;
  for (const int count : {1, 2, 5}) {
    set_threads(count);
    auto run = begun();
    run.start(Flow::distance);
    go_on(run, steps);
    ends.push_back(saved(run));
  }
  EXPECT_GT(ends[0].arrays.at("marker particles").size(), 1000u);
  EXPECT_TRUE(ends[0] == ends[1]);
  EXPECT_TRUE(ends[0] == ends[2]);
}

TEST_F(SurfaceDeterminism, ARestoredStateGoesOnTheSame) {
  auto first = begun();
  first.start(Flow::distance);
  go_on(first, steps / 2);
  std::vector<SavedArray> arrays;
  std::vector<SavedNumber> numbers;
  first.tracker().save(arrays, numbers);
  set_threads(3);
  auto second = begun();
  second.restore(first.mesh().tree().keys(), arrays, numbers);
  EXPECT_TRUE(saved(first) == saved(second));
  set_threads(2);
  go_on(first, steps / 2);
  go_on(second, steps / 2);
  EXPECT_TRUE(saved(first) == saved(second));
}

TEST_F(SurfaceDeterminism, SeedsDependOnTheSeedOnly) {
  auto particles = [](std::uint64_t seed) {
    ParticleLevelSetParameters p = quick();
    p.particles.seed = seed;
    auto run = given_surface<3>(Flow::box(16, 4), {.coarsest = 2, .finest = 4}, p);
    run.start(Flow::distance);
    return saved(run);
  };
  EXPECT_TRUE(particles(1) == particles(1));
  EXPECT_FALSE(particles(1) == particles(2));
}

}  // namespace
}  // namespace octavo::test
