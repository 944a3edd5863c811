// What a run will need, said beforehand, and what there is for it.

#include <gtest/gtest.h>

#include <fstream>

#include "io/temporary_folder.h"
#include "octavo/base/free_room.h"
#include "octavo/run/prediction.h"
#include "octavo/run/run.h"
#include "octavo/run/run_limits.h"
#include "octavo/run/trial.h"
#include "support/smoke_scene.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

SceneFile scene_with(const std::vector<std::string>& overrides) {
  return parse_scene(R"(
domain.size = [1, 1, 1]
grid = { min_level = 2, max_level = 5 }
smoke.lift = 4
[[refine]]
by = "sources"
[[refine]]
by = "density_band"
range = [0.05, inf]
[[source]]
shape = { sphere = { center = [0.5, 0.5, 0.2], radius = 0.1 } }
density = 1
temperature = 1
[output]
frames = [1, 6]
)",
                     "small.toml", "", overrides);
}

// Leaves that are everywhere are counted, not guessed, whatever the trials have seen.
TEST(Prediction, KnowsUniformGrids) {
  for (const int level : {3, 6, 9}) {
    const std::string l = std::to_string(level);
    const Prediction p = predict(
        scene_with({"grid.min_level=" + l, "grid.max_level=" + l, "domain.roots=[2, 2, 2]"}), 0.1);
    EXPECT_EQ(p.leaves, 8 * std::pow(8.0, level)) << level;
    EXPECT_GT(p.bytes, p.leaves * least_bytes_per_leaf<3>);
  }
  const Prediction p = predict(scene_with({"grid.min_level=7", "grid.max_level=9"}), 0.1);
  EXPECT_GE(p.leaves, std::pow(8.0, 7));
  EXPECT_LE(p.leaves, std::pow(8.0, 9));
}

// The time for trials ends some of them early: that it is measured in work makes them the same.
TEST(Prediction, IsTheSameTwice) {
  for (const double budget : {0.05, 0.5}) {
    const SceneFile scene = scene_with({"grid.max_level=8"});
    const Prediction once = predict(scene, budget), twice = predict(scene, budget);
    EXPECT_EQ(once.trial_level, twice.trial_level);
    EXPECT_EQ(once.trial_frames, twice.trial_frames);
    EXPECT_EQ(once.leaves, twice.leaves);
    EXPECT_EQ(once.leaf_steps, twice.leaf_steps);
    EXPECT_EQ(once.bytes, twice.bytes);
    EXPECT_EQ(once.disk_bytes, twice.disk_bytes);
  }
}

// With a bound of leaves the beginning takes more than what comes after it.
TEST(Prediction, CountsTheBeginning) {
  const Prediction p = predict(scene_with({"grid.max_level=12", "grid.max_leaves=20000"}), 0.1);
  EXPECT_EQ(p.leaves, 20000);
  EXPECT_GT(p.bytes, std::pow(8.0, 6) * 100);
}

// What limits rely on is no more than what a leaf takes, and not much less.
template <int Dim>
void expect_least_bytes(int level) {
  SmokeParameters<Dim> p;
  p.refinement.min_level = p.refinement.max_level = level;
  Smoke<Dim> smoke(Domain<Dim>{}, p);
  const StepReport r = smoke.step(0.01);
  const double each = static_cast<double>(r.peak_bytes) / static_cast<double>(r.leaves);
  EXPECT_GT(each, least_bytes_per_leaf<Dim>);
  EXPECT_LT(each, 1.5 * least_bytes_per_leaf<Dim>);
}
TEST(RunLimits, LeastBytesPerLeaf) {
  expect_least_bytes<2>(8);
  expect_least_bytes<3>(5);
}

TEST(RunLimits, SentencesHaveTheNumbers) {
  EXPECT_EQ(lack_of_room("the run needs about", {2e9, 3e9}, {2e9, 3e9}), "");
  EXPECT_EQ(lack_of_room("the run needs about", {3.04e9, 0}, {1.5e8, 0}),
            "the run needs about 3.0 GB of memory, and 150 MB are free; --ignore-limits goes on "
            "all the same");
  EXPECT_NE(lack_of_room("it needs", {1, 7e12}, {2, 5e9}).find("7000.0 GB of disk space, and 5.0"),
            std::string::npos);
  EXPECT_THROW(require_room("it needs", {2, 0}, {1, 0}), InputError);
}

