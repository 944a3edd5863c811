// The tree follows the camera: thresholds that rise with the distance, leaves that are measured in pixels, and
// what is beside the picture, behind something or still to be seen.

#include <gtest/gtest.h>

#include <map>
#include <numbers>

#include "octavo/mesh/interpolate.h"
#include "support/smoke_scene.h"

namespace octavo {
namespace {

template <class D>
class ViewTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(ViewTest, test::Dims);

template <int Dim>
constexpr int finest = Dim == 2 ? 6 : 5;
constexpr int coarsest = 2;

// Looks along x from the side, level with the middle of the box.
template <int Dim>
CameraPath beside(double distance, double field_of_view) {
  const double y = 0.5, z = Dim == 2 ? 0 : 0.5;
  Camera camera;
  camera.position = {-distance, y, z};
  camera.target = {1, y, z};
  camera.up = Dim == 2 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
  camera.field_of_view = field_of_view;
  camera.resolution = {160, 120};
  return {camera};
}

// Air that turns as a whole, so that there is the same vorticity everywhere, and one rule about it.
template <int Dim>
struct Turning {
  static constexpr double vorticity = 4;
  SmokeParameters<Dim> parameters;
  typename Smoke<Dim>::Start start;

  explicit Turning(double threshold) {
    parameters.refinement.min_level = coarsest;
    parameters.refinement.max_level = finest<Dim>;
    parameters.refinement.margin = 0;
    parameters.refinement.hysteresis = 0;
    parameters.refinement.rules = {{.by = RefineBy::vorticity, .above = threshold}};
    parameters.walls.fill(Wall::open);
    start.velocity = [](const Vec<Dim>& p) {
      Vec<Dim> u{};
      u[0] = -0.5 * vorticity * (p[1] - 0.5);
      u[1] = 0.5 * vorticity * (p[0] - 0.5);
      return u;
    };
  }
  Smoke<Dim> begun() const { return Smoke<Dim>(Domain<Dim>{}, parameters, start); }
};

template <int Dim, class F>
void for_each_leaf(const Smoke<Dim>& smoke, F&& f) {
  const Octree<Dim>& tree = smoke.grid().tree();
  for (const Key<Dim> key : tree.keys()) f(tree.domain().leaf(key));
}

template <int Dim>
std::vector<Key<Dim>> leaves_of(const Smoke<Dim>& smoke) {
  const auto keys = smoke.grid().tree().keys();
  return {keys.begin(), keys.end()};
}

// All leaves whose centre is nearer than a distance have the finest level; others have the coarsest, but where
// one of their parent's is nearer.
template <int Dim>
void expect_fine_up_to(const Smoke<Dim>& smoke, const Vec3d& eye, double distance) {
  int fine = 0, coarse = 0;
  for_each_leaf(smoke, [&](const Leaf<Dim>& leaf) {
    const double r = length(in_space(leaf.center) - eye);
    if (r < distance) {
      EXPECT_EQ(leaf.level, finest<Dim>) << r;
      ++fine;
    } else if (leaf.level > coarsest) {
      EXPECT_LT(r, distance + 2 * diagonal<Dim>(leaf.size)) << leaf.level;
    } else {
      ++coarse;
    }
  });
  EXPECT_GT(fine, 50);
  EXPECT_GT(coarse, 2);
}

// Vorticity 4, threshold 2, tau 1, alpha 1, R 0.5: T* is 4 at r = 1, and 8 at r = 2, where half of it, the
// threshold for merging, is 4 again. The grid begins fine: so up to 1 m leaves are split, from 2 m on merged,
// and idle between.
TYPED_TEST(ViewTest, SplitsAndMergesByAdaptiveThresholds) {
  constexpr int Dim = TestFixture::dim;
  Turning<Dim> air(2);
  ViewParameters& view = air.parameters.refinement.view;
  view.cameras = {beside<Dim>(1.5, 2 * std::atan(0.8) * 180 / std::numbers::pi)};
  view.tau = 1;
  view.front = 0.5;
  expect_fine_up_to<Dim>(air.begun(), view.cameras[0].camera.position, 2);

  // What is kept no longer than it is split for.
  air.parameters.refinement.rules[0].keep = 1;
  view.cameras = {beside<Dim>(0.5, 2 * std::atan(0.8) * 180 / std::numbers::pi)};
  expect_fine_up_to<Dim>(air.begun(), view.cameras[0].camera.position, 1);
}

// tau = 0 is as if there were no camera, to the last bit.
TYPED_TEST(ViewTest, NoWeightNoDifference) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p = test::plume<Dim>(finest<Dim>);
  Smoke<Dim> without(Domain<Dim>{}, p);
  p.refinement.view.cameras = {beside<Dim>(1, 60)};
  Smoke<Dim> with(Domain<Dim>{}, p);
  for (int s = 0; s < 4; ++s) {
    without.step(0.05);
    with.step(0.05);
  }
  EXPECT_EQ(leaves_of(without), leaves_of(with));
  const auto a = without.density().view(), b = with.density().view();
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
}

// Every rule wants the finest level everywhere; leaves are as fine as pixels allow, and no finer.
TYPED_TEST(ViewTest, LeavesAreNoSmallerThanPixels) {
  constexpr int Dim = TestFixture::dim;
  Turning<Dim> air(1);
  ViewParameters& view = air.parameters.refinement.view;
  const CameraPath camera = beside<Dim>(0.1, 90);
  view.cameras = {camera};
  view.finest_pixels = 4;
  const CameraRays rays(camera.camera);
  std::array<int, 8> count{};
  for_each_leaf(air.begun(), [&](const Leaf<Dim>& leaf) {
    ++count[static_cast<std::size_t>(leaf.level)];
    const double depth = leaf.center[0] + 0.1;
    const double smallest = 4 * rays.pixel_size(depth);
    if (leaf.level > coarsest) {
      EXPECT_GT(leaf.size, smallest * (1 - 3 * leaf.size / depth) / 1.4);
    }
    if (leaf.level < finest<Dim>) {
      EXPECT_LT(leaf.size / 2, smallest);
    }
  });
  EXPECT_GT(count[finest<Dim>], 0);
  EXPECT_GT(count[finest<Dim> - 1], 0);
  EXPECT_EQ(count[coarsest - 1], 0);
}

// Nothing asks for detail but that smoke is seen.
TYPED_TEST(ViewTest, SmokeThatIsSeenIsNoCoarserThanPixels) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p;
  p.refinement.min_level = 1;
  p.refinement.max_level = finest<Dim>;
  p.refinement.margin = 0;
  const CameraPath camera = beside<Dim>(0.1, 90);
  p.refinement.view.cameras = {camera};
  p.refinement.view.coarsest_pixels = 16;
  Smoke<Dim> smoke(Domain<Dim>{}, p, std::nullopt);
  typename Smoke<Dim>::Start start;
  auto is_smoke = [](const Vec<Dim>& x) { return std::abs(x[1] - 0.5) < 0.1; };
  start.values["density"] = [=](const Vec<Dim>& x) { return is_smoke(x) ? 1.0 : 0.0; };
  smoke.start(start);
  const CameraRays rays(camera.camera);
  int fine = 0, coarse = 0;
  for_each_leaf(smoke, [&](const Leaf<Dim>& leaf) {
    const double depth = leaf.center[0] + 0.1,
                 height = std::abs(in_space(leaf.center)[2] - (Dim == 2 ? 0 : 0.5));
    const bool in_picture = std::abs(leaf.center[1] - 0.5) < depth && height < 0.75 * depth;
    if (in_picture && is_smoke(leaf.center) && leaf.level < finest<Dim>) {
      EXPECT_LT(leaf.size, 16 * rays.pixel_size(depth + leaf.size));
      ++fine;
    }
    coarse += leaf.level <= 2 ? 1 : 0;
  });
  EXPECT_GT(fine, 4);
  EXPECT_GT(coarse, 0);
}

