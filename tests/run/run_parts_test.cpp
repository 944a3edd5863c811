// The parts of a run that can be looked at alone.

#include <gtest/gtest.h>

#include "octavo/run/background.h"
#include "octavo/run/frame_files.h"
#include "octavo/run/probe_files.h"
#include "octavo/run/progress.h"
#include "octavo/run/scene_record.h"

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
