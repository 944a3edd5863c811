#include "octavo/output/run_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "io/temporary_folder.h"
#include "octavo/base/error.h"
#include "octavo/output/frame_names.h"

namespace octavo {
namespace {

void touch(const std::filesystem::path& path) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path);
  file << "something";
}

TEST(RunFolder, NamesOfFiles) {
  const RunFolder folder("out", "smoke");
  EXPECT_EQ(folder.volume(7), "out/volume/smoke.0007.vdb");
  EXPECT_EQ(folder.grid(12345), "out/grid/smoke.12345.htg");
  EXPECT_EQ(folder.checkpoint({3, 0}), "out/checkpoint/smoke.0003.h5");
  EXPECT_EQ(folder.checkpoint({3, 2}), "out/checkpoint/smoke.0003+2.h5");
}

TEST(RunFolder, CheckpointsFromTheNewestOn) {
  const TemporaryFolder temporary;
  RunFolder folder(temporary.path(), "smoke");
  for (const Moment m : {Moment{2, 0}, Moment{10, 0}, Moment{2, 11}, Moment{2, 3}, Moment{9999, 1}})
    touch(folder.checkpoint(m));
  touch(temporary.path() / "checkpoint/other.txt");
  std::vector<Moment> found;
  for (const CheckpointFile& c : folder.checkpoints()) found.push_back(c.moment);
  EXPECT_EQ(found, (std::vector<Moment>{{9999, 1}, {10, 0}, {2, 11}, {2, 3}, {2, 0}}));
  folder.prune_checkpoints({10, 0}, 2);  // 9999 is later than now
  found.clear();
  for (const CheckpointFile& c : folder.checkpoints()) found.push_back(c.moment);
  EXPECT_EQ(found, (std::vector<Moment>{{10, 0}, {2, 11}}));
  folder.prune_checkpoints({10, 0}, 0);
  EXPECT_EQ(folder.checkpoints().size(), 2u);
  EXPECT_TRUE(std::filesystem::exists(temporary.path() / "checkpoint/other.txt"));
}

TEST(RunFolder, BelongsToOneRun) {
  const TemporaryFolder temporary;
  RunFolder first(temporary.path() / "a/b", "smoke"), second(temporary.path() / "a/b", "smoke");
  first.open();
  EXPECT_THROW(second.open(), InputError);
}

TEST(RunFolder, ClearsOnlyWhatRunsWrite) {
  const TemporaryFolder temporary;
  RunFolder folder(temporary.path(), "smoke");
  EXPECT_FALSE(folder.holds_run());
  for (const char* file : {"scene.toml", "log.jsonl", "volume/smoke.0001.vdb", "probe/p.csv",
                           "notes.txt", "volume/readme.txt", "picture/a.png", "volume/mine.vdb"})
    touch(temporary.path() / file);
  EXPECT_TRUE(folder.holds_run());
  folder.clear();
  EXPECT_FALSE(folder.holds_run());
  EXPECT_FALSE(std::filesystem::exists(temporary.path() / "volume/smoke.0001.vdb"));
  EXPECT_TRUE(std::filesystem::exists(temporary.path() / "volume/readme.txt"));
  EXPECT_TRUE(std::filesystem::exists(temporary.path() / "volume/mine.vdb"));
  EXPECT_TRUE(std::filesystem::exists(temporary.path() / "notes.txt"));
  EXPECT_TRUE(std::filesystem::exists(temporary.path() / "picture/a.png"));
}

// A process that has been here and is no more.
pid_t gone() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

// What killed writers have left goes; what others are writing, and what only looks a little like it, stays.
TEST(RunFolder, RemovesUnfinishedFiles) {
  const TemporaryFolder temporary;
  RunFolder folder(temporary.path(), "smoke");
  const auto left = temporary.path() / fmt::format("volume/smoke.0001.vdb.tmp-{}-4", gone());
  const auto own = temporary.path() / fmt::format("scene.toml.tmp-{}-0", getpid());
  const auto other = temporary.path() / fmt::format("image/smoke.0001.png.tmp-{}-7", getppid());
  const auto notes = temporary.path() / "volume/smoke.tmp-notes";
  for (const auto& file : {left, own, other, notes}) touch(file);
  folder.open();
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_FALSE(std::filesystem::exists(own));  // by a process that had the same number
  EXPECT_TRUE(std::filesystem::exists(other));
  EXPECT_TRUE(std::filesystem::exists(notes));
}

TEST(RunFolder, SceneOfAFileInIt) {
  const TemporaryFolder temporary;
  const auto volume = temporary.path() / "volume/smoke.0001.vdb";
  touch(volume);
  touch(temporary.path() / "scene.toml");
  EXPECT_EQ(scene_of_run(volume), "");  // it has not been run
  touch(temporary.path() / "log.jsonl");
  EXPECT_EQ(scene_of_run(volume), temporary.path() / "scene.toml");
}

TEST(FrameNames, ThereAndBack) {
  for (const char* name : {"smoke", "smoke.level", "a.b.c"})
    for (const int frame : {0, 7, 9999, 12345}) {
      const auto read = frame_name(frame_file(name, frame, ".png"));
      ASSERT_TRUE(read);
      EXPECT_EQ(read->name, name);
      EXPECT_EQ(read->frame, frame);
    }
  for (const char* other : {"smoke.png", "smoke.12a.png", ".0001.png", "0001.png", "smoke.0001"})
    EXPECT_FALSE(frame_name(other)) << other;
}

TEST(FrameNames, InAFolder) {
  const TemporaryFolder temporary;
  for (const char* file : {"a.0002.png", "a.0010.png", "a.level.0002.png", "b.0001.png",
                           "a.0003.exr", "a.png", "readme.txt"})
    touch(temporary.path() / file);
  const FrameSeries a = frames_in(temporary.path(), "a", ".png");
  ASSERT_EQ(a.size(), 2u);
  EXPECT_EQ(a.at(10).filename(), "a.0010.png");
  EXPECT_EQ(series_in(temporary.path(), ".png").size(), 3u);
  EXPECT_TRUE(series_in(temporary.path() / "none", ".png").empty());
}

TEST(FrameNames, ListsWhatIsInARow) {
  EXPECT_EQ(frame_list({}), "");
  EXPECT_EQ(frame_list({4}), "4");
  EXPECT_EQ(frame_list({1, 2, 3, 5, 6, 10}), "1 .. 3, 5, 6, 10");
}

}  // namespace
}  // namespace octavo
