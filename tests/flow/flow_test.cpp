// What a simulation may carry beside velocity and pressure, and how it comes onto the next mesh and into states.

#include "octavo/flow/flow.h"

#include <gtest/gtest.h>

#include "support/kept_state.h"
#include "support/random_tree.h"

namespace octavo {
namespace {

template <class D>
class FlowTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(FlowTest, test::Dims);

constexpr double time_step = 0.1;

// Fine where a source is, which flies through the box.
template <int Dim>
FlowParameters<Dim> flying() {
  FlowParameters<Dim> p;
  p.refinement.min_level = 2;
  p.refinement.max_level = Dim == 2 ? 6 : 5;
  p.refinement.rules = {{.by = RefineBy::sources}};
  p.scalars = {{.name = "dye", .outside = 0.5, .decay = 0.1}};
  Source<Dim> source{.shape = sphere_shape<Dim>(Vec<Dim>::filled(0.25), 0.1)};
  source.motion = Motion<Dim>(SteadyMotion<Dim>{.velocity = Vec<Dim>::filled(1)});
  source.values = {{"soot", 2}, {"dye", 1}};
  source.velocity = Vec<Dim>::filled(0.5);
  p.sources = {source};
  return p;
}

std::vector<FieldInfo> carried() {
  return {{.name = "soot"},
          {.name = "charge", .place = FieldPlace::leaf, .next_mesh = NextMesh::transferred},
          {.name = "wetness",
           .place = FieldPlace::leaf,
           .next_mesh = NextMesh::computed,
           .is_state = false}};
}

template <int Dim>
FlowStart<Dim> charged() {
  FlowStart<Dim> start;
  start.values["charge"] = [](const Vec<Dim>& x) { return 1 + std::sin(9 * x[0]) * x[1]; };
  return start;
}

template <int Dim, class Real>
const LeafField<Real>& leaf_field(const Flow<Dim, Real>& flow, std::string_view name) {
  const auto* column = flow.fields().find(name);
  const auto* field = column == nullptr ? nullptr : column->template as<LeafField<Real>>();
  if (field == nullptr) throw InvariantError(fmt::format("there is no leaf field '{}'", name));
  return *field;
}

template <int Dim, class Real>
StepReport step(Flow<Dim, Real>& flow) {
  const double dt = time_step;
  flow.begin_step(dt);
  flow.decide_leaves(dt);
  flow.onto_next_mesh(dt, [&](const auto& from, const auto& to) { flow.advect(from, to, dt); });
  flow.emit_sources(flow.time(), flow.time() + dt);
  flow.decay(dt);
  flow.project(dt);
  return flow.end_step(dt);
}

// Of leaves, by their volumes.
template <int Dim, class Real>
double integral(const Mesh<Dim>& mesh, const LeafField<Real>& field) {
  double sum = 0;
  for (std::size_t i = 0; i < mesh.leaf_count(); ++i)
    sum += mesh.view().tree.volume(LeafId(i)) * static_cast<double>(field[LeafId(i)]);
  return sum;
}

TYPED_TEST(FlowTest, LeafFieldsKeepTheirIntegralWhenTheMeshChanges) {
  constexpr int Dim = TestFixture::dim;
  const FlowParameters<Dim> p = flying<Dim>();
  Flow<Dim, double> flow(Domain<Dim>{}, p, carried());
  flow.start(charged<Dim>());
  const LeafField<double>& charge = leaf_field(flow, "charge");
  const LeafField<double>& wetness = leaf_field(flow, "wetness");
  const double before = integral(flow.mesh(), charge);
  EXPECT_NEAR(before, 1 + (1 - std::cos(9.0)) / 18, 0.02);
  int changes = 0;
  for (int s = 0; s < 6; ++s) {
    changes += step(flow).changed_tree ? 1 : 0;
    ASSERT_EQ(charge.size(), flow.mesh().leaf_count());
    ASSERT_EQ(wetness.size(), flow.mesh().leaf_count());
    EXPECT_NEAR(integral(flow.mesh(), charge), before, 1e-12 * before);
    for (const double c : charge.view()) ASSERT_TRUE(c >= 0 && c <= 2) << c;
  }
  EXPECT_GT(changes, 3);

  // Others have gone with the source and the flow.
  const auto [least, most] =
      std::minmax_element(flow.number("soot").view().begin(), flow.number("soot").view().end());
  EXPECT_NEAR(*most, 2, 1e-9);
  EXPECT_NEAR(*least, 0, 1e-9);
}

template <class T>
std::vector<T> values_of(View<const T> v) {
  return {v.begin(), v.end()};
}

template <int Dim>
void expect_same(const SavedState<Dim>& a, const SavedState<Dim>& b) {
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.steps, b.steps);
  ASSERT_EQ(a.leaves.size(), b.leaves.size());
  EXPECT_TRUE(std::equal(a.leaves.begin(), a.leaves.end(), b.leaves.begin()));
  ASSERT_EQ(a.arrays.size(), b.arrays.size());
  for (const SavedArray& array : a.arrays) {
    const auto one = a.template array<float>(array.name),
               other = b.template array<float>(array.name);
    ASSERT_EQ(one.size(), other.size()) << array.name;
    EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size() * sizeof(float)), 0) << array.name;
  }
}

