#include "octavo/draw/cutaway.h"

#include <gtest/gtest.h>

#include "drawn_fields.h"
#include "octavo/base/error.h"
#include "octavo/draw/cut_solid.h"
#include "pixels.h"
#include "support/random_tree.h"

namespace octavo {
namespace {

using test::difference;
using test::pixel;
using test::Rgb;
using test::rgb;

// All planes that bound the box or the removed part cut the ray into pieces; the first piece whose middle is in
// the solid begins where the ray enters it.
double reference_hit(const Ray& ray, const Box<3>& box, const Box<3>& removed) {
  std::vector<double> distances{0};
  for (int a = 0; a < 3; ++a)
    for (const double plane : {box.lo[a], box.hi[a], removed.lo[a], removed.hi[a]})
      if (const double t = (plane - ray.origin[a]) / ray.direction[a]; t > 0)
        distances.push_back(t);
  std::sort(distances.begin(), distances.end());
  for (std::size_t i = 0; i + 1 < distances.size(); ++i) {
    const Vec3d middle = ray.at(0.5 * (distances[i] + distances[i + 1]));
    if (box.contains(middle) && !removed.contains(middle)) return distances[i];
  }
  return -1;
}

TEST(CutSolid, AgreesWithAReference) {
  const Random random(5);
  int hits = 0, misses = 0;
  for (std::uint32_t i = 0; i < 20000; ++i) {
    std::uint32_t k = 0;
    auto next = [&] { return random.uniform(i, k++); };
    const Box<3> box{{0, 0, 0}, {1, 2, 1.5}};
    Box<3> removed;
    for (int a = 0; a < 3; ++a) {
      removed.lo[a] = next() * 2.4 - 0.4;
      removed.hi[a] = removed.lo[a] + next() * 2;
      if (next() < 0.3) removed.lo[a] = -9;
      if (next() < 0.3) removed.hi[a] = 9;
    }
    const Vec3d origin{next() * 6 - 3, next() * 6 - 3, next() * 6 - 3};
    if (box.contains(origin)) continue;
    const Vec3d target{next(), 2 * next(), 1.5 * next()};
    const Ray ray{origin, normalized(target - origin)};
    const CutSolid solid(box, removed);
    const auto hit = solid.first_hit(ray);
    const double expected = reference_hit(ray, box, removed);
    ASSERT_EQ(hit.has_value(), expected > 0) << i;
    ++(hit ? hits : misses);
    if (!hit) continue;
    ASSERT_NEAR(hit->distance, expected, 1e-12);
    ASSERT_NEAR(ray.at(hit->distance)[hit->axis], hit->position, 1e-12);
  }
  EXPECT_GT(hits, 1000);
  EXPECT_GT(misses, 100);
}

TEST(CutSolid, PiecesAreWhatIsLeft) {
  const Box<3> box{{0, 0, 0}, {1, 1, 1}};
  auto volume = [](const CutSolid& solid) {
    double sum = 0;
    for (const Box<3>& piece : solid.pieces()) sum += product(piece.size());
    return sum;
  };
  EXPECT_EQ(volume(CutSolid(box, {{2, 2, 2}, {3, 3, 3}})), 1);
  EXPECT_EQ(volume(CutSolid(box, {{0.5, 0.5, 0.5}, {9, 9, 9}})), 0.875);
  EXPECT_EQ(volume(CutSolid(box, {{0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}})), 0.875);
  EXPECT_EQ(volume(CutSolid(box, {{-1, -1, -1}, {2, 2, 2}})), 0);
  EXPECT_EQ(volume(CutSolid(box, {{-1, 0.5, -1}, {2, 2, 2}})), 0.5);
}

// Around the middle of the unit cube finer than at its sides.
Octree<3> some_tree() {
  return Octree<3>::build(Domain<3>{}, [](const Leaf<3>& l) {
    return l.level < 2 ||
           (l.level < 4 && length(l.center - Vec3d::filled(0.5)) < 0.42 - 0.08 * l.level);
  });
}

Camera some_camera(const CutawayOptions& options) {
  return corner_view({{0, 0, 0}, {1, 1, 1}}, {0, 0, 1}, 420, options);
}

// How bright a colour is beside the one that the legend has.
float brightness_of(const Rgb& drawn, const Color& full) {
  return static_cast<float>(drawn[0] + drawn[1] + drawn[2]) / (full[0] + full[1] + full[2]) / 255;
}

// A point on a visible face, and which face.
struct Spot {
  Vec3d point;
  int axis;
  LeafId leaf;
};

// The middles of all faces of leaves that the camera, which is at the right (+x), in front (-y) and above (+z),
// sees once the octant on its side is cut away.
std::vector<Spot> visible_faces(const OctreeView<3>& tree) {
  std::vector<Spot> spots;
  for (std::size_t i = 0; i < tree.leaf_count(); ++i)
    for (int a = 0; a < 3; ++a) {
      const double towards = a == 1 ? -1 : 1;
      Vec3d p = tree.center(LeafId(i));
      auto removed = [&](int b) { return b == 1 ? p[b] < 0.5 : p[b] > 0.5; };
      const bool in_notch = removed((a + 1) % 3) && removed((a + 2) % 3);
      p[a] += towards * tree.size(LeafId(i)) / 2;
      const bool outside = p[a] == (towards > 0 ? 1 : 0), on_cut = p[a] == 0.5;
      if ((outside && !in_notch) || (on_cut && in_notch)) spots.push_back({p, a, LeafId(i)});
    }
  return spots;
}

TEST(Cutaway, LeavesAreWhereTheCameraSeesThem) {
  const Octree<3> tree = some_tree();
  const OctreeView<3> view = tree.view();
  CutawayOptions options;
  options.lines = options.legend = false;
  const Camera camera = some_camera(options);
  const Image image = draw_cutaway({view}, camera, options);
  const CameraRays rays(camera);
  const LevelRange levels{2, 4};
  ASSERT_EQ(image.width, camera.resolution[0]);
  ASSERT_EQ(image.height, camera.resolution[1]);

  // Each direction has one brightness; what faces up has that of the legend.
  std::array<std::optional<float>, 3> brightness;
  std::array<int, 3> seen{};
  for (const Spot& spot : visible_faces(view)) {
    Vec2d at{};
    ASSERT_TRUE(rays.place(spot.point, at));
    const Rgb color = pixel(image, static_cast<int>(at[0]), static_cast<int>(at[1]));
    const Color full = levels.color(view.level(spot.leaf));
    auto& b = brightness[static_cast<std::size_t>(spot.axis)];
    if (!b) b = brightness_of(color, full);
    EXPECT_LE(difference(color, rgb(mix({0, 0, 0}, full, *b))), 2)
        << spot.point[0] << ' ' << spot.point[1] << ' ' << spot.point[2];
    ++seen[static_cast<std::size_t>(view.level(spot.leaf) - 2)];
  }
  EXPECT_NEAR(*brightness[2], 1, 0.01);
  EXPECT_LT(*brightness[1], *brightness[2] - 0.03f);
  EXPECT_LT(*brightness[0], *brightness[1] - 0.03f);
  for (const int count : seen) EXPECT_GT(count, 8);
  EXPECT_EQ(pixel(image, 0, 0), rgb({1, 1, 1}));
}

// In the middle of an edge between leaves of the same size a pixel is darker than in the middle of the leaves.
TEST(Cutaway, EdgesOfLeavesAreLines) {
  const Octree<3> tree = some_tree();
  const OctreeView<3> view = tree.view();
  CutawayOptions options;
  options.legend = false;
  const Camera camera = some_camera(options);
  const CameraRays rays(camera);
  const Image with = draw_cutaway({view}, camera, options);
  options.lines = false;
  const Image without = draw_cutaway({view}, camera, options);
  int lines = 0;
  for (const Spot& spot : visible_faces(view)) {
    Vec2d at{};
    const double size = view.size(spot.leaf);
    rays.place(spot.point, at);
    const int x = static_cast<int>(at[0]), y = static_cast<int>(at[1]);
    EXPECT_EQ(pixel(with, x, y), pixel(without, x, y));  // between lines
    Vec3d edge = spot.point, beyond = spot.point;
    const int along = (spot.axis + 1) % 3;
    edge[along] -= size / 2;
    beyond[along] -= size / 2 + 1e-6;
    beyond[spot.axis] -= (spot.axis == 1 ? -1 : 1) * 1e-6;
    if (!view.domain.box().contains(beyond) ||
        view.level(view.leaf_at(beyond)) != view.level(spot.leaf))
      continue;
    rays.place(edge, at);
    const Rgb on = pixel(with, static_cast<int>(at[0]), static_cast<int>(at[1]));
    const Rgb off = pixel(without, static_cast<int>(at[0]), static_cast<int>(at[1]));
    const bool light = view.level(spot.leaf) == 4;  // in dark colours lines are light
    EXPECT_GT((light ? on[1] - off[1] : off[1] - on[1]), light ? 12 : 20);
    ++lines;
  }
  EXPECT_GT(lines, 40);
}

// A cut along faces of leaves shows those behind it, from either side.
TEST(Cutaway, HalfTowardsTheCameraIsGone) {
  const auto tree = Octree<3>::build(Domain<3>{}, [](const Leaf<3>& l) {
    return l.level < 1 || (l.level < 3 && l.center[0] > 0.5);
  });
  CutawayOptions options;
  options.cut = CutPart::half;
  options.axis = 0;
  options.lines = options.legend = false;
  options.background = {0, 0, 0};
  Camera camera;
  camera.resolution = {160, 160};
  const LevelRange levels{1, 3};
  for (const double side : {-1.0, 1.0}) {
    camera.position = {0.5 + 3 * side, 0.5, 0.5};
    const Image image = draw_cutaway({tree.view()}, camera, options);
    const Color expected = levels.color(side > 0 ? 1 : 3);
    const Rgb middle = pixel(image, 80, 80);
    const float b = brightness_of(middle, expected);
    EXPECT_GT(b, 0.7f);
    EXPECT_LE(difference(middle, rgb(mix({0, 0, 0}, expected, b))), 2) << side;
    EXPECT_EQ(pixel(image, 2, 2), (Rgb{0, 0, 0}));
  }
}

TEST(Cutaway, FieldsOnNodesAreSmooth) {
  const Octree<3> tree = some_tree();
  const Mesh<3> mesh(tree);
  auto f = [](const Vec3d& p) { return p[0] + 2 * p[1] + 0.5 * p[2]; };
  const NodeField<float> field = test::nodal(mesh, f);
  CutawayOptions options;
  options.lines = options.legend = false;
  const Camera camera = some_camera(options);
  const Image image = draw_cutaway(test::picture_of(mesh, field), camera, options);
  const CameraRays rays(camera);
  const ColorScale scale{ColorMap::viridis, 0, 3.5};
  for (const Spot& spot : visible_faces(tree.view())) {
    if (spot.axis != 2) continue;  // as bright as the legend
    Vec2d at{};
    rays.place(spot.point, at);
    const int x = static_cast<int>(at[0]), y = static_cast<int>(at[1]);
    // Where the middle of that pixel is on the face.
    const Ray ray = rays.through(x + 0.5, y + 0.5);
    const Vec3d p = ray.at((spot.point[2] - ray.origin[2]) / ray.direction[2]);
    EXPECT_LE(difference(pixel(image, x, y), rgb(scale(f(p)))), 1);
  }
}

TEST(Cutaway, LegendStandsBesideIt) {
  const Octree<3> tree = some_tree();
  const Camera camera = some_camera({});
  CutawayOptions options;
  options.legend = false;
  const Image without = draw_cutaway({tree.view()}, camera, options);
  const Image with = draw_cutaway({tree.view()}, camera);
  EXPECT_GT(with.width, without.width + 30);
  for (int y = 0; y < without.height; ++y)
    for (int x = 0; x < without.width; ++x) ASSERT_EQ(pixel(with, x, y), pixel(without, x, y));
}

TEST(Cutaway, PictureDoesNotDependOnThreads) {
  const Octree<3> tree = test::random_tree<3>(4, 2000);
  for (const CutPart cut : {CutPart::nothing, CutPart::half, CutPart::quarter, CutPart::octant}) {
    CutawayOptions options;
    options.cut = cut;
    const Camera camera = corner_view(tree.domain().box(), {0, 0, 1}, 150, options);
    EXPECT_TRUE(
        test::same_with_any_threads([&] { return draw_cutaway({tree.view()}, camera, options); }));
  }
}

TEST(Cutaway, RefusesWhatMakesNoSense) {
  const Octree<3> tree;
  const LeafPicture<3> picture{tree.view()};
  const Camera camera = some_camera({});
  EXPECT_THROW(draw_cutaway(picture, camera, {.axis = 3}), InputError);
  EXPECT_THROW(draw_cutaway(picture, camera, {.position = Vec3d{0.5, 2, 0.5}}), InputError);
  EXPECT_THROW(draw_cutaway(picture, camera, {.max_level = 17}), InputError);
  Camera inside = camera;
  inside.position = {0.4, 0.4, 0.4};
  inside.target = {1, 1, 1};
  EXPECT_THROW(draw_cutaway(picture, inside, {.cut = CutPart::nothing}), InputError);
  inside.resolution = {40, 40};
  EXPECT_NO_THROW(draw_cutaway(picture, inside, {.cut = CutPart::octant}));
  inside.resolution = {40, 0};
  EXPECT_THROW(draw_cutaway(picture, inside), InputError);
}

}  // namespace
}  // namespace octavo
