// Water is the same, bit for bit, for any number of threads.

#include <gtest/gtest.h>

#include "water/water_cases.h"

namespace octavo {
namespace {

template <int Dim>
std::vector<float> run(int thread_count) {
  set_threads(thread_count);
  WaterParameters<Dim> p = test::pool_parameters<Dim>(Dim == 2 ? 6 : 4);
  p.keep_volume = KeepVolume::flow;
  p.surface_tension = 0.1;
  p.obstacles = {{.shape = sphere_shape<Dim>(Vec<Dim>::filled(0.6), 0.15)}};
  Water<Dim> water(Domain<Dim>{}, p, test::column<Dim>(0.4, 0.6));
  for (int s = 0; s < (test::sanitized ? 2 : 6); ++s) water.step(0.02);
  std::vector<float> all(water.level_set().view().begin(), water.level_set().view().end());
  const View<const float> u = water.flow().velocity().view();
  all.insert(all.end(), u.begin(), u.end());
  set_threads(0);
  return all;
}

template <int Dim>
void expect_same_for_all_threads() {
  const std::vector<float> one = run<Dim>(1);
  EXPECT_GT(one.size(), 2000u);
  for (const int count : {2, 5}) EXPECT_EQ(run<Dim>(count), one) << count << " threads";
}

TEST(WaterDeterminism, SameBytesForAnyNumberOfThreads2D) { expect_same_for_all_threads<2>(); }
TEST(WaterDeterminism, SameBytesForAnyNumberOfThreads3D) { expect_same_for_all_threads<3>(); }

}  // namespace
}  // namespace octavo