// What is not in the picture or its margin is coarse, and nothing in it.
TYPED_TEST(ViewTest, CoarseOutsideOfThePicture) {
  constexpr int Dim = TestFixture::dim;
  Turning<Dim> air(1);
  ViewParameters& view = air.parameters.refinement.view;
  const CameraPath camera = beside<Dim>(0.1, 40);
  view.cameras = {camera};
  view.outside = 2;
  view.margin = 0.05;
  const Frustum frustum(camera.camera, 0.05);
  int in = 0, out = 0;
  for_each_leaf(air.begun(), [&](const Leaf<Dim>& leaf) {
    if (frustum.touches({in_space(leaf.center), 0})) {
      EXPECT_EQ(leaf.level, finest<Dim>);
      ++in;
    } else if (leaf.level > finest<Dim> - 2) {
      EXPECT_TRUE(frustum.touches({in_space(leaf.center), 2 * leaf.size}));
    } else {
      EXPECT_EQ(leaf.level, finest<Dim> - 2);
      ++out;
    }
  });
  EXPECT_GT(in, 50);
  EXPECT_GT(out, 10);

  // What is wanted whatever is seen.
  const Shape<Dim> behind = sphere_shape<Dim>(test::point<Dim>(0.2, 0.9, 0.9), 0.05);
  for (const bool always : {false, true}) {
    Turning<Dim> other = air;
    other.parameters.refinement.rules.push_back(
        {.by = RefineBy::region, .region = behind, .always = always});
    Smoke<Dim> smoke = other.begun();
    const OctreeView<Dim> tree = smoke.grid().tree().view();
    const LeafId leaf = tree.leaf_at(test::point<Dim>(0.2, 0.9, 0.9));
    EXPECT_EQ(tree.level(leaf), finest<Dim> - (always ? 0 : 2));
    const RefinementReasons why = smoke.refinement_reasons();
    EXPECT_EQ(why.criteria[why.leaf[leaf]].name,
              always ? "region" : "view: outside of the picture");
  }

  // What is near to the picture is as fine as what is in it.
  view.around = 0.15;
  int near = 0;
  for_each_leaf(air.begun(), [&](const Leaf<Dim>& leaf) {
    const bool close = frustum.touches({in_space(leaf.center), 0.15});
    if (close) {
      EXPECT_EQ(leaf.level, finest<Dim>);
    } else if (leaf.level == finest<Dim>) {
      EXPECT_TRUE(frustum.touches({in_space(leaf.center), 0.15 + 4 * leaf.size}));
    }
    near += close && !frustum.touches({in_space(leaf.center), 0}) ? 1 : 0;
  });
  EXPECT_GT(near, 20);
  view.around = 0;

  // A second camera sees the rest of it.
  view.cameras.push_back(beside<Dim>(3, 100));
  for_each_leaf(air.begun(), [](const Leaf<Dim>& leaf) { EXPECT_EQ(leaf.level, finest<Dim>); });
}