TYPED_TEST(FlowTest, AllFieldsAreSavedAndRestored) {
  constexpr int Dim = TestFixture::dim;
  const FlowParameters<Dim> p = flying<Dim>();
  Flow<Dim> flow(Domain<Dim>{}, p, carried()), other(Domain<Dim>{}, p, carried());
  flow.start(charged<Dim>());
  for (int s = 0; s < 3; ++s) step(flow);
  const test::KeptState<Dim> kept(flow.state());
  std::vector<std::string> names;
  for (const auto& array : kept.arrays) names.push_back(array.name);
  EXPECT_EQ(names, (std::vector<std::string>{"velocity", "pressure", "soot", "charge", "dye"}));

  other.restore(kept.state());
  expect_same(other.state(), flow.state());
  EXPECT_EQ(leaf_field(other, "wetness").size(), other.mesh().leaf_count());
  for (int s = 0; s < 2; ++s) {
    step(flow);
    step(other);
  }
  expect_same(other.state(), flow.state());

  // A state of another flow is not one of this.
  Flow<Dim> plain(Domain<Dim>{}, p, {{.name = "soot"}}), more(Domain<Dim>{}, p, [] {
    std::vector<FieldInfo> all = carried();
    all.push_back({.name = "fog"});
    return all;
  }());
  plain.restore(kept.state());
  EXPECT_THROW(more.restore(kept.state()), InputError);
  EXPECT_THROW(step(more), SimulationError);
  Flow<Dim, double> precise(Domain<Dim>{}, p, carried());
  EXPECT_THROW(precise.restore(kept.state()), InputError);
}

TEST(Flow, SourcesAndFieldsThatCannotBe) {
  FlowParameters<2> p = flying<2>();
  auto begin = [&](const std::vector<FieldInfo>& fields) {
    const Flow<2> flow(Domain<2>{}, p, fields);
  };
  begin(carried());
  EXPECT_THROW(begin({}), InputError);  // without soot
  EXPECT_THROW(begin({{.name = "soot"}, {.name = "dye"}}), InputError);
  EXPECT_THROW(begin({{.name = "soot"}, {.name = "pressure"}}), InputError);
  p.sources[0].values["fog"] = 1;
  EXPECT_THROW(begin(carried()), InputError);

  // Nothing is known of how these would come onto the next mesh.
  p.sources.clear();
  EXPECT_THROW(begin({{.name = "charge", .place = FieldPlace::leaf}}), InvariantError);
  EXPECT_THROW(begin({{.name = "charge", .next_mesh = NextMesh::transferred}}), InvariantError);
  EXPECT_THROW(begin({{.name = "charge", .place = FieldPlace::face}}), InvariantError);
}

// Without a beginning there is nothing to go on from, and nothing to say of it.
TEST(Flow, BeginsWithWhatIsThere) {
  const FlowParameters<2> p = flying<2>();
  Flow<2> flow(Domain<2>{}, p, carried());
  EXPECT_THROW(step(flow), SimulationError);
  EXPECT_THROW(flow.state(), SimulationError);
  FlowStart<2> foggy;
  foggy.values["fog"] = [](const Vec<2>&) { return 1.0; };
  EXPECT_THROW(flow.start(foggy), InputError);
  flow.start({});
  for (const float dye : std::as_const(flow.number("dye")).view()) ASSERT_EQ(dye, 0.5F);
  EXPECT_THROW(flow.number("charge"), InvariantError);  // on leaves
  EXPECT_THROW(flow.number("fog"), InvariantError);
}

}  // namespace
}  // namespace octavo
