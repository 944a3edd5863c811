// Runs of liquids are rendered: in space from the meshes of their surface, in a plane from their level set.

#include <cmath>
#include <numbers>

#include "octavo/io/ply.h"
#include "octavo/io/vdb.h"
#include "octavo/output/frame_names.h"
#include "octavo/pictures/liquid_picture.h"
#include "octavo/pictures/picture_files.h"
#include "octavo/pictures/render_still.h"
#include "octavo/run/prediction.h"
#include "toy/ball_run.h"

namespace octavo {
namespace {

using namespace test;

// One run for all tests that look at what it left, with pictures while it went on.
class Ball : public testing::Test {
 public:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    run_ball(ball_in_space, run(), {"output.picture=[\"surface\"]"});
  }
  static void TearDownTestSuite() { delete folder_; }

 protected:
  static fs::path run() { return *folder_ / "run"; }
  static fs::path mesh(const fs::path& folder, int frame) {
    return folder / "mesh" / frame_file("ball.surface", frame, ".ply");
  }
  fs::path fresh() const { return own_ / "out"; }
  fs::path copy() const {
    fs::copy(run(), own_ / "copy", fs::copy_options::recursive);
    return own_ / "copy";
  }

  TemporaryFolder own_;
  static inline TemporaryFolder* folder_ = nullptr;
};

TEST_F(Ball, LeavesItsSurfaceWithVelocities) {
  const SurfaceMesh surface = read_ply(mesh(run(), 3));
  ASSERT_GT(surface.triangles.size(), 1000u);
  for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
    EXPECT_NEAR(length(surface.vertices[i] - Vec3d{0.45, 0.5, 0.3}), 0.22, 1e-6);
    EXPECT_EQ(surface.velocities.at(i), (Vec3f{0, 0, -2.4f}));
  }
  const VdbContents contents = vdb_contents(run() / "volume" / "ball.0003.vdb");
  EXPECT_EQ(contents.grids.front().name, "surface");
  EXPECT_EQ(contents.grids.front().grid_class, "level set");
}

// Vertices are rounded to floats in files; beside that, pictures are the same.
TEST_F(Ball, IsDrawnWhileItRunsAsItIsRendered) {
  const RenderResult result = render_ball(run(), fresh());
  EXPECT_EQ(result.skipped, 0);
  EXPECT_TRUE(result.missing.empty() && result.failed.empty());
  for (const int frame : {1, 2, 3}) {
    const Image image = picture(fresh(), frame);
    EXPECT_EQ(image.width, 60);
    EXPECT_EQ(image.height, 40);
    EXPECT_LT(difference(image, picture(run() / "image", frame)), 1);
  }
  EXPECT_GT(difference(picture(fresh(), 1), picture(fresh(), 3)), 1);
  EXPECT_EQ(render_ball(run(), {}).skipped, 3);
}

TEST_F(Ball, LooksAsTheSceneSays) {
  const std::vector<std::vector<std::string>> looks{
      {},
      {"render.liquid=glass"},
      {"render.liquid=matte"},
      {"render.liquid=matte", "render.liquid_color=[0.8, 0.1, 0.1]"},
      {"render.denoise=true"}};
  std::vector<Image> images;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const fs::path out = own_ / std::to_string(i);
    render_run({.folder = run(),
                .output = out,
                .frames = Vec<2, int>{2, 2},
                .set = looks[i],
                .progress = ProgressKind::quiet});
    images.push_back(picture(out, 2));
    for (std::size_t j = 0; j < i; ++j) EXPECT_GT(difference(images[i], images[j]), 0.3) << i << j;
  }
  const std::uint8_t* red = images[3].at(24, 18);
  EXPECT_GT(red[0], 1.3 * red[2]);
  EXPECT_TRUE(has(message_of([&] { render_ball(run(), fresh(), {"render.liquid=ice"}); }),
                  "matte, glass or water"));
}

TEST_F(Ball, OtherLooksAreNotMixed) {
  render_ball(run(), fresh());
  EXPECT_TRUE(has(message_of([&] { render_ball(run(), fresh(), {"render.liquid=glass"}); }),
                  "made with other settings (render.liquid"));
}