// A camera that turns away: what will be seen within the time it looks ahead is there already, what will be
// seen later is not, and what has been seen is let go.
TYPED_TEST(ViewTest, LooksAheadAlongTheWayOfTheCamera) {
  constexpr int Dim = TestFixture::dim;
  Turning<Dim> air(1);
  air.parameters.refinement.rules = {
      {.by = RefineBy::region,
       .region = box_shape<Dim>(Vec<Dim>::filled(-1), Vec<Dim>::filled(2))}};
  air.start.velocity = nullptr;
  ViewParameters& view = air.parameters.refinement.view;
  CameraPath camera = beside<Dim>(0.1, 30);
  const double z = Dim == 2 ? 0 : 0.5;
  camera.keys = {{0, {-0.1, 0.5, z}, {1, 0.1, z}, 30}, {1, {-0.1, 0.5, z}, {1, 0.9, z}, 30}};
  view.cameras = {camera};
  view.outside = 2;
  view.margin = 0;
  view.look_ahead = 0.4;
  Smoke<Dim> smoke(Domain<Dim>{}, air.parameters);
  auto level_at = [&](double y) {
    Vec<Dim> p = Vec<Dim>::filled(0.5);
    p[0] = 0.95;
    p[1] = y;
    const auto tree = smoke.grid().tree().view();
    return tree.level(tree.leaf_at(p));
  };
  EXPECT_EQ(level_at(0.1), finest<Dim>);
  EXPECT_EQ(level_at(0.42), finest<Dim>);  // seen at 0.4 s
  EXPECT_EQ(level_at(0.95), finest<Dim> - 2);
  for (int s = 0; s < 5; ++s) smoke.step(0.1);
  EXPECT_EQ(level_at(0.5), finest<Dim>);
  EXPECT_EQ(level_at(0.82), finest<Dim>);
  EXPECT_EQ(level_at(0.02), finest<Dim> - 2);
}

// In a step a leaf is split once at most, and merged once.
TYPED_TEST(ViewTest, OneLevelInAStep) {
  constexpr int Dim = TestFixture::dim;
  SmokeParameters<Dim> p;
  p.refinement.min_level = 1;
  p.refinement.max_level = finest<Dim>;
  Source<Dim> late{.shape = sphere_shape<Dim>(Vec<Dim>::filled(0.3), 0.1)};
  late.values = {{"density", 1}};
  late.start = 0.05;
  late.end = 0.75;
  p.sources = {late};
  p.refinement.rules = {{.by = RefineBy::sources}};
  p.refinement.view.one_level_per_step = true;
  Smoke<Dim> smoke(Domain<Dim>{}, p);
  int before = smoke.grid().tree().deepest_level();
  EXPECT_EQ(before, 1);
  std::vector<int> deepest;
  for (int s = 0; s < 14; ++s) {
    smoke.step(0.1);
    const int now = smoke.grid().tree().deepest_level();
    EXPECT_LE(std::abs(now - before), 1);
    deepest.push_back(before = now);
  }
  EXPECT_EQ(*std::max_element(deepest.begin(), deepest.end()), finest<Dim>);
  EXPECT_EQ(deepest.back(), 1);
}

