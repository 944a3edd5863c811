#include "octavo/camera/camera.h"

#include <gtest/gtest.h>

#include <numbers>

#include "octavo/base/error.h"
#include "octavo/base/random.h"
#include "octavo/image/picture.h"

namespace octavo {
namespace {

void expect_near(const Vec3d& p, const Vec3d& q, double within) {
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(p[a], q[a], within);
}

TEST(Camera, PlacesAreWhereRaysGo) {
  Camera camera;
  camera.position = {1, -3, 2};
  camera.target = {0.5, 0.2, 0.7};
  camera.resolution = {640, 360};
  const CameraRays rays(camera);
  for (const double x : {0.0, 100.3, 320.0, 640.0})
    for (const double y : {0.0, 77.7, 360.0}) {
      const Ray ray = rays.through(x, y);
      EXPECT_NEAR(length(ray.direction), 1, 1e-14);
      Vec2d pixel{};
      ASSERT_TRUE(rays.place(ray.at(2.5), pixel));
      EXPECT_NEAR(pixel[0], x, 1e-9);
      EXPECT_NEAR(pixel[1], y, 1e-9);
    }
  expect_near(rays.through(320, 180).direction, normalized(camera.target - camera.position), 1e-14);
  Vec2d pixel{};
  EXPECT_FALSE(rays.place(camera.position - Vec3d{0, 1, 0}, pixel));

  // The field of view is the angle between the left and the right edge, at half of the height.
  const double across = dot(rays.through(0, 180).direction, rays.through(640, 180).direction);
  EXPECT_NEAR(std::acos(across) * 180 / std::numbers::pi, camera.field_of_view, 1e-9);

  // Up is up, right is right.
  EXPECT_GT(rays.through(320, 0).direction[2], rays.through(320, 360).direction[2]);
  EXPECT_GT(rays.through(640, 180).direction[0], rays.through(0, 180).direction[0]);
}

TEST(Camera, LooksStraightDown) {
  Camera camera;
  camera.position = {0, 0, 5};
  camera.target = {0, 0, 0};
  expect_near(CameraRays(camera).through(480, 270).direction, {0, 0, -1}, 1e-14);
  camera.target = camera.position;
  EXPECT_THROW(CameraRays{camera}, InputError);
}

// All of the box is in the picture, and it is as large as it can be with the room around it.
TEST(Camera, FramesTheWholeBox) {
  const Random random(3);
  for (std::uint64_t i = 0; i < 200; ++i) {
    Box<3> box{};
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::uint32_t>(a);
      box.lo[a] = 4 * random.uniform(i, axis) - 2;
      box.hi[a] = box.lo[a] + 0.1 + 2 * random.uniform(i, axis, 1);
    }
    const Vec<2, int> resolution{200 + random.below(800, i, 5), 200 + random.below(800, i, 6)};
    const Vec3d up = i % 2 == 0 ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0};
    const CameraRays rays(framing(box, up, 20 + 60 * random.uniform(i, 7), resolution));
    double closest = 1;  // to an edge, in parts of the picture
    for (int c = 0; c < 8; ++c) {
      Vec2d pixel{};
      ASSERT_TRUE(rays.place(box.corner(c), pixel));
      for (int a = 0; a < 2; ++a)
        closest = std::min({closest, pixel[a] / resolution[a], 1 - pixel[a] / resolution[a]});
    }
    EXPECT_GT(closest, 0.02);
    EXPECT_LT(closest, 0.04);
  }
}

TEST(Camera, TurnsAroundItsTarget) {
  Camera camera;
  camera.position = {2, -1, 1.5};
  camera.target = {0.5, 0.5, 0.5};
  const double away = length(camera.position - camera.target);
  for (const double angle : {30.0, 90.0, 200.0}) {
    const Camera t = turned(camera, angle);
    EXPECT_NEAR(length(t.position - t.target), away, 1e-12);
    EXPECT_NEAR(t.position[2], camera.position[2], 1e-12);
    expect_near(turned(t, -angle).position, camera.position, 1e-12);
  }
  expect_near(turned(camera, 90).position - camera.target, {1.5, 1.5, 1}, 1e-12);
  expect_near(turned(camera, 360).position, camera.position, 1e-12);
}

