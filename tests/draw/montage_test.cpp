#include "octavo/draw/montage.h"

#include <gtest/gtest.h>

#include <cmath>

#include "octavo/base/error.h"
#include "octavo/base/parallel.h"
#include "octavo/base/random.h"
#include "octavo/draw/canvas.h"
#include "octavo/draw/difference.h"
#include "octavo/image/picture.h"
#include "octavo/image/resize.h"

namespace octavo {
namespace {

Image noise(int width, int height, int channels = 3, std::uint64_t seed = 1) {
  Image image(width, height, channels);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = static_cast<std::uint8_t>(Random(seed).bits(i));
  return image;
}

Image plain(int width, int height, const Color& color) {
  Image image(width, height);
  fill_rectangle(image, 0, 0, width, height, color);
  return image;
}

double mean_light(const Image& image, std::size_t channel) {
  double sum = 0;
  for (std::size_t i = channel; i < image.pixels.size(); i += 3)
    sum += srgb_decoded(static_cast<float>(image.pixels[i]) / 255);
  return 3 * sum / static_cast<double>(image.pixels.size());
}

TEST(Resize, KeepsTheMeanLight) {
  const Image image = noise(101, 67);
  for (const auto& [width, height] : {std::pair{10, 10}, {37, 66}, {101, 5}, {150, 100}, {1, 1}}) {
    const Image other = resized(image, width, height);
    ASSERT_EQ(other.width, width);
    ASSERT_EQ(other.height, height);
    for (const std::size_t c : {0u, 1u, 2u})  // rounding is by half a step of 255 in sRGB
      EXPECT_NEAR(mean_light(other, c), mean_light(image, c), width == 1 ? 0.004 : 0.001);
  }
}

// Black and white pixels mixed are half the light, sRGB's 188, not 128.
TEST(Resize, IsInLinearLight) {
  Image image(2, 2);
  fill_rectangle(image, 0, 0, 1, 1, {1, 1, 1});
  fill_rectangle(image, 1, 1, 1, 1, {1, 1, 1});
  EXPECT_EQ(resized(image, 1, 1).pixels, (std::vector<std::uint8_t>{188, 188, 188}));
}

TEST(Resize, ByAWholeNumberRepeatsPixels) {
  const Image image = noise(5, 4, 4), large = resized(image, 15, 12);
  for (int y = 0; y < 12; ++y)
    for (int x = 0; x < 15; ++x)
      for (int c = 0; c < 4; ++c)
        EXPECT_EQ(large.at(x, y)[c], image.at(x / 3, y / 3)[c]) << x << ' ' << y;
  EXPECT_EQ(resized(large, 5, 4), image);
}

// What cannot be seen has no part in the colour.
TEST(Resize, WeighsColoursByOpacity) {
  Image image(2, 1, 4);
  const std::uint8_t pixels[] = {255, 0, 0, 255, 0, 255, 0, 0};
  std::copy(std::begin(pixels), std::end(pixels), image.pixels.begin());
  EXPECT_EQ(resized(image, 1, 1).pixels, (std::vector<std::uint8_t>{255, 0, 0, 128}));
  EXPECT_EQ(on_black(image).pixels, (std::vector<std::uint8_t>{255, 0, 0, 0, 0, 0}));
}

TEST(Psnr, IsWhatTheFormulaSays) {
  Image one = plain(40, 30, {0.5f, 0.5f, 0.5f}), other = one;
  EXPECT_TRUE(std::isinf(psnr(one, other)));
  for (std::uint8_t& value : other.pixels) value = static_cast<std::uint8_t>(value + 5);
  EXPECT_NEAR(psnr(one, other), 20 * std::log10(255.0 / 5), 1e-12);
  other = one;
  other.at(3, 4)[1] = static_cast<std::uint8_t>(one.at(3, 4)[1] + 100);  // one of 3600 numbers
  EXPECT_NEAR(psnr(one, other), 20 * std::log10(255.0 / 100) + 10 * std::log10(3600.0), 1e-12);
  EXPECT_NEAR(psnr(plain(9, 9, {0, 0, 0}), plain(9, 9, {1, 1, 1})), 0, 1e-12);
  EXPECT_THROW(psnr(one, noise(30, 40)), InputError);
  EXPECT_TRUE(std::isinf(psnr(plain(3, 3, {0, 0, 0}), Image(3, 3, 4))));  // both are black
}

TEST(Difference, IsRedWhereTheOtherIsLighter) {
  const Image dark = plain(8, 8, {0.3f, 0.3f, 0.3f}), light = plain(8, 8, {0.5f, 0.5f, 0.5f});
  const auto pixel = [](const Image& image) { return image.at(4, 4); };
  const Image up = difference(dark, light, 1), down = difference(light, dark, 1);
  EXPECT_GT(pixel(up)[0], pixel(up)[2] + 40);
  EXPECT_GT(pixel(down)[2], pixel(down)[0] + 40);
  const Image none = difference(dark, dark, 64);
  EXPECT_EQ(pixel(none)[0], 0xf3);
  EXPECT_EQ(pixel(none)[1], 0xf3);

  // L* of grey levels 0.3 and 0.5 of sRGB (76.5 and 127.5 of 255), rounded to bytes.
  const double range = difference_range(dark, light);
  EXPECT_NEAR(range, 0.2087, 0.004);
  EXPECT_EQ(gain_for(range), 4);
  EXPECT_EQ(difference_range(dark, dark), 0);
  EXPECT_EQ(gain_for(0), 1);
  EXPECT_EQ(gain_for(1), 1);
  EXPECT_EQ(gain_for(0.5), 2);
  EXPECT_EQ(gain_for(1e-9), 64);
  EXPECT_THROW(difference(dark, noise(4, 4), 1), InputError);
}

TEST(ColorMap, DivergesFromTheLightestInTheMiddle) {
  auto lightness = [](const Color& c) {
    return luminance({srgb_decoded(c[0]), srgb_decoded(c[1]), srgb_decoded(c[2])});
  };
  for (int i = 0; i < 50; ++i) {
    const float near = static_cast<float>(i) / 50, far = static_cast<float>(i + 1) / 50;
    EXPECT_GT(lightness(blue_white_red(near)), lightness(blue_white_red(far)));
    EXPECT_GT(lightness(blue_white_red(-near)), lightness(blue_white_red(-far)));
    EXPECT_NEAR(lightness(blue_white_red(far)), lightness(blue_white_red(-far)), 0.01);
  }
}

bool is_paper(const Image& image, int x, int y) {
  const std::uint8_t* p = image.at(x, y);
  return p[0] == 255 && p[1] == 255 && p[2] == 255;
}

// Five pictures of 100 x 50 in three columns: two rows, with 16 pixels around and 26 for the numbers.
TEST(Sheet, PutsPicturesInRowsAndColumns) {
  const std::vector<Image> images(5, plain(100, 50, {1, 0, 0}));
  const Image whole = sheet(images, {"1", "2", "3", "4", "5"}, {.columns = 3});
  EXPECT_EQ(whole.width, 16 + 3 * 116);
  EXPECT_EQ(whole.height, 16 + 2 * (50 + 26 + 16));
  for (int i = 0; i < 6; ++i) {
    const int x = 16 + i % 3 * 116, y = 16 + i / 3 * 92;
    for (const auto& [dx, dy] : {std::pair{0, 0}, {99, 0}, {0, 49}, {99, 49}})
      EXPECT_EQ(whole.at(x + dx, y + dy)[1], i < 5 ? 0 : 255) << i;
    EXPECT_TRUE(is_paper(whole, x - 1, y));
    EXPECT_TRUE(is_paper(whole, x, y + 50));
    int ink = 0;  // of the number
    for (int v = y + 50; v < y + 50 + 26; ++v)
      for (int u = x; u < x + 100; ++u) ink += !is_paper(whole, u, v);
    EXPECT_EQ(ink > 0, i < 5);
  }
}

TEST(Sheet, FitsIntoItsWidth) {
  const std::vector<Image> images{noise(640, 480), noise(480, 640), noise(64, 48, 4)};
  for (const int width : {200, 500, 1000})
    EXPECT_LE(sheet(images, {}, {.width = width}).width, width);
  EXPECT_EQ(sheet({noise(300, 100)}, {}).width, 332);  // none is made larger
  EXPECT_THROW(sheet({}, {}), InputError);
  EXPECT_THROW(sheet(images, {}, {.columns = 3, .width = 40}), InputError);
}

TEST(SideBySide, ShowsBothAndTheirDifference) {
  const Image one = noise(640, 40), other = noise(640, 40, 3, 2);
  const Image whole = side_by_side(one, other, {.title = "frame 1", .left = "a", .right = "b"});
  EXPECT_EQ(whole.width, 16 + 3 * 656);
  const Image third = difference(one, other, 1);
  const int top = 16 + 18 + 8;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 640; ++x)
      for (int c = 0; c < 3; ++c) {
        ASSERT_EQ(whole.at(16 + x, top + y)[c], one.at(x, y)[c]);
        ASSERT_EQ(whole.at(672 + x, top + y)[c], other.at(x, y)[c]);
        ASSERT_EQ(whole.at(1328 + x, top + y)[c], third.at(x, y)[c]);
      }
  const Image small = side_by_side(noise(100, 50), noise(100, 50), {});
  EXPECT_EQ(small.width, 16 + 3 * (600 + 16));  // six times as large
  const std::string name(500, 'x');
  const Image same =
      side_by_side(one, one, {.title = name, .left = name, .right = name, .gain = 64});
  EXPECT_EQ(same.width, whole.width);
  EXPECT_EQ(same.height, whole.height);
  EXPECT_THROW(side_by_side(one, noise(640, 41), {}), InputError);
}

TEST(Montage, DoesNotDependOnThreads) {
  const Image one = noise(300, 200), other = noise(300, 200, 3, 2);
  set_threads(1);
  const Image before = side_by_side(one, other, {.width = 200});
  const double decibels = psnr(one, other), range = difference_range(one, other);
  set_threads(3);
  EXPECT_TRUE(side_by_side(one, other, {.width = 200}) == before);
  EXPECT_EQ(psnr(one, other), decibels);
  EXPECT_EQ(difference_range(one, other), range);
  set_threads(0);
}

}  // namespace
}  // namespace octavo