// Transmittance from a point to the camera, by many small steps.
double transmittance(const Smoke<3>& smoke, const Vec3d& from, const Vec3d& eye,
                     double extinction) {
  const MeshView<3> mesh = smoke.mesh().view();
  const auto density = smoke.density().view();
  const int steps = 200;
  const Vec3d way = eye - from;
  double depth = 0;
  for (int i = 0; i < steps; ++i) {
    const Vec3d p = from + way * ((i + 0.5) / steps);
    bool inside = true;
    for (int a = 0; a < 3; ++a) inside = inside && p[a] > 0 && p[a] < 1;
    if (!inside) continue;
    if (!smoke.parameters().obstacles.empty() && smoke.parameters().obstacles[0].shape(p) < 0)
      return 0;
    depth +=
        extinction * static_cast<double>(sample<float>(mesh, density, p)) * length(way) / steps;
  }
  return std::exp(-depth);
}

// A cloud and a plate between the camera and half of the box, which all of the grid is asked to be fine in. What
// is coarse is dark from all of its corners, and most of what is dark is coarse.
TEST(ViewOcclusion, CoarseBehindSmokeAndSolids) {
  SmokeParameters<3> p;
  p.refinement.min_level = 2;
  p.refinement.max_level = 5;
  p.refinement.margin = 0;
  p.refinement.hysteresis = 0;
  p.refinement.rules = {
      {.by = RefineBy::region, .region = box_shape<3>(Vec3d{-1, -1, -1}, Vec3d{2, 2, 2})}};
  p.obstacles.push_back({.shape = box_shape<3>({0.3, 0.55, 0.55}, {0.36, 0.95, 0.95})});
  ViewParameters& view = p.refinement.view;
  view.cameras = {beside<3>(1, 50)};
  view.hidden = 1;
  view.transmittance = 0.05;
  view.extinction = 30;
  Smoke<3>::Start start;
  start.values["density"] = [](const Vec3d& x) {
    return std::clamp((0.25 - length(x - Vec3d{0.4, 0.25, 0.5})) / 0.05, 0.0, 1.0);
  };
  const Smoke<3> smoke(Domain<3>{}, p, start);
  const Vec3d eye = view.cameras[0].camera.position;
  const Frustum frustum(view.cameras[0].camera, 0);
  int coarse = 0, dark = 0, dark_and_coarse = 0;
  std::uint64_t number = 0;
  for_each_leaf(smoke, [&](const Leaf<3>& leaf) {
    if (++number % 3 != 0) return;
    double brightest = 0;
    for (int c = 0; c < 8; ++c) {
      Vec3d corner = leaf.center;
      for (int a = 0; a < 3; ++a) corner[a] += ((c >> a & 1) - 0.5) * 0.98 * leaf.size;
      if (!frustum.touches({corner, 0})) continue;
      brightest = std::max(brightest, transmittance(smoke, corner, eye, view.extinction));
    }
    const double volume = std::pow(leaf.size / 0.03125, 3);
    if (leaf.level < 5) {
      EXPECT_LT(brightest, 1.5 * view.transmittance);
      coarse += static_cast<int>(volume);
    }
    if (brightest < 0.9 * view.transmittance && frustum.touches({leaf.center, 0})) {
      dark += static_cast<int>(volume);
      if (leaf.level < 5) dark_and_coarse += static_cast<int>(volume);
    }
  });
  EXPECT_GT(coarse, 1000);
  EXPECT_GT(dark_and_coarse, 0.5 * dark);
}

// A state in the middle of a shot goes on as the shot did.
TEST(ViewDependenceTest, GoesOnFromASavedState) {
  SmokeParameters<3> p = test::plume<3>(5);
  CameraPath camera = beside<3>(0.5, 60);
  camera.keys = {{0, {-0.5, 0.5, 0.2}, {1, 0.5, 0.2}, 60},
                 {0.5, {-0.2, -0.5, 0.8}, {1, 0.5, 0.5}, 40}};
  p.refinement.view.cameras = {camera};
  p.refinement.view.tau = 1;
  p.refinement.view.finest_pixels = 2;
  p.refinement.view.outside = 2;
  p.refinement.view.hidden = 1;
  Smoke<3> smoke(Domain<3>{}, p);
  for (int s = 0; s < 3; ++s) smoke.step(0.05);
  Smoke<3> other(Domain<3>{}, p, std::nullopt);
  other.restore(smoke.state());
  for (int s = 0; s < 3; ++s) {
    smoke.step(0.05);
    other.step(0.05);
  }
  EXPECT_EQ(leaves_of(smoke), leaves_of(other));
}