TEST_F(Ball, MissingAndDamagedSurfacesAreSpokenOf) {
  const fs::path folder = copy();
  fs::remove(mesh(folder, 1));
  fs::resize_file(mesh(folder, 2), 1000);
  const RenderResult result = render_run({.folder = folder,
                                          .output = fresh(),
                                          .frames = Vec<2, int>{1, 3},
                                          .progress = ProgressKind::quiet});
  EXPECT_EQ(result.missing, std::vector{1});
  EXPECT_EQ(result.failed, std::vector{2});
  EXPECT_EQ(frames_in(fresh(), "ball", ".png").size(), 1u);
  fs::remove_all(folder / "mesh");
  const std::string said = message_of([&] { render_ball(folder, own_ / "more"); });
  EXPECT_TRUE(has(said, "there are no surfaces of a liquid in"));
  EXPECT_TRUE(has(said, "mesh/ball.surface.*.ply"));
  EXPECT_FALSE(fs::exists(own_ / "more"));
}

TEST_F(Ball, GridIsDrawnOverIt) {
  for (const bool grid : {false, true})
    render_run({.folder = run(),
                .output = own_ / (grid ? "with" : "without"),
                .frames = Vec<2, int>{2, 2},
                .grid = grid,
                .progress = ProgressKind::quiet});
  EXPECT_GT(difference(picture(own_ / "with", 2), picture(own_ / "without", 2)), 0.5);
  fs::remove_all(copy() / "grid");
  EXPECT_TRUE(has(
      message_of([&] { render_run({.folder = own_ / "copy", .output = fresh(), .grid = true}); }),
      "grid = [\"liquid\"]"));
}

// A liquid that is gone leaves an empty stage, and no mistake.
TEST_F(Ball, NoLiquidIsAPictureToo) {
  const fs::path folder = own_ / "run";
  run_ball(ball_in_space, folder,
           {"ball.lasts=0.1", "output.picture=[\"surface\"]", "output.frames=[2, 3]"});
  const RenderResult result = render_ball(folder, fresh());
  EXPECT_TRUE(result.missing.empty() && result.failed.empty());
  EXPECT_EQ(read_ply(mesh(folder, 3)).vertices.size(), 0u);
  EXPECT_LT(difference(picture(fresh(), 3), picture(folder / "image", 3)), 1e-9);
  EXPECT_GT(difference(picture(fresh(), 3), picture(fresh(), 2)), 0.7);
}

// They have the look of the rest, and may be all there is.
TEST_F(Ball, DropsAreDrawn) {
  const fs::path folder = own_ / "run";
  run_ball(
      ball_in_space, folder,
      {"ball.drop=true", "ball.lasts=0", "output.picture=[\"surface\"]", "output.frames=[1, 1]",
       "camera.resolution=[240, 160]", "camera.position=[0.5, -2.5, 0.5]"});
  EXPECT_TRUE(render_ball(folder, fresh()).failed.empty());
  const Image drawn = picture(fresh(), 1);
  EXPECT_LT(difference(drawn, picture(folder / "image", 1)), 1);
  render_ball(folder, own_ / "matte",
              {"render.liquid=matte", "render.liquid_color=[0.5, 0.02, 0.02]"});
  fs::remove_all(folder / "mesh" / "ball.drops.0001.ply");
  render_ball(folder, own_ / "without");
  const Image empty = picture(own_ / "without", 1), matte = picture(own_ / "matte", 1);
  int ball = 0, changed = 0, wrong = 0;
  for (int y = 0; y < matte.height; ++y)
    for (int x = 0; x < matte.width; ++x) {
      const bool is_ball = matte.at(x, y)[0] > 1.5 * matte.at(x, y)[2];
      const bool differs = std::abs(drawn.at(x, y)[0] - empty.at(x, y)[0]) > 3;
      ball += is_ball ? 1 : 0;
      changed += is_ball && differs ? 1 : 0;
      wrong += is_ball && y > matte.height / 2 ? 1 : 0;
    }
  EXPECT_GT(ball, 300);
  EXPECT_GT(changed, ball / 3);
  EXPECT_EQ(wrong, 0);  // it is above the middle of the picture
  put_text(folder / "mesh" / "ball.drops.0001.ply", "rain");
  EXPECT_EQ(render_ball(folder, own_ / "damaged").failed, std::vector{1});
}

