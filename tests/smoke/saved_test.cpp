// A simulation that is saved and restored goes on to the last bit as if nothing had been in between.

#include <gtest/gtest.h>

#include "io/temporary_folder.h"
#include "octavo/io/archive.h"
#include "support/kept_state.h"
#include "support/sanitized.h"
#include "support/smoke_scene.h"

namespace octavo {
namespace {

constexpr double dt = 0.04;

template <int Dim>
constexpr int finest_saved = (Dim == 2 ? 6 : 4) - (test::sanitized ? 1 : 0);

// Everything that may have a memory: a bound on the leaves, things that move and flicker, all forces.
template <int Dim>
SmokeParameters<Dim> scene(AdvectionScheme scheme = AdvectionScheme::maccormack,
                           TimeStepping stepping = TimeStepping::projection) {
  SmokeParameters<Dim> p = test::plume<Dim>(finest_saved<Dim>);
  p.advection = scheme;
  p.stepping = stepping;
  p.confinement = 0.2;
  p.cooling = 0.3;
  p.density_decay = 0.1;
  p.scalars = {{.name = "color"}, {.name = "fuel", .outside = 0.1, .decay = 0.2}};
  p.sources[0].noise = {.amount = 0.6, .size = 0.05, .period = 0.3, .seed = 3};
  p.sources[0].values["color"] = 0.5;
  p.sources[0].values["fuel"] = 1;
  p.obstacles[0].motion = Motion<Dim>(PeriodicMotion<Dim>{
      .translation = {.amplitude = Vec<Dim>::filled(0.05), .frequency = 2, .phase = 0.3}});
  p.obstacles[0].temperature = 0.5;
  p.refinement.rules.push_back({.by = RefineBy::detail, .field = "density", .above = 0.02});
  p.refinement.rules.push_back({.by = RefineBy::velocity_variation, .above = 50});
  p.refinement.max_leaves = (Dim == 2 ? 400 : 900) / (test::sanitized ? 3 : 1);
  return p;
}

template <class T>
std::vector<unsigned char> bytes_of(View<const T> v) {
  const auto* first = reinterpret_cast<const unsigned char*>(v.data());
  return {first, first + v.size() * sizeof(T)};
}

// What a simulation does next, and what it has become then.
struct Future {
  std::vector<double> reports;
  std::vector<std::vector<unsigned char>> fields;
  double time = 0;
  std::uint64_t steps = 0;
  friend bool operator==(const Future&, const Future&) = default;
};

void add_report(const StepReport& r, std::vector<double>& to) {
  to.insert(
      to.end(),
      {static_cast<double>(r.step), r.time, static_cast<double>(r.leaves),
       static_cast<double>(r.faces), static_cast<double>(r.nodes), r.changed_tree ? 1.0 : 0.0,
       r.strictness, r.cfl, static_cast<double>(r.iterations), r.pressure.residual_before,
       r.pressure.residual_after, test::total_density(r), r.kinetic_energy, r.largest_divergence});
}

template <int Dim, class Real>
Future future_of(Smoke<Dim, Real>& smoke, int steps = 3) {
  Future f;
  f.reports.push_back(smoke.substeps_for(0.1));
  for (int s = 0; s < steps; ++s) {
    add_report(smoke.step(dt), f.reports);
    f.reports.push_back(smoke.substeps_for(0.1));
  }
  const SavedState<Dim> s = smoke.state();
  f.fields = {bytes_of(s.leaves)};
  for (const char* field : {"velocity", "pressure", "density", "temperature", "color", "fuel"})
    f.fields.push_back(bytes_of(s.template array<Real>(field)));
  NodeField<Vec<Dim, Real>> nodal;
  smoke.nodal_velocity(nodal);
  f.fields.push_back(bytes_of(std::as_const(nodal).view()));
  f.time = s.time;
  f.steps = s.steps;
  return f;
}

// Straight on; restored into another simulation with other threads; restored into the one that has gone
// on.
template <int Dim, class Real = float>
void expect_same_future(const SmokeParameters<Dim>& p, int steps_before = 3) {
  set_threads(1);
  Smoke<Dim, Real> smoke(Domain<Dim>{}, p);
  for (int s = 0; s < steps_before; ++s) smoke.step(dt);
  const test::KeptState<Dim, Real> kept(smoke.state());
  const Future straight = future_of(smoke);
  smoke.restore(kept.state());
  EXPECT_TRUE(future_of(smoke) == straight) << "into the same one";

  set_threads(3);
  Smoke<Dim, Real> other(Domain<Dim>{}, p);
  other.restore(kept.state());
  EXPECT_TRUE(future_of(other) == straight) << "into another one";
  set_threads(0);
}

template <int Dim>
void try_every_scheme() {
  for (int scheme = 0; scheme < 3; ++scheme)
    for (const auto stepping : {TimeStepping::projection, TimeStepping::reflection}) {
      const auto s = static_cast<AdvectionScheme>(scheme);
      SCOPED_TRACE(fmt::format("{}D, {}, {}", Dim, name(s), name(stepping)));
      expect_same_future<Dim>(scene<Dim>(s, stepping));
    }
}

TEST(SavedSmoke, GoesOnIn2D) { try_every_scheme<2>(); }
TEST(SavedSmoke, GoesOnIn3D) { try_every_scheme<3>(); }

TEST(SavedSmoke, GoesOnFromTheBeginning) {
  expect_same_future<2>(scene<2>(), 0);
  expect_same_future<2>(scene<2>(AdvectionScheme::bfecc, TimeStepping::reflection), 0);
}

TEST(SavedSmoke, GoesOnWithOtherSolversAndPrecision) {
  SmokeParameters<2> p = scene<2>();
  p.preconditioner = Preconditioner::mic0;
  p.treatment = ObstacleTreatment::voxel;
  expect_same_future<2>(p);
  p.preconditioner = Preconditioner::diagonal;
  p.obstacles.clear();
  expect_same_future<2>(p);
  expect_same_future<2, double>(scene<2>());
}

// A solid that stands still in a turned pose is measured once in a step of two halves, in its middle.
TEST(SavedSmoke, GoesOnBesideATurnedSolid) {
  SmokeParameters<2> p = scene<2>(AdvectionScheme::maccormack, TimeStepping::reflection);
  p.obstacles[0].shape = box_shape<2>({0.3, 0.4}, {0.7, 0.5});
  p.obstacles[0].motion = Motion<2>(KeyframeMotion<2>{
      .keyframes = {{.translation = {0.01, 0.02}, .turn = 0.3}}, .pivot = {0.5, 0.45}});
  ASSERT_TRUE(p.obstacles[0].motion.is_still());
  expect_same_future<2, double>(p);
}

// The scene is of no use for these tests if the bound on the leaves does not make itself felt.
TEST(SavedSmoke, StrictnessIsPartOfTheState) {
  Smoke<3> smoke(Domain<3>{}, scene<3>());
  for (int s = 0; s < 3; ++s) smoke.step(dt);
  EXPECT_GT(smoke.state().number("strictness"), 1);
  test::KeptState<3> kept(smoke.state());
  const Future straight = future_of(smoke, 1);
  kept.number("strictness") *= 1.5;
  smoke.restore(kept.state());
  EXPECT_FALSE(future_of(smoke, 1) == straight);
}

// A state in a file.
template <int Dim, class Real>
void write_state(const std::filesystem::path& path, const SavedState<Dim>& s) {
  Buffer<std::uint64_t> leaves(s.leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i] = s.leaves[i].bits;
  ArchiveWriter out;
  out.add_number("time", s.time);
  out.add_number("steps", s.steps);
  out.add_array("leaves", leaves.view());
  for (const SavedNumber& n : s.numbers) out.add_number(n.name, n.value);
  for (const SavedArray& a : s.arrays) out.add_array(a.name, s.template array<Real>(a.name));
  out.commit(path);
}

// `like` has the names of what is in the file.
template <int Dim, class Real>
test::KeptState<Dim, Real> read_state(const std::filesystem::path& path,
                                      const SavedState<Dim>& like) {
  const ArchiveReader in(path);
  test::KeptState<Dim, Real> kept;
  kept.time = in.number<double>("time");
  kept.steps = in.number<std::uint64_t>("steps");
  const Buffer<std::uint64_t> leaves = in.array<std::uint64_t>("leaves");
  kept.leaves.resize(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) kept.leaves[i] = {leaves[i]};
  for (const SavedNumber& n : like.numbers)
    kept.numbers.push_back({n.name, in.number<double>(n.name)});
  for (const SavedArray& a : like.arrays) kept.add(a.name) = in.array<Real>(a.name);
  return kept;
}

TEST(SavedSmoke, GoesOnFromAFile) {
  TemporaryFolder folder;
  const SmokeParameters<3> p = scene<3>(AdvectionScheme::maccormack, TimeStepping::reflection);
  Smoke<3> smoke(Domain<3>{}, p);
  for (int s = 0; s < 3; ++s) smoke.step(dt);
  write_state<3, float>(folder / "smoke.h5", smoke.state());
  const Future straight = future_of(smoke);

  Smoke<3> other(Domain<3>{}, p);
  other.restore(read_state<3, float>(folder / "smoke.h5", other.state()).state());
  EXPECT_TRUE(future_of(other) == straight);
}

TEST(SavedSmoke, MayBeRestoredFromItself) {
  Smoke<2> smoke(Domain<2>{}, scene<2>()), other(Domain<2>{}, scene<2>());
  for (int s = 0; s < 2; ++s) {
    smoke.step(dt);
    other.step(dt);
  }
  smoke.restore(smoke.state());
  EXPECT_TRUE(future_of(smoke) == future_of(other));
}

// Changes a good state; it must then be refused, and the simulation must not go on.
class Spoilt : public testing::Test {
 protected:
  Spoilt() : smoke_(Domain<2>{}, scene<2>()) {
    smoke_.step(dt);
    good_ = test::KeptState<2>(smoke_.state());
  }