// Each leaf has one reason; those with the ball's are at the ball, and those that the view keeps coarse are where
// it says.
TEST(RefinementReasonsTest, NameWhatSetEachLeaf) {
  SmokeParameters<3> p;
  p.refinement.min_level = 2;
  p.refinement.max_level = 5;
  p.refinement.margin = 0;
  p.refinement.rules = {{.by = RefineBy::objects},
                        {.by = RefineBy::band, .field = "density", .low = 0.1, .high = 2}};
  const Shape<3> ball = sphere_shape<3>({0.3, 0.3, 0.3}, 0.1);
  p.obstacles.push_back({.shape = ball});
  ViewParameters& view = p.refinement.view;
  view.cameras = {beside<3>(0.1, 40)};
  view.outside = 2;
  view.margin = 0;
  Smoke<3>::Start start;
  start.values["density"] = [](const Vec3d& x) { return x[2] > 0.8 ? 1.0 : 0.0; };
  Smoke<3> smoke(Domain<3>{}, p, start);
  const RefinementReasons why = smoke.refinement_reasons();
  const std::size_t leaves = smoke.mesh().leaf_count();
  ASSERT_EQ(why.leaf.size(), leaves);
  std::map<std::string, std::size_t> set, asked;
  std::size_t all = 0;
  for (const auto& c : why.criteria) {
    set[c.name] = c.set;
    asked[c.name] = c.asked;
    all += c.set;
  }
  EXPECT_EQ(all, leaves);
  EXPECT_GT(set["objects"], 20u);
  EXPECT_GE(asked["objects"], set["objects"]);
  EXPECT_GT(set["density_band"], 20u);
  EXPECT_GT(set["view: outside of the picture"], 4u);
  EXPECT_EQ(set["view: hidden"], 0u);
  EXPECT_GT(set["coarsest level"], 4u);
  const Frustum frustum(view.cameras[0].camera, 0);
  std::size_t i = 0;
  for_each_leaf(smoke, [&](const Leaf<3>& leaf) {
    const std::string& name = why.criteria[why.leaf[i++]].name;
    if (name == "objects") {
      EXPECT_LT(std::abs(ball(leaf.center)), 4 * leaf.size);
    }
    if (name == "coarsest level") {
      EXPECT_EQ(leaf.level, 2);
    }
    if (name == "view: outside of the picture") {
      EXPECT_FALSE(frustum.touches({leaf.center, 0}));
      EXPECT_LT(leaf.level, 5);
    }
  });

  // Two rules of a kind are told apart, and asking changes nothing.
  p.refinement.rules.push_back({.by = RefineBy::objects, .within = 0.05, .level = 4});
  Smoke<3> two(Domain<3>{}, p, start), other(Domain<3>{}, p, start);
  EXPECT_EQ(two.refinement_reasons().criteria[0].name, "objects (1)");
  EXPECT_EQ(two.refinement_reasons().criteria[2].name, "objects (2)");
  two.step(0.05);
  other.step(0.05);
  EXPECT_EQ(leaves_of(two), leaves_of(other));
}

TEST(ViewDependenceTest, BadInput) {
  auto refused = [](auto change) {
    SmokeParameters<3> p;
    p.refinement.view.cameras = {beside<3>(1, 60)};
    change(p.refinement.view);
    EXPECT_THROW(p.check(Domain<3>{}), InputError);
  };
  refused([](ViewParameters& v) { v.tau = -1; });
  refused([](ViewParameters& v) { v.tau = NAN; });
  refused([](ViewParameters& v) { v.front = 0; });
  refused([](ViewParameters& v) { v.finest_pixels = INFINITY; });
  refused([](ViewParameters& v) { v.finest_pixels = 2, v.coarsest_pixels = 3; });
  refused([](ViewParameters& v) { v.outside = -1; });
  refused([](ViewParameters& v) { v.transmittance = 0; });
  refused([](ViewParameters& v) { v.look_ahead = -1; });
  refused([](ViewParameters& v) { v.cameras[0].camera.target = v.cameras[0].camera.position; });
  SmokeParameters<2> flat;
  flat.refinement.view.hidden = 1;
  EXPECT_THROW(flat.check(Domain<2>{}), InputError);
}

}  // namespace
}  // namespace octavo