// As much as the last frame took, and what it grew by.
TEST(RunLimits, TheNextFrame) {
  const TemporaryFolder folder;
  const RunFolder run(folder / "run", "a");
  NextFrame next(run);
  const std::vector<Key<3>> leaves(1000);
  const SavedState<3> state{.time = 0, .steps = 0, .leaves = {leaves.data(), leaves.size()}};
  EXPECT_EQ(next.needed(state).memory, 1000 * least_bytes_per_leaf<3>);
  EXPECT_EQ(next.needed(state).disk, 8000);

  const double much = 1e15;
  StepReport report;
  report.peak_bytes = static_cast<std::size_t>(much);
  report.leaves = 1000;
  next.saw(report, 1);
  EXPECT_EQ(next.needed(state).memory, much);
  fs::create_directories(folder / "run/volume");
  std::ofstream(folder / "run/volume/a.0002.vdb") << std::string(500, 'x');
  report.leaves = 1500;
  next.saw(report, 2);
  EXPECT_EQ(next.needed(state).memory, 1.5 * much);
  EXPECT_EQ(next.needed(state).disk, 8000 + 2 * 1.5 * 500);
  report.leaves = 100000;
  next.saw(report, 3);
  EXPECT_EQ(next.needed(state).memory, 2 * much);
}

// A run that does not fit is refused before anything is written.
TEST(RunLimits, RunsThatCannotFitAreRefused) {
  EXPECT_EQ(least_memory(scene_with({"grid.min_level=4"})), 4096 * least_bytes_per_leaf<3>);
  EXPECT_GT(least_memory(scene_with({"grid.min_level=10", "grid.max_level=10"})), 1e11);
}

void run_small(int frame, const fs::path& folder, bool resume = false) {
  const SceneFile file = scene_with({"output.frames=[1, " + std::to_string(frame) + "]"});
  run_scene(file, {.folder = folder, .resume = resume, .progress = ProgressKind::quiet});
}

// Frames as large as the disk is: nothing of what is there is lost, and the run goes on when there is room again.
TEST(RunLimits, ARunStopsWithACheckpointBeforeTheDiskIsFull) {
  const TemporaryFolder folder;
  run_small(4, folder / "whole");
  run_small(2, folder / "out");
  const fs::path large = folder / "out/volume/small.0002.vdb";
  std::error_code error;
  fs::resize_file(large, available_disk(large), error);
  if (error) GTEST_SKIP() << "this disk has no files as large as itself";
  EXPECT_THROW(run_small(4, folder / "out", true), SimulationError);
  EXPECT_TRUE(fs::exists(folder / "out/checkpoint/small.0003.h5"));
  EXPECT_FALSE(fs::exists(folder / "out/volume/small.0004.vdb"));
  fs::remove(large);
  run_small(4, folder / "out", true);
  for (const std::string name : {"volume/small.0003.vdb", "volume/small.0004.vdb"})
    EXPECT_EQ(read_text(folder / "out" / name), read_text(folder / "whole" / name));
}

// Files of a system that is another one than this.
class FreeMemory : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  std::size_t left() const { return memory_left_by_system(folder_ / ""); }

  TemporaryFolder folder_;
};

TEST_F(FreeMemory, OfTheMachine) {
  EXPECT_GT(left(), std::size_t{1} << 60);  // nothing is known
  write("proc/meminfo", "MemTotal:  9000 kB\nMemAvailable:    2000 kB\nBuffers: 1 kB\n");
  EXPECT_EQ(left(), 2000u * 1024);
}

TEST_F(FreeMemory, OfControlGroups) {
  write("proc/meminfo", "MemAvailable: 2000 kB\n");
  write("proc/self/cgroup", "9:name=systemd:/\n4:memory:/jobs/one\n0::/here/inside\n");
  const std::string old = "sys/fs/cgroup/memory/", inside = "sys/fs/cgroup/here/inside/";
  write(old + "memory.limit_in_bytes", "9223372036854771712\n");
  write(old + "memory.usage_in_bytes", "5000\n");
  EXPECT_EQ(left(), 2000u * 1024);
  write(old + "jobs/memory.limit_in_bytes", "900000\n");
  write(old + "jobs/memory.usage_in_bytes", "500000\n");
  EXPECT_EQ(left(), 400000u);
  write(old + "jobs/memory.stat", "cache 7\ntotal_inactive_file 100000\n");
  EXPECT_EQ(left(), 500000u);
  write(inside + "memory.max", "max\n");
  write(inside + "memory.current", "1000\n");
  EXPECT_EQ(left(), 500000u);
  write(inside + "memory.max", "900\n");
  EXPECT_EQ(left(), 0u);
}

TEST(FreeDisk, OfAFolderThatIsNotThere) {
  const TemporaryFolder folder;
  EXPECT_GT(available_disk(folder / "not/there"), 0u);
  EXPECT_LT(available_disk(folder / "not/there"), std::size_t{1} << 61);
}

}  // namespace
}  // namespace octavo