  template <class Change>
  void expect_refused(Change&& change, const std::string& words) {
    test::KeptState<2> kept = good_;
    change(kept);
    try {
      smoke_.restore(kept.state());
      ADD_FAILURE() << "not refused: " << words;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
    EXPECT_THROW(smoke_.step(dt), SimulationError);
    EXPECT_THROW(smoke_.advance(dt), SimulationError);
    EXPECT_THROW(smoke_.state(), SimulationError);
    NodeField<Vec<2, float>> nodal;
    EXPECT_THROW(smoke_.nodal_velocity(nodal), SimulationError);
  }

  Smoke<2> smoke_;
  test::KeptState<2> good_;
};

template <class T>
void set_size(Buffer<T>& b, std::size_t size) {
  Buffer<T> other(size);
  for (std::size_t i = 0; i < size; ++i) other[i] = i < b.size() ? b[i] : T{};
  b.swap(other);
}

TEST_F(Spoilt, Numbers) {
  using Kept = test::KeptState<2>;
  for (const double bad : {std::nan(""), HUGE_VAL, -1.0}) {
    expect_refused([=](Kept& k) { k.time = bad; }, "times");
    expect_refused([=](Kept& k) { k.number("solids_since") = bad; }, "times");
    expect_refused([=](Kept& k) { k.number("solids_time") = bad; }, "times");
    expect_refused([=](Kept& k) { k.number("strictness") = bad; }, "strictness");
  }
  expect_refused([](Kept& k) { k.time *= 0.5; }, "times");
  expect_refused([](Kept& k) { k.numbers.pop_back(); }, "no strictness");
  expect_refused([](Kept& k) { k.arrays.pop_back(); }, "no fuel");
  smoke_.restore(good_.state());
  smoke_.step(dt);
}

TEST_F(Spoilt, Fields) {
  using Kept = test::KeptState<2>;
  const float nan = std::nanf("");
  expect_refused([](Kept& k) { set_size(k.array("velocity"), k.array("velocity").size() - 1); },
                 "velocity");
  expect_refused([](Kept& k) { set_size(k.array("pressure"), k.array("pressure").size() + 1); },
                 "pressure");
  expect_refused([](Kept& k) { set_size(k.array("density"), 0); }, "saved density has 0 values");
  expect_refused([](Kept& k) { set_size(k.array("temperature"), 1); }, "temperature");
  expect_refused([](Kept& k) { set_size(k.array("fuel"), 5); }, "saved fuel has 5 values");
  expect_refused([=](Kept& k) { k.array("velocity")[10] = nan; }, "velocity is not finite");
  expect_refused([=](Kept& k) { k.array("pressure")[10] = HUGE_VALF; }, "pressure is not finite");
  expect_refused([=](Kept& k) { k.array("density")[10] = nan; }, "density is not finite");
  expect_refused([=](Kept& k) { k.array("temperature")[10] = nan; }, "temperature is not finite");
  expect_refused([=](Kept& k) { k.array("color")[10] = nan; }, "color is not finite");
}

TEST_F(Spoilt, Leaves) {
  using Kept = test::KeptState<2>;
  const std::string words = "do not make a tree";
  expect_refused([](Kept& k) { set_size(k.leaves, 0); }, words);
  expect_refused([](Kept& k) { set_size(k.leaves, k.leaves.size() - 1); }, words);
  expect_refused([](Kept& k) { set_size(k.leaves, k.leaves.size() + 1); }, words);
  expect_refused([](Kept& k) { std::swap(k.leaves[3], k.leaves[4]); }, words);
  expect_refused([](Kept& k) { k.leaves[3] = k.leaves[4]; }, words);
  const std::size_t n = good_.leaves.size();
  const Random random(5);
  for (std::uint64_t i = 0; i < 64 * 5; ++i)
    expect_refused(
        [&](Kept& k) { k.leaves[random.bits(i) % n].bits ^= std::uint64_t{1} << (i % 64); }, words);
  for (std::uint32_t j = 1; j < 20; ++j)
    expect_refused(
        [&](Kept& k) {
          for (std::size_t i = 0; i < n; ++i) k.leaves[i].bits = random.bits(i, j);
        },
        words);
}

}  // namespace
}  // namespace octavo
