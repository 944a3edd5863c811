#include "octavo/adapt/adapt.h"

#include <gtest/gtest.h>

#include "octavo/mesh/interpolate.h"
#include "support/random_tree.h"

namespace octavo {
namespace {

template <class D>
class AdaptTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(AdaptTest, test::Dims);

template <int Dim>
auto sphere(const Vec<Dim>& center, double radius) {
  return [=](const Vec<Dim>& p) { return length(p - center) - radius; };
}

template <int Dim>
std::vector<Key<Dim>> key_list(const Octree<Dim>& tree) {
  return {tree.keys().begin(), tree.keys().end()};
}

template <int Dim>
Leaf<Dim> leaf_at(double x, int level) {
  const double size = std::pow(0.5, level);
  return {Vec<Dim>::filled(x), size, size / 2, level};
}

TYPED_TEST(AdaptTest, Combinators) {
  constexpr int Dim = TestFixture::dim;
  const auto low = inside_box<Dim>({Vec<Dim>::filled(0), Vec<Dim>::filled(0.25)}, 5);
  const auto high = inside_box<Dim>({Vec<Dim>::filled(0.75), Vec<Dim>::filled(1)}, 7);
  EXPECT_EQ(low(leaf_at<Dim>(0.125, 2)), 5);
  EXPECT_EQ(low(leaf_at<Dim>(0.375, 2)), 0);  // touching is not overlapping
  const auto both = finest_of(low, high, uniform_level(2));
  EXPECT_EQ(both(leaf_at<Dim>(0.125, 3)), 5);
  EXPECT_EQ(both(leaf_at<Dim>(0.5, 3)), 2);
  EXPECT_EQ(both(leaf_at<Dim>(0.875, 3)), 7);
  const auto clamped = clamp_level(both, 3, 6);
  EXPECT_EQ(clamped(leaf_at<Dim>(0.5, 3)), 3);
  EXPECT_EQ(clamped(leaf_at<Dim>(0.875, 3)), 6);
  const auto grown = grow(low, 2.0);  // two cells of 1/8 reach from 0.4375 to below 0.25
  EXPECT_EQ(grown(leaf_at<Dim>(0.4375, 3)), 5);
  EXPECT_EQ(grown(leaf_at<Dim>(0.5625, 3)), 0);
}

// Every leaf that the surface passes through has the wanted level, and only leaves near it do.
TYPED_TEST(AdaptTest, FollowsASurface) {
  constexpr int Dim = TestFixture::dim;
  const int finest = Dim == 2 ? 8 : 6;
  const auto shape = sphere<Dim>(Vec<Dim>::filled(0.5), 0.3);
  Grid<Dim> grid{Octree<Dim>{}};
  FieldSet<Dim> none;
  adapt(grid, none, clamp_level(near_surface<Dim>(shape, finest), 2, finest));
  const OctreeView<Dim> tree = grid.tree().view();
  EXPECT_EQ(grid.tree().validate(), "");
  EXPECT_EQ(grid.mesh().validate(), "");
  for (std::size_t i = 0; i < tree.leaf_count(); ++i) {
    const double d = std::abs(shape(tree.center(LeafId(i)))), h = tree.size(LeafId(i));
    const int level = tree.level(LeafId(i));
    EXPECT_GE(level, 2);
    EXPECT_TRUE(d >= 0.5 * h || level == finest);
    EXPECT_TRUE(level < finest || d < 3 * std::sqrt(Dim) * h);
  }
}

TYPED_TEST(AdaptTest, StaticCriterionIsAFixedPointAfterOneCall) {
  constexpr int Dim = TestFixture::dim;
  const int finest = Dim == 2 ? 7 : 5;
  for (int grading = 0; grading <= 2; ++grading)
    test::for_random_trees<Dim>(
        test::sanitized ? 10 : 40, [&](const Octree<Dim>& start, std::uint64_t) {
          const Box<Dim> box = start.domain().box();
          const auto criterion = clamp_level(
              finest_of(near_surface<Dim>(sphere<Dim>(box.center(), 0.3 * box.size()[0]), finest),
                        inside_box<Dim>({box.lo, box.lo + box.size() * 0.2}, finest - 2)),
              1, finest);
          Grid<Dim> grid{Octree<Dim>(start)};
          FieldSet<Dim> none;
          AdaptOptions options;
          options.grading = grading;
          adapt(grid, none, criterion, options);
          const auto first = key_list(grid.tree());
          const auto revision = grid.tree().revision();
          const AdaptReport again = adapt(grid, none, criterion, options);
          EXPECT_FALSE(again.changed);
          EXPECT_EQ(key_list(grid.tree()), first);
          EXPECT_EQ(grid.tree().revision(), revision);
          EXPECT_TRUE(grading == 0 || largest_jump(grid.tree()) <= grading);
        });
}

// A surface that shakes by less than a cell changes the grid in its first swing, and never again.
TYPED_TEST(AdaptTest, NoFlickerUnderASmallOscillation) {
  constexpr int Dim = TestFixture::dim;
  const int finest = Dim == 2 ? 8 : 6;
  const double h = std::pow(0.5, finest);
  auto leaves_changed = [&](double hysteresis) {
    Grid<Dim> grid{Octree<Dim>{}};
    FieldSet<Dim> none;
    AdaptOptions options;
    options.hysteresis = hysteresis;
    int changes_after_first_swing = 0;
    for (int t = 0; t < 24; ++t) {
      Vec<Dim> center = Vec<Dim>::filled(0.5);
      center[0] += 0.45 * h * std::sin(t * 3.14159265 / 4);
      const auto c = clamp_level(near_surface<Dim>(sphere<Dim>(center, 0.3), finest), 2, finest);
      const bool changed = adapt(grid, none, c, options).changed;
      if (t >= 8) changes_after_first_swing += changed ? 1 : 0;
    }
    return changes_after_first_swing;
  };
  EXPECT_EQ(leaves_changed(1.0), 0);
  EXPECT_GT(leaves_changed(0.0), 8);  // the test can fail: this is what hysteresis is for
}

TYPED_TEST(AdaptTest, RefusesWhatMakesNoSense) {
  constexpr int Dim = TestFixture::dim;
  Grid<Dim> grid{Octree<Dim>{}};
  FieldSet<Dim> none;
  AdaptOptions options;
  options.hysteresis = -1;
  EXPECT_THROW(adapt(grid, none, uniform_level(1), options), InputError);
  options.hysteresis = std::nan("");
  EXPECT_THROW(adapt(grid, none, uniform_level(1), options), InputError);
  options = {};
  options.grading = -1;
  EXPECT_THROW(adapt(grid, none, uniform_level(1), options), InputError);
  EXPECT_THROW(clamp_level(uniform_level(1), 3, 2), InputError);
}

TYPED_TEST(AdaptTest, CoarsensBehindAMovingSurface) {
  constexpr int Dim = TestFixture::dim;
  const int finest = Dim == 2 ? 7 : 5;
  Grid<Dim> grid{Octree<Dim>{}};
  FieldSet<Dim> none;
  for (int t = 0; t <= 20; ++t) {
    Vec<Dim> center = Vec<Dim>::filled(0.5);
    center[0] = 0.3 + 0.02 * t;
    const auto shape = sphere<Dim>(center, 0.2);
    adapt(grid, none, clamp_level(near_surface<Dim>(shape, finest), 1, finest));

    // A family of the finest leaves stays only while its parent, widened by a cell, is near.
    const OctreeView<Dim> tree = grid.tree().view();
    for (std::size_t i = 0; i < tree.leaf_count(); ++i) {
      if (tree.level(LeafId(i)) != finest) continue;
      ASSERT_LT(std::abs(shape(tree.center(LeafId(i)))),
                2.6 * std::sqrt(Dim) * tree.size(LeafId(i)));
    }
  }
}

// All fields go along: linear nodal fields stay linear while the grid changes under them.
TYPED_TEST(AdaptTest, CarriesAllFields) {
  constexpr int Dim = TestFixture::dim;
  const int finest = Dim == 2 ? 7 : 5;
  auto linear = [](const Vec<Dim>& p) { return 1 + p[0] - 2 * p[1] + 3 * p[Dim - 1]; };
  Grid<Dim> grid{Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 3; })};
  NodeField<double> density(grid.mesh());
  NodeField<Vec<Dim, float>> colour(grid.mesh(), Vec<Dim, float>::filled(2));
  LeafField<double> pressure(grid.mesh(), 5.0);
  FaceField<float> velocity(grid.mesh(), 7.0f);
  for (std::size_t n = 0; n < density.size(); ++n)
    density[NodeId(n)] = linear(grid.mesh().view().position(NodeId(n)));
  FieldSet<Dim> fields;
  fields.add(density);
  fields.add(colour);
  fields.add(pressure);
  fields.add(velocity);
  for (int t = 0; t < 6; ++t) {
    const auto shape = sphere<Dim>(Vec<Dim>::filled(0.4 + 0.04 * t), 0.25);
    const auto revision = grid.tree().revision();
    const auto report =
        adapt(grid, fields, clamp_level(near_surface<Dim>(shape, finest), 2, finest));
    EXPECT_TRUE(report.changed);
    EXPECT_EQ(grid.tree().revision(), revision + 1);
    EXPECT_EQ(report.leaves_after, grid.tree().leaf_count());
    ASSERT_EQ(density.size(), grid.mesh().node_count());
    ASSERT_EQ(colour.size(), grid.mesh().node_count());
    ASSERT_EQ(pressure.size(), grid.mesh().leaf_count());
    ASSERT_EQ(velocity.size(), grid.mesh().face_count());
    for (std::size_t n = 0; n < density.size(); ++n) {
      ASSERT_NEAR(density[NodeId(n)], linear(grid.mesh().view().position(NodeId(n))), 1e-12);
      ASSERT_EQ(colour[NodeId(n)], (Vec<Dim, float>::filled(2)));
    }
    for (const double p : pressure.view()) ASSERT_EQ(p, 5.0);
    for (const float u : velocity.view()) ASSERT_FLOAT_EQ(u, 7.0f);
  }
}

}  // namespace
}  // namespace octavo