TEST(Camera, GoesThroughItsKeysSmoothly) {
  const std::vector<CameraKey> keys{{0, {0, -3, 1}, {0, 0, 0}, 40},
                                    {1, {1, -2, 1}, {0, 0, 1}, 30},
                                    {3, {4, 0, 2}, {0, 0.5, 1}, 50},
                                    {3.5, {4, 1, 2}, {0, 0, 0}, 40}};
  auto at = [&](double time) { return camera_at(keys, time, {}).position; };
  for (const CameraKey& k : keys) {
    expect_near(at(k.time), k.position, 1e-12);
    EXPECT_NEAR(camera_at(keys, k.time, {}).field_of_view, k.field_of_view, 1e-9);
  }
  expect_near(at(-5), keys.front().position, 0);
  expect_near(at(9), keys.back().position, 0);

  // No jump of the velocity at the keys in between.
  constexpr double h = 1e-5;
  for (const double time : {1.0, 3.0})
    expect_near((at(time + h) - at(time)) / h, (at(time) - at(time - h)) / h, 1e-3);

  // What moves steadily does so between keys at uneven times as well.
  const std::vector<CameraKey> steady{{0, {0, 0, 0}, {9, 9, 9}},
                                      {1, {1, 2, 3}, {9, 9, 9}},
                                      {3, {3, 6, 9}, {9, 9, 9}},
                                      {4, {4, 8, 12}, {9, 9, 9}}};
  for (double time = 0; time < 4; time += 0.1)
    expect_near(camera_at(steady, time, {}).position, Vec3d{1, 2, 3} * time, 1e-12);
}

TEST(Picture, ToneIsStraightThenSmoothAndNeverFalls) {
  EXPECT_EQ(tone_mapped(0), 0);
  EXPECT_EQ(tone_mapped(-1), 0);
  EXPECT_EQ(tone_mapped(NAN), 0);
  EXPECT_EQ(tone_mapped(0.5f), 0.5f);
  EXPECT_EQ(tone_mapped(4), 1);
  EXPECT_EQ(tone_mapped(1000), 1);
  float last = 0;
  for (int i = 1; i <= 4000; ++i) {
    const float now = tone_mapped(static_cast<float>(i) / 1000);
    EXPECT_GE(now, last);
    EXPECT_LE(now - last, 0.00101f);
    last = now;
  }
}

// Noise of less than a step: the mean over many pixels is what it should be, also between two steps.
TEST(Picture, SlowGradientsKeepTheirMean) {
  for (const float value : {0.0f, 0.1003f, 0.3511f, 0.6204f}) {
    Picture picture(200, 200);
    for (auto& p : picture.pixels) p.light = {value, value, value};
    const Image image = shown(picture);
    double mean = 0;
    for (const std::uint8_t v : image.pixels) mean += v / (3.0 * 200 * 200);
    EXPECT_NEAR(mean, 255 * static_cast<double>(srgb_encoded(value)), 0.02);
    const Image16 fine = shown16(picture);
    mean = 0;
    for (const std::uint16_t v : fine.pixels) mean += v / (3.0 * 200 * 200);
    EXPECT_NEAR(mean, 65535 * static_cast<double>(srgb_encoded(value)), 0.6);
  }
}

TEST(Picture, OpacityIsNotMultipliedTwice) {
  Picture picture(1, 1);
  picture.pixels[0] = {{0.25f, 0.25f, 0.25f}, 0.5f};
  const Image image = shown(picture, {.opacity = true});
  ASSERT_EQ(image.channels, 4);
  EXPECT_NEAR(image.at(0, 0)[0], 255 * srgb_encoded(0.5f), 1);
  EXPECT_EQ(image.at(0, 0)[3], 128);
  EXPECT_NEAR(shown(picture, {.exposure = 1}).at(0, 0)[0], 255 * srgb_encoded(0.5f), 1);
}

}  // namespace
}  // namespace octavo
