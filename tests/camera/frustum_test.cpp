// What a camera sees of regions, against points and rays by the thousand.

#include "octavo/camera/frustum.h"

#include <gtest/gtest.h>

#include "octavo/base/random.h"
#include "octavo/camera/sight_map.h"

namespace octavo {
namespace {

Vec3d random_point(const Random& random, std::uint64_t i, std::uint32_t what) {
  return {random.uniform(i, what, 0), random.uniform(i, what, 1), random.uniform(i, what, 2)};
}

Camera random_camera(const Random& random, std::uint64_t i) {
  Camera camera;
  camera.position = random_point(random, i, 0) * 4.0 - Vec3d{1.5, 1.5, 1.5};
  camera.target = random_point(random, i, 1);
  camera.field_of_view = 20 + 90 * random.uniform(i, 2);
  camera.resolution = {320, i % 2 == 0 ? 180 : 480};
  return camera;
}

bool in_picture(const Camera& camera, const Vec3d& point, double margin) {
  Vec2d pixel{};
  if (!CameraRays(camera).place(point, pixel)) return false;
  const double more = margin * camera.resolution[0];
  return pixel[0] >= -more && pixel[0] <= camera.resolution[0] + more && pixel[1] >= -more &&
         pixel[1] <= camera.resolution[1] + more;
}

// Points all over a region, its corners first.
template <class F>
void for_points(const Random& random, std::uint64_t i, const Region& region, int count, F&& f) {
  for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(count); ++k) {
    Vec3d p = random_point(random, i, 100 + k);
    for (int a = 0; k < 8 && a < 3; ++a) p[a] = static_cast<double>(k >> a & 1);
    f(region.center + (p * 2.0 - Vec3d{1, 1, 1}) * region.half);
  }
}

TEST(Frustum, HasAllThatIsInThePicture) {
  const Random random(7);
  int inside = 0, outside = 0, wrongly_inside = 0;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const Camera camera = random_camera(random, i);
    const double margin = i % 3 == 0 ? 0 : 0.2;
    const Frustum frustum(camera, margin);
    const Region region{random_point(random, i, 3) * 3.0 - Vec3d{1, 1, 1},
                        0.3 * random.uniform(i, 4)};
    bool any = false;
    const auto place = frustum.place(region);
    double nearest = 1e9, ahead = 1e9, seen = 1e9;
    for_points(random, i, region, 200, [&](const Vec3d& p) {
      any = any || in_picture(camera, p, margin);
      Vec2d pixel{};
      if (place && CameraRays(camera).place(p, pixel)) {
        for (int a = 0; a < 2; ++a) {
          const double rounding = 1e-9 * (1 + std::abs(pixel[a]));
          ASSERT_GE(pixel[a], place->lo[a] - rounding);
          ASSERT_LE(pixel[a], place->hi[a] + rounding);
        }
      }
      nearest = std::min(nearest, length(p - camera.position));
      ahead = std::min(ahead, frustum.depth(p));
      if (in_picture(camera, p, 0)) seen = std::min(seen, frustum.depth(p));
    });
    if (any) {
      ASSERT_TRUE(frustum.touches(region)) << i;
    }
    (any ? inside : outside) += 1;
    wrongly_inside += !any && frustum.touches(region) ? 1 : 0;

    // Distances: never more than to any of the points, and nearly the least of them.
    ASSERT_LE(frustum.nearest(region), nearest + 1e-12);
    ASSERT_GE(frustum.nearest(region), nearest - 2 * region.half);
    ASSERT_LE(frustum.distance(region), seen + 1e-12);
    ASSERT_GE(frustum.distance(region), ahead - 1e-12);
  }
  EXPECT_GT(inside, 500);
  EXPECT_GT(outside, 500);
  EXPECT_LT(wrongly_inside, outside / 4);
}

