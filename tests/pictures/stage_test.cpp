#include "octavo/pictures/stage.h"

#include <gtest/gtest.h>

#include "octavo/scene/build.h"
#include "octavo/scene/scene_file.h"

namespace octavo {
namespace {

struct Set {
  explicit Set(const std::string& text, const std::string& folder = ".")
      : file(parse_scene(text, "test", folder)),
        scene(std::get<Scene<3>>(file.scene)),
        stage(scene, *file.files) {}

  SceneFile file;
  const Scene<3>& scene;
  Stage stage;
};

void expect_near(const Vec3d& p, const Vec3d& q, double within) {
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(p[a], q[a], within);
}

TEST(Stage, LightsGoFromKeyToKey) {
  const Set set(R"(
    [domain]
    size = [1, 1, 1]
    [[light]]
    direction = [0, 0, -3]
    color = [1, 0.5, 0]
    strength = 2
    angle = 5
    keyframes = [{ time = 1, strength = 1 }, { time = 3, direction = [1, 0, 0], color = [0, 0.5, 1] }]
    [[light]]
    direction = [0, 1, 0]
  )");
  auto light = [&](double time) { return set.stage.lighting(time).lights.at(0); };
  EXPECT_EQ(set.stage.lighting(0).lights.size(), 2u);
  for (const double time : {-1.0, 0.0, 1.0}) {
    expect_near(light(time).direction, {0, 0, -1}, 1e-12);
    expect_near(light(time).strength.cast<double>(), {1, 0.5, 0}, 1e-6);
  }
  for (const double time : {3.0, 7.0}) {
    expect_near(light(time).direction, {1, 0, 0}, 1e-12);
    expect_near(light(time).strength.cast<double>(), {0, 1, 2}, 1e-6);
  }
  expect_near(light(2).direction, normalized(Vec3d{1, 0, -1}), 1e-12);
  expect_near(light(2).strength.cast<double>(), {0.75, 0.75, 0.75}, 1e-6);
  EXPECT_EQ(light(2).angle, 5);
  expect_near(set.stage.lighting(2).lights.at(1).direction, {0, 1, 0}, 0);
}

TEST(Stage, ThereIsLightWithoutLights) {
  for (const char* up : {"y", "z"}) {
    const Set set(std::string("up = \"") + up +
                  "\"\n[domain]\nsize = [1, 1, 1]\norigin = [0, -2, -3]\n");
    const Lighting lighting = set.stage.lighting(0);
    ASSERT_EQ(lighting.lights.size(), 1u);
    EXPECT_LT(dot(lighting.lights[0].direction, lighting.sky.up), -0.5);  // from above
    ASSERT_TRUE(lighting.ground);
    EXPECT_EQ(lighting.ground->height, *up == 'y' ? -2 : -3);
    const Camera camera = set.stage.camera(0);
    const CameraRays rays(camera);
    for (int c = 0; c < 8; ++c) {
      Vec2d pixel{};
      ASSERT_TRUE(rays.place({c & 1 ? 1.0 : 0.0, c & 2 ? -1.0 : -2.0, c & 4 ? -2.0 : -3.0}, pixel));
      for (int a = 0; a < 2; ++a) {
        EXPECT_GT(pixel[a], 0);
        EXPECT_LT(pixel[a], camera.resolution[a]);
      }
    }
  }
}

// A thing by itself, of any size and in any place, fills pictures of any shape, and is not cut off.
TEST(Stage, WhatIsToBeSeenFillsThePicture) {
  for (const double scale : {1e-6, 1.0, 1e6})
    for (const char* camera : {"resolution = [100, 400]", "resolution = [400, 100]",
                               "field_of_view = 90", "field_of_view = 10"}) {
      const Set set("[domain]\nsize = [1, 1, 1]\n[camera]\n" + std::string(camera) + "\n");
      const Box<3> box{Vec3d{5, 0, -2} * scale, Vec3d{6, 3, 0} * scale};
      const Stage stage(set.scene, *set.file.files, box);
      const Camera all = stage.camera(0);
      const CameraRays rays(all);
      double most = 0;  // 1 is the edge of the picture
      for (int c = 0; c < 8; ++c) {
        Vec2d pixel{};
        ASSERT_TRUE(rays.place(box.corner(c), pixel));
        for (int a = 0; a < 2; ++a)
          most = std::max(most, std::abs(2 * pixel[a] / all.resolution[a] - 1));
      }
      EXPECT_LT(most, 1);
      EXPECT_GT(most, 0.9);
    }
}

TEST(Stage, CameraIsWhereTheSceneSays) {
  const Set set(R"(
    [domain]
    size = [1, 1, 1]
    [camera]
    field_of_view = 33
    keyframes = [{ time = 0, position = [0, -2, 0], target = [0, 0, 0] },
                 { time = 1, position = [0, -4, 0], target = [0, 0, 0], field_of_view = 50 }]
  )");
  expect_near(set.stage.camera(0).position, {0, -2, 0}, 0);
  EXPECT_EQ(set.stage.camera(0).field_of_view, 33);
  expect_near(set.stage.camera(0.5).position, {0, -3, 0}, 1e-12);
  EXPECT_EQ(set.stage.camera(2).field_of_view, 50);
  const Set fixed("[domain]\nsize = [1, 1, 1]\n[camera]\nposition = [3, 0, 0]\n");
  expect_near(fixed.stage.camera(5).position, {3, 0, 0}, 0);
  expect_near(fixed.stage.camera(5).target, {0.5, 0.5, 0.5}, 1e-12);
}

TEST(Stage, ObstaclesAreWhereTheyAreThen) {
  const Set set(R"(
    [domain]
    size = [2, 1, 1]
    [[obstacle]]
    shape = { sphere = { center = [0.5, 0.5, 0.5], radius = 0.2 } }
    motion = { velocity = [0.5, 0, 0] }
  )");
  for (const double time : {0.0, 1.0, 2.0}) {
    const Surfaces surfaces = set.stage.surfaces(time);
    const auto hit = surfaces.nearest({{0.5 + 0.5 * time, -1, 0.5}, {0, 1, 0}}, {});
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->distance, 1.3, 1e-6);
    EXPECT_FALSE(surfaces.nearest({{0.5 + 0.5 * time, -1, 0.75}, {0, 1, 0}}, {}));
  }
}

// A mesh is turned, moved and scaled as its shape is for the simulation.
TEST(Stage, MeshesAreWhereTheirShapesAre) {
  const Set set(R"(
    [domain]
    size = [1, 1, 1]
    [[obstacle]]
    shape = { mesh = { file = "knot.obj", scale = 0.08 }, turn = [30, 20, 10], move = [0.5, 0.45, 0.55] }
    motion = { spin = [0, 0, 90], pivot = [0.5, 0.5, 0.5] }
  )",
                OCTAVO_SCENES "/starter");
  const ObstacleScene<3>& o = set.scene.obstacle[0];
  const double time = 0.4;
  const Shape<3> shape = moved(shape_of(o.shape, *set.file.files), motion_of(o.motion).pose(time));
  const Surfaces surfaces = set.stage.surfaces(time);
  int hits = 0;
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 20; ++j)
      if (const auto hit = surfaces.nearest({{0.05 * i, -1, 0.05 * j}, {0, 1, 0}}, {})) {
        EXPECT_NEAR(shape(hit->point), 0, 1e-5);
        ++hits;
      }
  EXPECT_GT(hits, 20);
}

}  // namespace
}  // namespace octavo
