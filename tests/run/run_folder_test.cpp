#include "octavo/run/run_folder.h"

#include <gtest/gtest.h>

#include <fstream>

#include "io/temporary_folder.h"
#include "octavo/base/error.h"

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

// What killed writers have left goes; what only looks a little like it stays.
TEST(RunFolder, RemovesUnfinishedFiles) {
  const TemporaryFolder temporary;
  RunFolder folder(temporary.path(), "smoke");
  touch(temporary.path() / "volume/smoke.0001.vdb.tmp-123-4");
  touch(temporary.path() / "scene.toml.tmp-99-0");
  touch(temporary.path() / "volume/smoke.tmp-notes");
  folder.open();
  EXPECT_FALSE(std::filesystem::exists(temporary.path() / "volume/smoke.0001.vdb.tmp-123-4"));
  EXPECT_FALSE(std::filesystem::exists(temporary.path() / "scene.toml.tmp-99-0"));
  EXPECT_TRUE(std::filesystem::exists(temporary.path() / "volume/smoke.tmp-notes"));
}

}  // namespace
}  // namespace octavo
