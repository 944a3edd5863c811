// The same bytes for any number of threads.

#include <gtest/gtest.h>

#include <cstring>

#include "support/sanitized.h"
#include "support/smoke_scene.h"

namespace octavo {
namespace {

template <class T>
std::vector<unsigned char> bytes_of(View<T> v) {
  const auto* first = reinterpret_cast<const unsigned char*>(v.data());
  return {first, first + v.size() * sizeof(T)};
}

struct State {
  std::vector<unsigned char> keys, velocity, pressure, density, temperature, color;
  friend bool operator==(const State&, const State&) = default;
};

template <int Dim>
State run(int thread_count, AdvectionScheme scheme, TimeStepping stepping, int step_count) {
  set_threads(thread_count);
  SmokeParameters<Dim> p = test::plume<Dim>(Dim == 3 ? 5 : test::sanitized ? 6 : 7);
  p.advection = scheme;
  p.stepping = stepping;
  p.confinement = 0.2;
  p.cooling = 0.3;
  p.scalars = {{.name = "color"}};
  p.sources[0].noise = {.amount = 0.6, .size = 0.05, .period = 0.3, .seed = 3};
  p.sources[0].values["color"] = 0.5;
  p.obstacles[0].motion = Motion<Dim>(SteadyMotion<Dim>{.velocity = Vec<Dim>::filled(0.05)});
  p.refinement.rules.push_back({.by = RefineBy::detail, .field = "density", .above = 0.02});
  p.refinement.rules.push_back({.by = RefineBy::velocity_variation, .above = 50});
  Smoke<Dim> smoke(Domain<Dim>{}, p);
  for (int s = 0; s < step_count; ++s) smoke.step(0.04);
  set_threads(0);
  return {bytes_of(smoke.grid().tree().keys()), bytes_of(smoke.velocity().view()),
          bytes_of(smoke.pressure().view()),    bytes_of(smoke.density().view()),
          bytes_of(smoke.temperature().view()), bytes_of(smoke.scalar(0).view())};
}

constexpr int steps = test::sanitized ? 3 : 20;

TEST(SmokeDeterminism, SameBytesForAnyNumberOfThreads) {
  const State one = run<3>(1, AdvectionScheme::maccormack, TimeStepping::projection, steps);
  EXPECT_FALSE(one.keys.empty());
  for (const int threads : {2, 5})
    EXPECT_TRUE(run<3>(threads, AdvectionScheme::maccormack, TimeStepping::projection, steps) ==
                one)
        << threads;
}

TEST(SmokeDeterminism, ForEverySchemeIn2D) {
  for (int scheme = 0; scheme < 3; ++scheme)
    for (const auto stepping : {TimeStepping::projection, TimeStepping::reflection}) {
      const auto s = static_cast<AdvectionScheme>(scheme);
      EXPECT_TRUE(run<2>(1, s, stepping, steps) == run<2>(5, s, stepping, steps)) << name(s);
    }
}

}  // namespace
}  // namespace octavo
