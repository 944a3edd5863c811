#include "octavo/pictures/log_plots.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/temporary_folder.h"
#include "octavo/base/error.h"

namespace octavo {
namespace {

// A line of a step: time, leaves and iterations are enough to tell them apart.
std::string step(int frame, double time, int leaves, int iterations = 4) {
  return fmt::format(
      "{{\"event\":\"step\",\"frame\":{},\"time\":{},\"substeps\":1,\"leaves\":{},\"iterations\":{}"
      ","
      "\"total_density\":{},\"largest_divergence\":{},\"peak_bytes\":{},\"seconds\":{{\"total\":2,"
      "\"pressure\":1,\"criteria\":0.25,\"mesh\":0.25}}}}\n",
      frame, time, leaves, iterations, 10 * time, 0.001 * leaves, 500 * leaves);
}
std::string frame(int number, double time, int leaves) {
  return fmt::format(
      "{{\"event\":\"frame\",\"frame\":{},\"time\":{},\"substeps\":2,\"leaves\":{},\"iterations\":"
      "9,"
      "\"seconds\":{{\"total\":7}},\"output_seconds\":0.5}}\n",
      number, time, leaves);
}
std::string start(int number, double time) {
  return fmt::format("{{\"event\":\"start\",\"frame\":{},\"time\":{}}}\n", number, time);
}

RunHistory history_of(const std::string& log) {
  TemporaryFolder folder;
  put_text(folder / "log.jsonl", log);
  return read_history(folder.path());
}

using Points = std::vector<Vec2d>;

// The points of a curve of a plot; those of the only one if it has no name.
Points points(const std::vector<RunHistory>& runs, const std::string& plot,
              const std::string& curve = "") {
  for (const LogPlot& p : log_plots(runs))
    if (p.name == plot)
      for (const Plot::Curve& c : p.plot.curves)
        if (c.name == curve) return c.points;
  return {};
}

TEST(LogPlots, HaveWhatTheLogHas) {
  const RunHistory h = history_of(start(0, 0) + step(1, 0.5, 10, 3) + step(1, 1, 20, 6) +
                                  frame(1, 1, 20) + step(2, 2, 40) + frame(2, 2, 40));
  EXPECT_EQ(points({h}, "leaves"), (Points{{1, 20}, {2, 40}}));
  EXPECT_EQ(points({h}, "mass"), (Points{{0.5, 5}, {1, 10}, {2, 20}}));
  EXPECT_EQ(points({h}, "iterations"), (Points{{1, 4.5}, {2, 4}}));
  EXPECT_EQ(points({h}, "divergence"), (Points{{1, 0.02}, {2, 0.04}}));
  EXPECT_EQ(points({h}, "memory"), (Points{{1, 500}, {2, 500}}));
  EXPECT_EQ(points({h}, "seconds", "all"), (Points{{1, 4.5}, {2, 2.5}}));
  EXPECT_EQ(points({h}, "seconds", "pressure"), (Points{{1, 2}, {2, 1}}));
  EXPECT_EQ(points({h}, "seconds", "octree and mesh"), (Points{{1, 1}, {2, 0.5}}));
  EXPECT_EQ(points({h}, "seconds", "files"), (Points{{1, 0.5}, {2, 0.5}}));
  EXPECT_EQ(points({h}, "seconds", "advection"), Points{});  // not in this log
  EXPECT_EQ(points({h}, "energy"), Points{});
}

// A run that was killed in frame 3 and resumed after frame 1, with other steps: none of the old ones is left.
TEST(LogPlots, StepsComputedAgainCountOnce) {
  const std::string begin = start(0, 0) + step(1, 1, 10) + frame(1, 1, 10);
  const std::string lost =
      step(2, 1.2, 98) + step(2, 1.6, 99) + step(2, 2, 99) + frame(2, 2, 99) + step(3, 2.5, 99);
  const std::string again = step(2, 1.5, 20) + step(2, 2, 21) + frame(2, 2, 21);
  const Points leaves{{1, 10}, {2, 21}}, mass{{1, 10}, {1.5, 15}, {2, 20}};
  for (const std::string& log : {begin + again, begin + lost + start(1, 1) + again}) {
    const RunHistory h = history_of(log);
    EXPECT_EQ(points({h}, "leaves"), leaves);
    EXPECT_EQ(points({h}, "mass"), mass);
    EXPECT_EQ(points({h}, "seconds", "all"), (Points{{1, 2.5}, {2, 4.5}}));
  }
  // Resumed within frame 2: what was done of it stays.
  const RunHistory h = history_of(begin + step(2, 1.5, 20) + step(2, 1.8, 99) + start(1, 1.5) +
                                  step(2, 2, 21) + frame(2, 2, 21));
  EXPECT_EQ(points({h}, "leaves"), leaves);
  EXPECT_EQ(points({h}, "mass"), mass);
  EXPECT_EQ(points({h}, "iterations"), (Points{{1, 4}, {2, 4}}));
  // Without a line of the new start, as from a log that was put together.
  EXPECT_EQ(points({history_of(begin + lost + step(2, 1, 20) + step(2, 2, 21))}, "leaves"), leaves);
}

TEST(LogPlots, BrokenLinesArePassedOver) {
  const std::string good = step(1, 1, 10) + frame(1, 1, 10);
  const RunHistory h = history_of(
      "\n{\"event\":\"st\n[1, 2]\n7\nnull\n{\"frame\":1}\n{\"event\":\"step\",\"frame\":\"x\"}\n"
      "{\"event\":\"step\",\"frame\":2}\n{\"event\":\"step\",\"frame\":-5,\"time\":1}\n"
      "{\"event\":7,\"frame\":1,\"time\":1}\n\xff\xfe\n{\"event\":\"step\",\"frame\":1e30,\"time\":"
      "1}\n" +
      good + "{\"event\":\"step\",\"frame\":2,\"time\":null,\"leaves\":3}\n" +
      step(2, 2, 20).substr(0, 60));
  EXPECT_EQ(points({h}, "leaves"), (Points{{1, 10}}));
}

// Of the frame that is being computed there are leaves, but it has not taken its time yet.
TEST(LogPlots, OfARunThatGoesOn) {
  const RunHistory h =
      history_of(step(1, 1, 10) + frame(1, 1, 10) + step(2, 1.5, 20) + step(2, 1.7, 30));
  EXPECT_EQ(points({h}, "leaves"), (Points{{1, 10}, {2, 30}}));
  EXPECT_EQ(points({h}, "seconds", "all"), (Points{{1, 2.5}}));
  EXPECT_EQ(points({h}, "iterations"), (Points{{1, 4}}));
}

TEST(LogPlots, FramesWithoutStepsCountAsTheyAre) {
  const RunHistory h = history_of(frame(1, 1, 10) + frame(2, 2, 20));
  EXPECT_EQ(points({h}, "leaves"), (Points{{1, 10}, {2, 20}}));
  EXPECT_EQ(points({h}, "seconds", "all"), (Points{{1, 7.5}, {2, 7.5}}));
  EXPECT_EQ(points({h}, "iterations"), (Points{{1, 4.5}, {2, 4.5}}));
}

TEST(LogPlots, SeveralRunsAreCurvesOfOnePlot) {
  RunHistory a = history_of(step(1, 1, 10) + frame(1, 1, 10)), b = history_of(step(1, 1, 20));
  a.name = "coarse";
  b.name = "fine";
  EXPECT_EQ(points({a, b}, "leaves", "coarse"), (Points{{1, 10}}));
  EXPECT_EQ(points({a, b}, "leaves", "fine"), (Points{{1, 20}}));
  EXPECT_EQ(points({a, b}, "seconds", "coarse"), (Points{{1, 2.5}}));
  EXPECT_EQ(points({a, b}, "seconds", "fine"), Points{});  // not done with a frame
}

TEST(LogPlots, WithoutALog) {
  TemporaryFolder folder;
  EXPECT_THROW(read_history(folder.path()), InputError);
  EXPECT_THROW(read_history(folder / "none"), InputError);
  EXPECT_TRUE(log_plots({history_of("")}).empty());
  EXPECT_TRUE(log_plots({}).empty());
  std::filesystem::create_directory(folder / "my run");
  put_text(folder / "my run/log.jsonl", "");
  EXPECT_EQ(read_history(folder / "my run").name, "my run");
  EXPECT_EQ(read_history(folder / "my run/").name, "my run");
}

}  // namespace
}  // namespace octavo
