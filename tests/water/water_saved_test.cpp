// Water that is saved and restored goes on to the last bit as if nothing had been in between.

#include <gtest/gtest.h>

#include "water/water_cases.h"

namespace octavo {
namespace {

template <class D>
class WaterSavedTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(WaterSavedTest, test::Dims);

// A state is a view; this keeps what it looks at.
template <int Dim>
struct Kept {
  double time = 0;
  std::uint64_t steps = 0;
  std::vector<Key<Dim>> leaves;
  std::vector<SavedNumber> numbers;
  std::vector<std::string> names;
  std::vector<std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>,
                           std::vector<std::uint64_t>>>
      values;

  explicit Kept(const SavedState<Dim>& s)
      : time(s.time), steps(s.steps), leaves(s.leaves.begin(), s.leaves.end()), numbers(s.numbers) {
    for (const SavedArray& a : s.arrays) {
      names.push_back(a.name);
      std::visit(
          [&]<class T>(View<const T> v) { values.push_back(std::vector<T>(v.begin(), v.end())); },
          a.values);
    }
  }
  SavedState<Dim> state() const {
    SavedState<Dim> s{.time = time, .steps = steps, .leaves = {leaves.data(), leaves.size()}};
    s.numbers = numbers;
    for (std::size_t i = 0; i < names.size(); ++i)
      std::visit(
          [&]<class T>(const std::vector<T>& v) {
            s.arrays.push_back({names[i], View<const T>(v.data(), v.size())});
          },
          values[i]);
    return s;
  }
  friend bool operator==(const Kept& p, const Kept& q) {
    return p.time == q.time && p.steps == q.steps && p.leaves == q.leaves && p.names == q.names &&
           p.values == q.values;
  }
};

// All that may have a memory: particles that are reseeded, accounts, a source, an obstacle that moves.
template <int Dim>
WaterParameters<Dim> scene(TimeStepping stepping) {
  WaterParameters<Dim> p = test::pool_parameters<Dim>(Dim == 2 ? 5 : 4);
  p.stepping = stepping;
  p.keep_volume = KeepVolume::flow;
  p.surface_tension = 0.5;
  Vec<Dim> spout = Vec<Dim>::filled(0.5);
  spout[Dim - 1] = 0.8;
  p.sources = {{.shape = sphere_shape<Dim>(spout, 0.1)}};
  p.sources[0].values = {{"liquid", 1}};
  p.obstacles = {{.shape = sphere_shape<Dim>(Vec<Dim>::filled(0.3), 0.12)}};
  p.obstacles[0].motion = Motion<Dim>(PeriodicMotion<Dim>{
      .translation = {.amplitude = Vec<Dim>::filled(0.05), .frequency = 2, .phase = 0.3}});
  return p;
}

TYPED_TEST(WaterSavedTest, GoesOnToTheLastBit) {
  constexpr int Dim = TestFixture::dim;
  const int more = test::sanitized ? 2 : 22;  // so that particles are reseeded
  for (const TimeStepping stepping : {TimeStepping::projection, TimeStepping::reflection}) {
    SCOPED_TRACE(name(stepping));
    const WaterParameters<Dim> p = scene<Dim>(stepping);
    Water<Dim> water(Domain<Dim>{}, p, test::column<Dim>(0.4, 0.5));
    for (int s = 0; s < 2; ++s) water.step(0.01);
    const Kept<Dim> between(water.state());
    Water<Dim> again(Domain<Dim>{}, p, std::nullopt);
    again.restore(between.state());
    EXPECT_EQ(Kept<Dim>(again.state()), between);
    for (int s = 0; s < (Dim == 2 ? more : 2); ++s) {
      water.step(0.01);
      again.step(0.01);
    }
    EXPECT_EQ(Kept<Dim>(again.state()), Kept<Dim>(water.state()));
    EXPECT_GT(water.volume().total(), 0.15);
  }
}

TYPED_TEST(WaterSavedTest, StatesThatMakeNoSenseAreRefused) {
  constexpr int Dim = TestFixture::dim;
  const WaterParameters<Dim> p = test::pool_parameters<Dim>(3);
  Water<Dim> water(Domain<Dim>{}, p, test::pool<Dim>(0.4));
  const Kept<Dim> good(water.state());
  for (const char* missing :
       {"signed distance", "marker particles", "liquid accounts", "velocity"}) {
    Kept<Dim> bad = good;
    const auto at = std::find(bad.names.begin(), bad.names.end(), missing) - bad.names.begin();
    ASSERT_LT(static_cast<std::size_t>(at), bad.names.size()) << missing;
    bad.names[static_cast<std::size_t>(at)] = "other";
    EXPECT_THROW(water.restore(bad.state()), InputError) << missing;
    EXPECT_THROW(water.step(0.01), SimulationError);
  }
  water.restore(good.state());
  water.step(0.01);
}

}  // namespace
}  // namespace octavo
