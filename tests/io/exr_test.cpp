#include "octavo/io/exr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "file_size_limit.h"
#include "octavo/base/random.h"
#include "octavo/io/atomic_file.h"
#include "temporary_folder.h"

namespace octavo {
namespace {

// Light of 14 magnitudes, with all kinds of digits.
ExrImage noise(int width, int height) {
  ExrImage image{width, height, {}};
  const auto n = static_cast<std::size_t>(4 * width * height);
  for (std::size_t i = 0; i < n; ++i)
    image.rgba.push_back(static_cast<float>(std::exp(20 * Random(1).uniform(i) - 10)));
  return image;
}

// A half has 11 significant bits.
TEST(Exr, ReadsWhatItWroteRoundedToHalves) {
  TemporaryFolder folder;
  for (const int width : {1, 7, 200}) {
    const ExrImage image = noise(width, 33);
    write_exr(folder / "image.exr", image.view());
    const ExrImage read = read_exr(folder / "image.exr");
    ASSERT_EQ(read.width, width);
    ASSERT_EQ(read.height, 33);
    int exact = 0;
    for (std::size_t i = 0; i < image.rgba.size(); ++i) {
      EXPECT_NEAR(read.rgba[i], image.rgba[i], std::max(image.rgba[i] * 0x1p-11f, 0x1p-25f));
      exact += read.rgba[i] == image.rgba[i];
    }
    EXPECT_LT(exact, 10);
    write_exr(folder / "again.exr", read.view());  // halves stay what they are
    EXPECT_EQ(read_exr(folder / "again.exr").rgba, read.rgba);
  }
}

TEST(Exr, OrderOfPixelsAndChannels) {
  TemporaryFolder folder;
  ExrImage image{3, 2, std::vector<float>(24)};
  for (std::size_t i = 0; i < 24; ++i) image.rgba[i] = static_cast<float>(i);
  write_exr(folder / "image.exr", image.view());
  EXPECT_EQ(read_exr(folder / "image.exr").rgba, image.rgba);
}

TEST(Exr, HugeNumbersAndThoseThatAreNone) {
  TemporaryFolder folder;
  const float inf = std::numeric_limits<float>::infinity();
  const ExrImage image{2, 1, {1e30f, -1e30f, inf, NAN, 65504, 65519.9f, -inf, 1e-30f}};
  write_exr(folder / "image.exr", image.view());
  EXPECT_EQ(read_exr(folder / "image.exr").rgba,
            (std::vector<float>{65504, -65504, 65504, 0, 65504, 65504, -65504, 0}));
}

TEST(Exr, HeaderSaysWhatItIs) {
  TemporaryFolder folder;
  write_exr(folder / "image.exr", noise(4, 4).view(), {{"frame", 12.5}, {"camera", "front"}});
  const ExrAttributes attributes = read_exr(folder / "image.exr").attributes;
  EXPECT_EQ(std::get<double>(attributes.at("frame")), 12.5);
  EXPECT_EQ(std::get<std::string>(attributes.at("camera")), "front");
  EXPECT_EQ(std::get<std::string>(attributes.at("software")).substr(0, 7), "octavo ");
  const std::string file = read_text(folder / "image.exr");
  EXPECT_EQ(file.substr(0, 4), "\x76\x2f\x31\x01");
  EXPECT_NE(file.find("chromaticities"), std::string::npos);
}

TEST(Exr, FullDiskKeepsTheOldFile) {
  TemporaryFolder folder;
  write_exr(folder / "image.exr", noise(4, 4).view());
  const std::string old = read_text(folder / "image.exr");
  {
    const FileSizeLimit limit(5000);
    EXPECT_THROW(write_exr(folder / "image.exr", noise(200, 200).view()), FileError);
  }
  EXPECT_EQ(read_text(folder / "image.exr"), old);
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST(Exr, ReportsBadFiles) {
  TemporaryFolder folder;
  EXPECT_THROW(read_exr(folder / "none.exr"), InputError);
  EXPECT_THROW(read_exr(folder.path()), InputError);
  EXPECT_THROW(read_exr(put_text(folder / "text.exr", "no picture")), InputError);
  EXPECT_THROW(write_exr(folder / "missing/image.exr", noise(4, 4).view()), FileError);
  EXPECT_THROW(write_exr(folder / "image.exr", ExrView{4, 4, {}}), InvariantError);
  write_exr(folder / "image.exr", noise(64, 64).view());
  const std::string whole = read_text(folder / "image.exr");
  for (const std::size_t bytes : {3u, 100u, 400u, 3000u})
    EXPECT_THROW(read_exr(put_text(folder / "cut.exr", whole.substr(0, bytes))), InputError);
  std::string without_red = whole;
  const auto at = without_red.find(std::string("\0R\0", 3));
  without_red[at + 1] = 'S';
  EXPECT_THROW(read_exr(put_text(folder / "no-red.exr", without_red)), InputError);
}

// The data window is four numbers of four bytes; the largest x and y come last.
TEST(Exr, HeaderOfAPictureThatIsTooLarge) {
  TemporaryFolder folder;
  write_exr(folder / "image.exr", noise(4, 4).view());
  std::string file = read_text(folder / "image.exr");
  const std::size_t window = file.find(std::string("dataWindow\0box2i\0\x10\0\0\0", 21)) + 21;
  for (const char* side : {"\x3f\x9c\0\0", "\xff\xff\xff\x7f"}) {  // 40000 and 2^31 pixels
    for (const std::size_t at : {window + 8, window + 12}) file.replace(at, 4, side, 4);
    EXPECT_THROW(read_exr(put_text(folder / "huge.exr", file)), InputError);
  }
}

}  // namespace
}  // namespace octavo
