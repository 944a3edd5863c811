#include "octavo/io/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "file_size_limit.h"
#include "octavo/base/error.h"
#include "temporary_folder.h"

namespace octavo {
namespace {

std::string message_of(const std::filesystem::path& path, const std::string& contents) {
  try {
    write_file(path, contents);
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(AtomicFile, WritesAllSizes) {
  TemporaryFolder folder;
  for (const std::size_t bytes :
       {0u, 1u, 1000u, (1u << 20) - 1, 1u << 20, (1u << 20) + 1, 5000000u}) {
    std::string contents(bytes, '\0');
    for (std::size_t i = 0; i < bytes; ++i) contents[i] = static_cast<char>(i * 7 + i / 251);
    write_file(folder / "file", contents);
    EXPECT_TRUE(read_text(folder / "file") == contents) << bytes;
  }
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST(AtomicFile, KeepsTheOrderOfSmallAndLargePieces) {
  TemporaryFolder folder;
  const std::string large(3 << 20, 'L');
  AtomicFile file(folder / "file");
  file.write("before ");
  file.write(large);
  file.write(" after");
  file.commit();
  EXPECT_TRUE(read_text(folder / "file") == "before " + large + " after");
}

TEST(AtomicFile, AppearsOnlyWithCommit) {
  TemporaryFolder folder;
  put_text(folder / "file", "old");
  {
    AtomicFile file(folder / "file");
    file.write(std::string(3 << 20, 'x'));
    EXPECT_EQ(folder.file_count(), 2u);
    EXPECT_EQ(read_text(folder / "file"), "old");
  }
  EXPECT_EQ(folder.file_count(), 1u);
  EXPECT_EQ(read_text(folder / "file"), "old");
}

TEST(AtomicFile, FullDiskKeepsTheOldFile) {
  TemporaryFolder folder;
  put_text(folder / "file", "old");
  for (const std::size_t bytes : {200000u, 8000000u}) {  // fails while committing, while writing
    std::string message;
    {
      const FileSizeLimit limit(100000);
      message = message_of(folder / "file", std::string(bytes, 'x'));
    }
    EXPECT_NE(message.find((folder / "file").string()), std::string::npos) << message;
    EXPECT_NE(message.find("File too large"), std::string::npos) << message;
    EXPECT_EQ(read_text(folder / "file"), "old");
    EXPECT_EQ(folder.file_count(), 1u);
  }
}

TEST(AtomicFile, SaysWhyItCannotOpen) {
  TemporaryFolder folder;
  EXPECT_EQ(message_of(folder / "missing/file", "x"),
            "cannot write '" + (folder / "missing/file").string() + "': No such file or directory");
  EXPECT_NE(message_of("", "x"), "no error");
  EXPECT_NE(message_of(folder.path() / "", "x"), "no error");
}

// A rename would put a file in the place of the device.
TEST(AtomicFile, LeavesDevicesAndFoldersAlone) {
  TemporaryFolder folder;
  EXPECT_NE(message_of(folder.path(), "x").find("not a regular file"), std::string::npos);
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_NE(message_of(folder / "pipe", "x").find("not a regular file"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

TEST(AtomicFile, FollowsLinks) {
  TemporaryFolder folder;
  put_text(folder / "file", "old");
  std::filesystem::create_symlink("file", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_text(folder / "file"), "new");
}

TEST(AtomicFile, TwoWritersDoNotMix) {
  TemporaryFolder folder;
  AtomicFile first(folder / "file"), second(folder / "file");
  first.write("first");
  second.write("second");
  second.commit();
  EXPECT_EQ(read_text(folder / "file"), "second");
  first.commit();
  EXPECT_EQ(read_text(folder / "file"), "first");
  EXPECT_THROW(first.write("more"), InvariantError);
}

}  // namespace
}  // namespace octavo