// A cup of water looks as a pool of the same shape does.
TEST_F(Ball, SizeDoesNotChangeTheLook) {
  for (const char* liquid : {"water", "matte"}) {
    std::vector<Image> images;
    for (const double scale : {0.1, 1.0, 50.0}) {
      const SceneFile file = parse_scene(
          fmt::format("domain.size = [{0}, {0}, {0}]\ncamera.resolution = [60, 40]\n"
                      "render = {{ samples = 4, liquid = \"{1}\" }}\n[ball]\nradius = 1\n",
                      scale, liquid),
          "a.toml", ".");
      const auto& scene = std::get<Scene<3>>(file.scene);
      const Stage stage(scene, *file.files);
      const SurfaceMesh ball =
          sphere_mesh({0.5 * scale, 0.5 * scale, 0.4 * scale}, 0.3 * scale, {});
      images.push_back(shown(liquid_picture(scene, stage, {ball}, 0)));
    }
    EXPECT_LT(difference(images[0], images[1]), 0.5) << liquid;
    EXPECT_LT(difference(images[2], images[1]), 0.5) << liquid;
  }
}

// With one volume of it there is nothing that pictures of smoke could be made from.
TEST_F(Ball, SingleFilesOfLiquidsSaySo) {
  const auto said = [&](const std::string& file) {
    return message_of([&] {
      render_still(
          {.file = run() / file, .output = own_ / "a.png", .progress = ProgressKind::quiet});
    });
  };
  EXPECT_TRUE(has(said("volume/ball.0003.vdb"), "mesh/*.surface.*.ply"));
  EXPECT_TRUE(has(said("checkpoint/ball.0003.h5"), "mesh/*.surface.*.ply"));
  EXPECT_EQ(said("mesh/ball.surface.0003.ply"), "nothing");
  EXPECT_TRUE(fs::exists(own_ / "a.png"));
}

TEST(BallScene, IsCheckedAsWhatItIs) {
  const auto wrong = [](const std::vector<std::string>& changes) {
    return message_of([&] { ball_scene(ball_in_space, changes); });
  };
  EXPECT_EQ(wrong({"output.picture=[\"surface\", \"level\", \"liquid\"]"}), "nothing");
  EXPECT_TRUE(has(wrong({"output.picture=[\"smoke\"]"}), "there are surface, level, liquid"));
  for (const char* name : {"surface", "phi", "liquid", "smoke"})
    EXPECT_TRUE(has(wrong({fmt::format("scalar=[{{ name = \"{}\" }}]", name)}), "is taken"))
        << name;
  EXPECT_TRUE(has(wrong({"render.glow={}", "render.liquid_color=[1, 2, 0]"}), "liquid_color"));
}

// Smoke is white in front of what is dark; of a clear liquid one sees little but what is around it.
TEST(BallScene, SurroundingsAreLightUnlessTheSceneSaysOtherwise) {
  const auto lighting = [](const SceneFile& file) {
    return Stage(std::get<Scene<3>>(file.scene), *file.files).lighting(0);
  };
  const Lighting liquid = lighting(ball_scene(ball_in_space));
  const Lighting smoke = lighting(parse_scene("domain.size = [1, 1, 1]\n", "a.toml", "."));
  const Lighting given = lighting(
      ball_scene(ball_in_space, {"render.horizon=[0.5, 0, 0]", "render.ground_color=[0, 0, 0.5]"}));
  EXPECT_GT(luminance(liquid.ground->color), 2 * luminance(smoke.ground->color));
  EXPECT_GT(luminance(liquid.sky.horizon), 2 * luminance(smoke.sky.horizon));
  EXPECT_EQ(given.sky.horizon, (Light{0.5f, 0, 0}));
  EXPECT_EQ(given.sky.zenith, liquid.sky.zenith);
  EXPECT_EQ(given.ground->color, (Light{0, 0, 0.5f}));
}

TEST(BallScene, PicturesArePredicted) {
  const Prediction p =
      predict(ball_scene(ball_in_space, {"output.picture=[\"surface\"]", "output.volume=[]"}), 0.1);
  EXPECT_GT(p.picture_seconds, 0);
  EXPECT_GT(p.disk_bytes, 3 * static_cast<double>(ply_bytes(sphere_mesh({}, 1, {})).size()));
}

