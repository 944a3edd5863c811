// Scenes as they should be: what is read, what is written, and what the simulator gets.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "octavo/scene/build.h"
#include "octavo/scene/key_uses.h"
#include "octavo/scene/problems.h"
#include "octavo/scene/reference.h"
#include "octavo/scene/scene_file.h"
#include "octavo/smoke/smoke_kind.h"

namespace octavo {
namespace {

SceneFile parse(const std::string& text, const std::vector<std::string>& set = {}) {
  return parse_scene(text, "a.toml", OCTAVO_SCENE_TESTS, set);
}

const std::string plume = R"(
title = "A plume"
[domain]
size = [1, 1, 2]
[walls]
default = "open"
bottom = "closed"
[grid]
min_level = 2
max_level = 5
[[refine]]
by = "vorticity"
above = 3
coarser = 1
[smoke]
lift = 2
advection = "bfecc"
[[scalar]]
name = "color"
outside = 0.5
[[source]]
shape = { sphere = { center = [0.5, 0.5, 0.2], radius = 0.1 }, move = [0, 0, 0.1] }
density = 1
scalars = { color = 2 }
end = 1.5
[[obstacle]]
shape = { union = [{ box = { low = [0, 0, 1], high = [0.2, 0.2, 1.2] } },
                   { torus = { center = [0.5, 0.5, 1], radius = 0.2, tube = 0.05 } }] }
motion = { spin = [0, 0, 90], pivot = [0.5, 0.5, 1] }
[output]
frames = [1, 24]
)";

TEST(SceneFile, ParametersAreThoseOfTheFile) {
  const SceneFile file = parse(plume);
  const auto& scene = std::get<Scene<3>>(file.scene);
  const Domain<3> domain = domain_of(scene);
  EXPECT_EQ(domain.roots, (Vec<3, int>{1, 1, 2}));
  EXPECT_EQ(domain.root_size, 1);
  const SmokeParameters<3> p = smoke_parameters(*scene.simulation.own, flow_of(scene, *file.files));
  p.check(domain);
  EXPECT_EQ(p.advection, AdvectionScheme::bfecc);
  EXPECT_EQ(p.lift, 2);
  EXPECT_EQ(p.walls[0], Wall::open);
  EXPECT_EQ(p.walls[4], Wall::closed);
  EXPECT_EQ(p.walls[5], Wall::open);
  ASSERT_EQ(p.refinement.rules.size(), 1u);
  EXPECT_EQ(p.refinement.rules[0].level, 4);
  ASSERT_EQ(p.sources.size(), 1u);
  EXPECT_NEAR(p.sources[0].shape({0.5, 0.5, 0.3}), -0.1, 1e-12);
  EXPECT_EQ(p.sources[0].value("density"), 1.0);
  EXPECT_FALSE(p.sources[0].value("temperature").has_value());
  EXPECT_EQ(p.sources[0].value(scene.scalar[0].name), 2.0);
  EXPECT_EQ(p.sources[0].end, 1.5);
  ASSERT_EQ(p.obstacles.size(), 1u);
  EXPECT_LT(p.obstacles[0].shape({0.1, 0.1, 1.1}), 0);
  EXPECT_LT(p.obstacles[0].shape({0.7, 0.5, 1.0}), 0);
  EXPECT_GT(p.obstacles[0].shape({0.5, 0.5, 1.0}), 0);

  // A quarter turn in a second, about the pivot.
  const Vec3d turned = p.obstacles[0].motion.pose(1).apply({0.7, 0.5, 1.0});
  EXPECT_NEAR(turned[0], 0.5, 1e-12);
  EXPECT_NEAR(turned[1], 0.7, 1e-12);
}

// Every value, through a text and back.
TEST(SceneFile, ATextOfASceneIsTheSameScene) {
  for (const std::string& text : {plume, std::string("[domain]\nsize = [0.1, 0.3]\n")}) {
    const SceneFile once = parse(text);
    const SceneFile twice = parse(scene_text(once.scene));
    EXPECT_EQ(scene_values(once.scene), scene_values(twice.scene));
    EXPECT_EQ(once.scene.index(), twice.scene.index());
  }
  EXPECT_EQ(scene_values(parse(plume).scene).at("source[0].end"), "1.5");
}

TEST(SceneFile, AnEmptyFileIsAnEmptyBox) {
  const SceneFile file = parse("");
  const auto& scene = std::get<Scene<3>>(file.scene);
  EXPECT_EQ(domain_of(scene).box().hi, (Vec3d{1, 1, 1}));
  flow_of(scene, *file.files).check(domain_of(scene));
  EXPECT_EQ(scene.simulation.kind, "smoke");
}

TEST(SceneFile, RootsAreFound) {
  auto roots = [](const char* size) {
    const SceneFile file = parse(fmt::format("[domain]\nsize = {}\n", size));
    return domain_of(std::get<Scene<3>>(file.scene)).roots;
  };
  EXPECT_EQ(roots("[1, 1, 2]"), (Vec<3, int>{1, 1, 2}));
  EXPECT_EQ(roots("[1.5, 1, 1]"), (Vec<3, int>{3, 2, 2}));
  EXPECT_EQ(roots("[0.1, 0.3, 0.7]"), (Vec<3, int>{1, 3, 7}));
  EXPECT_EQ(roots("[8, 5, 3]"), (Vec<3, int>{8, 5, 3}));
}

TEST(SceneFile, KeysAreOverridden) {
  const SceneFile file =
      parse(plume, {"grid.max_level=7", "smoke.advection=maccormack", "source[0].density=3.5",
                    "title=it's new", "output.frames=[2, 9]", "camera.field_of_view=20",
                    "output.frames[1]=8"});
  const auto& scene = std::get<Scene<3>>(file.scene);
  EXPECT_EQ(scene.grid.max_level, 7);
  EXPECT_EQ(scene.simulation.flow.advection, AdvectionScheme::maccormack);
  EXPECT_EQ(scene.source[0].values.by_name.at("density"), 3.5);
  EXPECT_EQ(scene.title, "it's new");
  EXPECT_EQ(scene.output.frames, (Vec<2, int>{2, 8}));
  EXPECT_EQ(scene.camera.field_of_view, 20);
}

TEST(SceneFile, YIsUpOnRequest) {
  const SceneFile file = parse("up = \"y\"\n[walls]\nbottom = \"open\"\nfront = \"open\"\n");
  const auto& scene = std::get<Scene<3>>(file.scene);
  const FlowParameters<3> p = flow_of(scene, *file.files);
  EXPECT_EQ(p.up_axis, 1);
  EXPECT_EQ(p.walls[2], Wall::open);
  EXPECT_EQ(p.walls[4], Wall::closed);
  EXPECT_EQ(p.walls[5], Wall::open);  // where the camera is
}

TEST(SceneFile, TheBeginningIsMadeOfLayers) {
  const SceneFile file = parse(R"(
[domain]
size = [1, 1]
[[initial]]
density = 1
velocity = [1, 0]
[[initial]]
shape = { sphere = { center = [0.5, 0.5], radius = 0.2 } }
density = 3
edge = 0.2
)");
  const auto start = start_of(std::get<Scene<2>>(file.scene), *file.files);
  const auto& density = start.values.at("density");
  EXPECT_EQ(density({0.5, 0.5}), 3);
  EXPECT_EQ(density({0.9, 0.9}), 1);
  EXPECT_NEAR(density({0.7, 0.5}), 2, 1e-12);
  EXPECT_FALSE(start.values.at("temperature"));
  EXPECT_EQ(start.velocity({0.1, 0.1})[0], 1);
}

// What a key is for is said where the key is; all that says nothing is for the simulation.
TEST(SceneKeys, WhatTheyAreFor) {
  const KeyUses uses;
  for (const char* key : {"up", "smoke.lift", "smoke.cfl", "output.fps", "output.name", "view.tau",
                          "view.camera[0].position", "source[3].shape.union[1].sphere.radius",
                          "obstacle[0].motion.keyframes[2].time", "nobody.knows[1].this"})
    EXPECT_EQ(uses.of(key), Use::simulation) << key;
  for (const char* key :
       {"camera.position", "camera.keyframes[1].field_of_view", "render.extinction"})
    EXPECT_EQ(uses.of(key), Use::view_and_look) << key;
  for (const char* key : {"light[1].keyframes[0].color", "render.samples", "render.glow.base"})
    EXPECT_EQ(uses.of(key), Use::look) << key;
  for (const char* key : {"title", "probe[2].plane.at", "output.frames", "output.checkpoints"})
    EXPECT_EQ(uses.of(key), Use::output) << key;
}

TEST(SceneFile, ThatIsNotThere) {
  EXPECT_THROW(read_scene("no such folder/a.toml", {}), InputError);
  EXPECT_THROW(read_scene(OCTAVO_SCENE_TESTS, {}), InputError);
}

// All scenes of the project are right, and say in their first line what to look at.
TEST(SceneFile, ScenesOfTheProject) {
  int scenes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(OCTAVO_SCENES)) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_NO_THROW(read_scene(entry.path(), {})) << entry.path();
    std::ifstream file(entry.path());
    std::string line;
    std::getline(file, line);
    EXPECT_TRUE(line.starts_with("# Look at ")) << entry.path();
    ++scenes;
  }
  EXPECT_GE(scenes, 9);
}

// The page in docs/ is the one that the program prints.
TEST(SceneReference, IsTheOneInTheDocs) {
  std::ifstream file(OCTAVO_DOCS "/scene.md");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), scene_reference()) << "octavo help scene --markdown > docs/scene.md";
}

TEST(SceneReference, HasEveryTable) {
  for (const char* table : {"scene", "domain", "source", "shape", "sphere", "motion", "probe"})
    EXPECT_NE(scene_help(table).find(table), std::string::npos);
  EXPECT_THROW(scene_help("sorce"), InputError);
}

}  // namespace
}  // namespace octavo