// In the picture, a leaf at a distance is as many pixels large as it is drawn.
TEST(Frustum, PixelsAreThoseOfThePicture) {
  const Random random(8);
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Camera camera = random_camera(random, i);
    const Frustum frustum(camera, 0);
    const CameraRays rays(camera);
    const Ray ray = rays.through(320 * random.uniform(i, 5), 180 * random.uniform(i, 6));
    const Vec3d p = ray.at(0.5 + random.uniform(i, 7));
    const double pixel = frustum.pixel_size(frustum.distance({p, 0}));

    // Two points that are apart along the picture.
    const Vec3d across = rays.through(200, 90).direction /
                             frustum.depth(camera.position + rays.through(200, 90).direction) -
                         rays.through(100, 90).direction /
                             frustum.depth(camera.position + rays.through(100, 90).direction);
    Vec2d a{}, b{};
    ASSERT_TRUE(rays.place(p, a));
    ASSERT_TRUE(rays.place(p + normalized(across) * pixel, b));
    EXPECT_NEAR(length(b - a), 1, 1e-9);
  }
}

// A ball and a wall with a window in it: what is said to be hidden is, whichever of its points one looks at,
// and most of what is hidden is found.
TEST(SightMap, HidesWhatRaysDoNotReach) {
  const Random random(9);
  constexpr double never = std::numeric_limits<double>::infinity();
  auto sight = [](const Ray& ray) {
    double end = never;
    const Vec3d to = Vec3d{0.5, 0.5, 0.5} - ray.origin;
    const double along = dot(to, ray.direction), off = dot(to, to) - along * along;
    if (off < 0.04) end = along - std::sqrt(0.04 - off);
    const double wall = (1.2 - ray.origin[1]) / ray.direction[1];
    if (wall > 0) {
      const Vec3d p = ray.at(wall);
      const bool window = std::abs(p[0] - 0.2) < 0.15 && std::abs(p[2] - 0.7) < 0.15;
      if (!window) end = std::min(end, wall);
    }
    return end;
  };
  int hidden = 0, found = 0, seen = 0;
  for (std::uint64_t i = 0; i < 30; ++i) {
    Camera camera;
    camera.position = {random.uniform(i, 0), -1 - random.uniform(i, 1), random.uniform(i, 2)};
    camera.target = {0.5, 0.8, 0.5};
    camera.field_of_view = 70;
    camera.resolution = {320, 240};
    const Frustum frustum(camera, 0.1);
    SightMap map;
    map.build(camera, 0.1, sight);
    for (std::uint64_t k = 0; k < 300; ++k) {
      const std::uint64_t n = 1000 * i + k;
      const Region region{Vec3d{-0.5, 0, -0.5} + random_point(random, n, 3) * 2.0,
                          0.06 * random.uniform(n, 4)};
      bool in_sight = false, in_view = false;
      for_points(random, n, region, 60, [&](const Vec3d& p) {
        if (!in_picture(camera, p, 0.1)) return;
        in_view = true;
        const Vec3d way = p - camera.position;
        in_sight = in_sight || length(way) <= sight({camera.position, normalized(way)});
      });
      if (!in_view) continue;
      const bool said = map.hides(frustum, region);
      if (in_sight) {
        ASSERT_FALSE(said) << i << " " << k;
      }
      seen += in_sight ? 1 : 0;
      hidden += in_sight ? 0 : 1;
      found += said ? 1 : 0;
    }
  }
  EXPECT_GT(seen, 1000);
  EXPECT_GT(hidden, 1000);
  EXPECT_GT(found, 0.8 * hidden);
}

TEST(SightMap, HidesNothingWhereSightHasNoEnd) {
  const Camera camera;
  SightMap map;
  const Frustum frustum(camera, 0);
  EXPECT_FALSE(map.hides(frustum, {{0.5, 0.5, 0.5}, 0.1}));
  map.build(camera, 0, [](const Ray&) { return std::numeric_limits<double>::infinity(); });
  EXPECT_FALSE(map.hides(frustum, {{0.5, 100, 0.5}, 0.1}));
  map.build(camera, 0, [](const Ray&) { return 0.0; });
  EXPECT_TRUE(map.hides(frustum, {{0.5, 100, 0.5}, 0.1}));
  EXPECT_FALSE(map.hides(frustum, {camera.position, 0.1}));
}

}  // namespace
}  // namespace octavo