// In a plane ---------------------------------------------------------------------------------------

class Disk : public testing::Test {
 protected:
  fs::path run(const std::vector<std::string>& changes = {}) {
    const fs::path folder = own_ / fmt::format("run{}", runs_++);
    run_ball(disk_in_a_plane, folder, changes);
    return folder;
  }

  TemporaryFolder own_;
  int runs_ = 0;
};

// The box is in the middle of the picture, dark; beside it, all is black.
struct Seen {
  double area = 0, right = 0, up = 0;  // of the disk, in pixels
  int soft = 0;                        // pixels on its edge
};
Seen seen_in(const Image& image, const Vec3f& color) {
  const std::uint8_t* corner = image.at(image.width / 2, 0);
  Seen seen;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t* pixel = image.at(x, y);
      const double part =
          std::clamp((pixel[2] - corner[2]) / (255.0 * color[2] - corner[2]), 0.0, 1.0);
      seen.area += part;
      seen.right += part * (x + 0.5);
      seen.up += part * (image.height - y - 0.5);
      if (part > 0.02 && part < 0.98) ++seen.soft;
    }
  seen.right /= seen.area;
  seen.up /= seen.area;
  return seen;
}

Vec3f shown_color() {
  const RenderScene render;
  Vec3f color{};
  for (int c = 0; c < 3; ++c) color[c] = srgb_encoded(static_cast<float>(render.liquid_color[c]));
  return color;
}

// From the octree and from the volume; its edge takes a pixel or two.
TEST_F(Disk, IsWhereItIsAndSharp) {
  const fs::path folder = run({"output.picture=[\"surface\"]"});
  render_ball(folder, own_ / "out");
  for (const int frame : {0, 1, 2})
    for (const fs::path& pictures : {folder / "image", own_ / "out"}) {
      const Seen seen = seen_in(picture(pictures, frame), shown_color());
      EXPECT_NEAR(seen.area, std::numbers::pi * 22 * 22, 0.005 * std::numbers::pi * 22 * 22);
      EXPECT_NEAR(seen.right, 25 + 40 + 10 * frame, 0.1);
      EXPECT_NEAR(seen.up, 60, 0.1);
      EXPECT_LT(seen.soft, 2 * std::numbers::pi * 22 * 1.5);
      EXPECT_GT(seen.soft, 2 * std::numbers::pi * 22 * 0.5);
    }
}

// Volumes know distances up to three voxels only, which may be less than a pixel.
TEST_F(Disk, IsAsLargeInSmallPictures) {
  const fs::path folder = run();
  for (const int size : {16, 40, 300}) {
    const fs::path out = own_ / std::to_string(size);
    render_ball(folder, out, {fmt::format("camera.resolution=[{0}, {0}]", size)});
    const double expected = std::numbers::pi * 0.22 * 0.22 * size * size;
    EXPECT_NEAR(seen_in(picture(out, 1), shown_color()).area, expected,
                size < 20 ? 0.03 * expected : 0.01 * expected)
        << size;
  }
}

TEST_F(Disk, VolumesMayBeNamedAsBlenderDoes) {
  const fs::path folder = run({"output.grid_names=blender", "output.frames=[1, 1]"});
  EXPECT_EQ(vdb_contents(folder / "volume/ball.0001.vdb").grids.front().name, "phi");
  EXPECT_TRUE(render_ball(folder, own_ / "out").failed.empty());
  const fs::path without = run({"output.volume=[\"velocity\"]", "output.frames=[1, 1]"});
  EXPECT_TRUE(
      has(message_of([&] { render_ball(without, own_ / "more"); }), "there is no surface in"));
}

TEST_F(Disk, ObstaclesAreInFrontOfIt) {
  const fs::path folder = run({"obstacle=[{ shape.box = { low = [0.3, 0.5], high = [0.5, 0.7] } }]",
                               "output.picture=[\"surface\"]", "output.frames=[0, 0]"});
  const Image image = picture(folder / "image", 0);
  const std::uint8_t* pixel = image.at(25 + 40, 40);
  EXPECT_NEAR(pixel[0], pixel[2], 6);  // grey
  EXPECT_GT(pixel[0], 100);
}

}  // namespace
}  // namespace octavo
