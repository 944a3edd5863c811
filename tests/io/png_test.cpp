#include "octavo/io/png.h"

#include <gtest/gtest.h>

#include "octavo/base/error.h"
#include "octavo/base/random.h"
#include "octavo/io/atomic_file.h"
#include "temporary_folder.h"

namespace octavo {
namespace {

Image noise(int width, int height, int channels) {
  Image image(width, height, channels);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = static_cast<std::uint8_t>(Random(1).bits(i));
  return image;
}

TEST(Png, ReadsWhatItWrote) {
  TemporaryFolder folder;
  for (const int channels : {3, 4})
    for (const int width : {1, 7, 64}) {
      const Image image = noise(width, 5, channels);
      write_png(folder / "image.png", image);
      EXPECT_EQ(read_png(folder / "image.png"), image) << width << " x 5 x " << channels;
    }
}

// The header of the file, by the specification: signature, then width, height, depth and colour
// type.
TEST(Png, HeaderIsThatOfTheSpecification) {
  TemporaryFolder folder;
  write_png(folder / "image.png", noise(258, 3, 3));
  const std::string file = read_text(folder / "image.png");
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(file.substr(12, 14), std::string("IHDR\0\0\1\2\0\0\0\3\x08\x02", 14));
}

TEST(Png, TopRowComesFirst) {
  Image image(2, 3);
  image.at(1, 0)[0] = 10;
  image.at(0, 2)[2] = 20;
  EXPECT_EQ(image.pixels[3], 10);
  EXPECT_EQ(image.pixels[12 + 2], 20);
}

TEST(Png, ReportsBadFiles) {
  TemporaryFolder folder;
  EXPECT_THROW(write_png(folder / "missing/image.png", noise(4, 4, 3)), FileError);
  EXPECT_THROW(write_png(folder / "image.png", Image()), InvariantError);
  EXPECT_THROW(read_png(folder / "none.png"), InputError);
  EXPECT_THROW(read_png(put_text(folder / "text.png", "no picture")), InputError);
  write_png(folder / "image.png", noise(64, 64, 3));
  const std::string whole = read_text(folder / "image.png");
  EXPECT_THROW(read_png(put_text(folder / "cut.png", whole.substr(0, 3000))), InputError);
}

// A million pixels along each side, which libpng would still read: by the specification, with the checksum that
// belongs to it.
TEST(Png, HeaderOfAPictureThatIsTooLarge) {
  TemporaryFolder folder;
  std::string chunk("IHDR\0\x0f\x42\x40\0\x0f\x42\x40\x08\x02\0\0\0", 17);
  std::uint32_t sum = 0xffffffffu;
  for (const char c : chunk) {
    sum ^= static_cast<std::uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320u : 0);
  }
  std::string file("\x89PNG\r\n\x1a\n\0\0\0\x0d", 12);
  file += chunk;
  for (int shift = 24; shift >= 0; shift -= 8) file += static_cast<char>(~sum >> shift);
  file += std::string("\0\0\0\0IDAT", 8);
  try {
    read_png(put_text(folder / "huge.png", file));
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("1000000 x 1000000"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace octavo
