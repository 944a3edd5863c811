#include "octavo/io/archive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "file_size_limit.h"
#include "octavo/base/error.h"
#include "octavo/base/random.h"
#include "octavo/io/atomic_file.h"
#include "temporary_folder.h"

namespace octavo {
namespace {

template <class T>
Buffer<T> some_values(std::size_t count, std::uint64_t seed = 1) {
  Buffer<T> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(Random(seed).bits(i) % 1000) / static_cast<T>(3);
  return values;
}

template <class T>
bool is_same(const Buffer<T>& p, const Buffer<T>& q) {
  return p.size() == q.size() && std::equal(p.begin(), p.end(), q.begin());
}

// A little of everything.
void fill_small(ArchiveWriter& out) {
  const Buffer<float> density = some_values<float>(7);
  const Buffer<std::uint64_t> keys = some_values<std::uint64_t>(3);
  out.add_array("density", density.view());
  out.add_array("keys", keys.view());
  out.add_array("nothing", View<const double>());
  out.add_number("time", 0.25);
  out.add_number("steps", std::uint64_t{12});
  out.add_text("scene", "a plume");
}

std::string small_file(const TemporaryFolder& folder) {
  ArchiveWriter out;
  fill_small(out);
  out.commit(folder / "small.h5");
  return read_text(folder / "small.h5");
}

View<const unsigned char> bytes_of(const std::string& file) {
  return {reinterpret_cast<const unsigned char*>(file.data()), file.size()};
}

// What is said against a file; nothing if it is accepted.
std::string complaint(const std::string& file) {
  try {
    const ArchiveReader in(bytes_of(file), "the file");
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

template <class Action>
void expect_refused(Action&& action, const std::string& words) {
  try {
    action();
    ADD_FAILURE() << "not refused: " << words;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

template <class T>
void expect_round_trip(const TemporaryFolder& folder) {
  for (const std::size_t count : {0u, 1u, 1000u, 131072u, 131073u, 700001u}) {
    const Buffer<T> values = some_values<T>(count);
    ArchiveWriter out;
    out.add_array("values", values.view());
    out.commit(folder / "file");
    const ArchiveReader in(folder / "file");
    EXPECT_EQ(in.size("values"), count);
    EXPECT_TRUE(is_same(in.array<T>("values"), values)) << count;
  }
}

TEST(Archive, ArraysOfEveryTypeAndSizeComeBack) {
  TemporaryFolder folder;
  expect_round_trip<float>(folder);
  expect_round_trip<double>(folder);
  expect_round_trip<std::int32_t>(folder);
  expect_round_trip<std::int64_t>(folder);
  expect_round_trip<std::uint64_t>(folder);
  expect_round_trip<std::uint8_t>(folder);
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST(Archive, NumbersComeBackToTheLastBit) {
  TemporaryFolder folder;
  const std::vector<double> doubles{0.0, -0.0, 0.1, 1e-310, HUGE_VAL, std::nan("")};
  using Limits = std::numeric_limits<std::int64_t>;
  ArchiveWriter out;
  for (std::size_t i = 0; i < doubles.size(); ++i)
    out.add_number("double " + std::to_string(i), doubles[i]);
  out.add_number("least", Limits::min());
  out.add_number("most", std::numeric_limits<std::uint64_t>::max());
  out.add_number("plain", 3);
  out.commit(folder / "file");
  const ArchiveReader in(folder / "file");
  for (std::size_t i = 0; i < doubles.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(in.number<double>("double " + std::to_string(i))),
              std::bit_cast<std::uint64_t>(doubles[i]));
  EXPECT_EQ(in.number<std::int64_t>("least"), Limits::min());
  EXPECT_EQ(in.number<std::uint64_t>("most"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(in.number<std::int64_t>("plain"), 3);
}

TEST(Archive, TextsOfAllLengthsComeBack) {
  TemporaryFolder folder;
  const std::vector<std::string> texts{"", "x", "Öl über Wasser\n", std::string("a\0b\0", 4),
                                       std::string(300000, 'l')};
  ArchiveWriter out;
  for (std::size_t i = 0; i < texts.size(); ++i) out.add_text(std::to_string(i), texts[i]);
  out.commit(folder / "file");
  const ArchiveReader in(folder / "file");
  for (std::size_t i = 0; i < texts.size(); ++i)
    EXPECT_TRUE(in.text(std::to_string(i)) == texts[i]);
}

TEST(Archive, ManyThingsInOneFile) {
  TemporaryFolder folder;
  ArchiveWriter out;
  for (int i = 0; i < 200; ++i) {
    const Buffer<float> values = some_values<float>(50, static_cast<std::uint64_t>(i));
    out.add_array("array " + std::to_string(i), values.view());
  }
  out.commit(folder / "file");
  const ArchiveReader in(folder / "file");
  for (int i = 0; i < 200; ++i)
    EXPECT_TRUE(is_same(in.array<float>("array " + std::to_string(i)),
                        some_values<float>(50, static_cast<std::uint64_t>(i))));
}

TEST(Archive, SameContentsSameBytes) {
  TemporaryFolder folder;
  const std::string first = small_file(folder);
  EXPECT_TRUE(first == small_file(folder));
  EXPECT_EQ(first.substr(0, 23), "Octavo archive 1\ncrc32 ");
  EXPECT_NE(first.find("\nbytes " + std::to_string(first.size() - 512) + "\n"), std::string::npos);
}

TEST(Archive, EveryChangedByteIsFound) {
  TemporaryFolder folder;
  std::string file = small_file(folder);
  EXPECT_EQ(complaint(file), "");
  for (std::size_t i = 0; i < file.size(); ++i)
    for (const int change : {0x01, 0x80, 0xff}) {
      const char before = file[i];
      file[i] = static_cast<char>(before ^ change);
      EXPECT_NE(complaint(file), "") << "byte " << i;
      file[i] = before;
    }
  EXPECT_EQ(complaint(file), "");
}

TEST(Archive, EveryMissingEndIsFound) {
  TemporaryFolder folder;
  const std::string file = small_file(folder);
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_NE(complaint(file.substr(0, size)), "") << size;
  for (const std::size_t more : {1u, 511u, 512u, 100000u})
    EXPECT_NE(complaint(file + std::string(more, '\0')), "") << more;
}

TEST(Archive, SaysWhatIsWrongWithAFile) {
  TemporaryFolder folder;
  auto says = [&](const std::filesystem::path& path, const std::string& words) {
    expect_refused([&] { const ArchiveReader in(path); }, words);
    expect_refused([&] { const ArchiveReader in(path); }, path.string());
  };
  const std::string file = small_file(folder);
  std::string changed = file, next = file;
  changed.back() = static_cast<char>(changed.back() ^ 1);
  next[15] = '2';
  says(folder / "none", "does not exist");
  says(folder.path(), "is not a file");
  says("/dev/zero", "is not a file");
  says(put_text(folder / "empty", ""), "is not an Octavo archive");
  says(put_text(folder / "text", "hello"), "is not an Octavo archive");
  says(put_text(folder / "hdf5", file.substr(512)), "is not an Octavo archive");
  says(put_text(folder / "next", next), "version");
  says(put_text(folder / "short", file.substr(0, 300)), "not as long");
  says(put_text(folder / "cut", file.substr(0, file.size() - 1)), "not as long");
  says(put_text(folder / "long", file + "x"), "not as long");
  says(put_text(folder / "changed", changed), "checksum");
}

TEST(Archive, SaysWhatIsNotInAFile) {
  TemporaryFolder folder;
  small_file(folder);
  const ArchiveReader in(folder / "small.h5");
  EXPECT_TRUE(in.has("density"));
  for (const char* name : {"", ".", "/", "./density", "/density", "Density", "density "})
    EXPECT_FALSE(in.has(name)) << name;
  EXPECT_FALSE(in.has(std::string("density\0", 8)));
  testing::internal::CaptureStderr();
  for (const std::string words : {"small.h5", "no 'velocity'"}) {
    expect_refused([&] { in.array<float>("velocity"); }, words);
    expect_refused([&] { in.number<double>("velocity"); }, words);
    expect_refused([&] { in.text("velocity"); }, words);
    expect_refused([&] { in.size("velocity"); }, words);
  }
  for (const std::string name : {"density", "time", "scene"}) {
    expect_refused([&] { in.array<double>(name); }, "'" + name + "'");
    expect_refused([&] { in.number<std::int64_t>(name); }, "small.h5");
  }
  expect_refused([&] { in.array<double>("density"); }, "not an array of double");
  expect_refused([&] { in.array<float>("nothing"); }, "not an array of float");
  expect_refused([&] { in.array<std::int64_t>("keys"); }, "not an array of int64");
  expect_refused([&] { in.array<double>("time"); }, "not an array of double");
  expect_refused([&] { in.number<double>("density"); }, "not a single double number");
  expect_refused([&] { in.number<std::int64_t>("steps"); }, "not a single int64 number");
  expect_refused([&] { in.text("time"); }, "not a text");
  expect_refused([&] { in.text("density"); }, "not a text");
  expect_refused([&] { in.size("time"); }, "not an array");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Archive, RefusesNamesThatAreTakenOrImpossible) {
  ArchiveWriter out;
  fill_small(out);
  expect_refused([&] { out.add_text("time", "late"); }, "already something called 'time'");
  for (const char* name : {"", ".", "/", "a/b"})
    expect_refused([&] { out.add_number(name, 1.0); }, "can be called '" + std::string(name) + "'");
}

TEST(Archive, FullDiskKeepsTheOldFile) {
  TemporaryFolder folder;
  const std::string old = small_file(folder);
  const Buffer<float> values = some_values<float>(500000);
  ArchiveWriter out;
  out.add_array("values", values.view());
  {
    const FileSizeLimit limit(100000);
    EXPECT_THROW(out.commit(folder / "small.h5"), FileError);
  }
  EXPECT_TRUE(read_text(folder / "small.h5") == old);
  EXPECT_EQ(folder.file_count(), 1u);
  EXPECT_THROW(out.commit(folder / "none/small.h5"), FileError);

  // When there is room again, nothing is lost.
  out.commit(folder / "small.h5");
  EXPECT_TRUE(is_same(ArchiveReader(folder / "small.h5").array<float>("values"), values));
  EXPECT_THROW(out.add_number("more", 1.0), InvariantError);
}

TEST(Archive, OneThreadDoesNotDisturbAnother) {
  TemporaryFolder folder;
  auto work = [&](const std::string& name, std::uint64_t seed) {
    for (int i = 0; i < 20; ++i) {
      const Buffer<double> values = some_values<double>(3000, seed);
      ArchiveWriter out;
      out.add_array("values", values.view());
      out.commit(folder / name);
      const ArchiveReader in(folder / name);
      EXPECT_TRUE(is_same(in.array<double>("values"), values));
      EXPECT_THROW(in.array<float>("values"), InputError);
    }
  };
  std::thread other(work, "a", 1);
  work("b", 2);
  other.join();
}

}  // namespace
}  // namespace octavo
