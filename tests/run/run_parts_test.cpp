// The parts of a run that can be looked at alone.

#include <gtest/gtest.h>

#include "octavo/output/background.h"
#include "octavo/output/frame_files.h"
#include "octavo/output/frame_origins.h"
#include "octavo/output/probe_files.h"
#include "octavo/output/progress.h"
#include "octavo/output/scene_record.h"

namespace octavo {
namespace {

SceneRecord record(const std::string& text) {
  return SceneRecord::of(parse_scene(text + "[domain]\nsize = [1, 1]\n", "a.toml", "."));
}

TEST(SceneRecord, DifferencesThatMatter) {
  const SceneRecord before = record("[smoke]\nlift = 2\n[output]\nframes = [1, 10]\n");
  EXPECT_TRUE(differences(before, SceneRecord::from(before.text())).empty());
  EXPECT_TRUE(
      differences(
          record("title = \"x\"\n[smoke]\nlift = 2\n[output]\nframes = [1, 20]\nhalf = false\n"
                 "[[probe]]\nname = \"p\"\npoints = [[0.5, 0.5]]\n"),
          before)
          .empty());
  EXPECT_EQ(differences(record("[smoke]\nlift = 3\n"), before),
            (std::vector<std::string>{"smoke.lift is 3.0, was 2.0"}));
  EXPECT_EQ(differences(record("[smoke]\nlift = 2\n[output]\nfps = 30\n"), before),
            (std::vector<std::string>{"output.fps is 30.0, was 24.0"}));
  const auto more =
      differences(record("[smoke]\nlift = 2\n[[obstacle]]\n"
                         "shape = { sphere = { center = [0.5, 0.5], radius = 0.1 } }\n"),
                  before);
  ASSERT_FALSE(more.empty());
  EXPECT_NE(more[0].find("was not there"), std::string::npos);
  EXPECT_THROW(SceneRecord::from("{"), InputError);
  EXPECT_THROW(SceneRecord::from("{\"values\": 3, \"files\": {}}"), InputError);
}

// What the camera sees decides on the grid, if the scene has [view]; else it is only a matter of pictures.
TEST(SceneRecord, TheCameraMattersWithAView) {
  const std::vector<std::string> seen{
      "[camera]\nfield_of_view = 20\n",
      "[camera]\nposition = [3, 4, 5]\n",
      "[camera]\ntarget = [3, 4, 5]\n",
      "[camera]\nresolution = [64, 64]\n",
      "[[camera.keyframes]]\ntime = 0\nposition = [3, 4, 5]\ntarget = [0, 0, 0]\n",
      "[render]\nextinction = 3\n"};
  const std::string view = "[view]\nfinest_pixels = 1\n";
  for (const std::string& text : seen) {
    EXPECT_TRUE(differences(record(text), record("")).empty()) << text;
    EXPECT_FALSE(differences(record(view + text), record(view)).empty()) << text;
    EXPECT_FALSE(differences(record(view), record(view + text)).empty()) << text;
  }
  const std::string look =
      "title = \"x\"\n" + view +
      "[render]\nsamples = 3\nexposure = 1\n[render.glow]\nbase = 3\n[[light]]\nangle = 5\n";
  EXPECT_TRUE(differences(record(look), record(view)).empty());
  const std::string further = view + "[[view.camera]]\nfield_of_view = ";
  EXPECT_EQ(differences(record(further + "30\n"), record(further + "20\n")),
            (std::vector<std::string>{"view.camera[0].field_of_view is 30.0, was 20.0"}));
}

TEST(FrameOrigins, FramesOfOneBeginningAreAlike) {
  FrameOrigins origins;
  EXPECT_EQ(origins.of(3), "");
  origins.begin(0);
  const std::string first = origins.of(0);
  EXPECT_EQ(origins.of(60), first);
  origins.begin(61);
  EXPECT_EQ(origins.of(60), first);
  EXPECT_NE(origins.of(61), first);
  EXPECT_EQ(origins.of(999), origins.of(61));
  const FrameOrigins again = FrameOrigins::from(origins.text());
  EXPECT_EQ(again.by_first_frame(), origins.by_first_frame());
  const std::string second = origins.of(61);
  origins.begin(50);  // it went back behind that
  EXPECT_EQ(origins.of(49), first);
  EXPECT_NE(origins.of(61), second);
  for (const char* wrong : {"", "[]", "{\"a\": \"b\"}", "{\"3\": 4}", "{\"0\"", "null"})
    EXPECT_THROW(FrameOrigins::from(wrong), InputError) << wrong;
}

TEST(FrameFiles, WhichFramesAreWritten) {
  OutputScene output;
  output.frames = {3, 11};
  output.every = 4;
  std::vector<int> written;
  for (int f = 0; f < 20; ++f)
    if (is_written(output, f)) written.push_back(f);
  EXPECT_EQ(written, (std::vector<int>{3, 7, 11}));
}

TEST(Probes, PointsOfLinesAndPlanes) {
  ProbeScene<3> probe;
  probe.line = ProbeLine<3>{{0, 0, 0}, {1, 1, 0}, 3};
  const auto line = probe_points(probe, Domain<3>{});
  ASSERT_EQ(line.size(), 3u);
  EXPECT_EQ(line[1], (Vec3d{0.5, 0.5, 0}));
  probe.line.reset();
  probe.plane = ProbePlane<3>{AxisName::y, 0.25, {3, 2}};
  const auto plane = probe_points(probe, Domain<3>{});
  ASSERT_EQ(plane.size(), 6u);
  EXPECT_EQ(plane[0], (Vec3d{0, 0.25, 0}));
  EXPECT_EQ(plane[1], (Vec3d{0.5, 0.25, 0}));
  EXPECT_EQ(plane[5], (Vec3d{1, 0.25, 1}));
}

TEST(Background, ThrowsWhatTheJobHasThrown) {
  Background background;
  int done = 0;
  background.start([&] { ++done; });
  background.start([&] { throw InputError("no"); });
  EXPECT_THROW(background.wait(), InputError);
  EXPECT_EQ(done, 1);
  background.wait();
}

TEST(Progress, Texts) {
  EXPECT_EQ(clock_text(95), "1:35");
  EXPECT_EQ(clock_text(7500), "2:05:00");
  EXPECT_EQ(clock_text(0.2), "0:00");
  EXPECT_EQ(short_count(999), "999");
  EXPECT_EQ(short_count(12345), "12.3 k");
  EXPECT_EQ(short_count(1234567), "1.23 M");
}

}  // namespace
}  // namespace octavo
