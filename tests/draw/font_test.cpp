#include "octavo/draw/font.h"

#include <gtest/gtest.h>

#include <string_view>

#include "octavo/draw/canvas.h"

namespace octavo {
namespace {

int dots(char sign, int first_row = 0, int end_row = font::height + font::tail) {
  int count = 0;
  for (int row = first_row; row < end_row; ++row)
    for (int column = 0; column < font::width; ++column)
      count += font::dot(font::glyph(sign), column, row);
  return count;
}

TEST(Font, EverySignIsThereAndDiffersFromAllOthers) {
  for (char a = '!'; a <= '~'; ++a) {
    EXPECT_GT(dots(a), 0) << a;
    for (char b = ' '; b < a; ++b) EXPECT_NE(font::glyph(a), font::glyph(b)) << a << b;
  }
  EXPECT_EQ(dots(' '), 0);
  for (const char other : {'\0', '\n', '\x7f', '\x80', '\xff'}) EXPECT_EQ(dots(other), 0);
}

// Small letters without an upper part are five dots high, tails are below the line.
TEST(Font, LettersStandOnOneLine) {
  constexpr std::string_view tails = "gjpqy,;_", low = "acegmnopqrsuvwxyz";
  for (char sign = '!'; sign <= '~'; ++sign)
    EXPECT_EQ(dots(sign, font::height) > 0, tails.find(sign) != std::string_view::npos) << sign;
  for (char sign = 'a'; sign <= 'z'; ++sign)
    EXPECT_EQ(dots(sign, 0, 2) == 0, low.find(sign) != std::string_view::npos) << sign;
  for (char sign = 'A'; sign <= 'Z'; ++sign) {
    EXPECT_GT(dots(sign, 0, 1), 0) << sign;
    EXPECT_GT(dots(sign, 6, 7), 0) << sign;
  }
}

// As many white pixels as the signs have dots, times the area of a dot.
TEST(Font, TextHasTheDotsOfItsSigns) {
  for (const int scale : {1, 2, 3}) {
    const std::string_view text = "Ag;~";
    Image image(text_width(text, scale), (font::height + font::tail) * scale);
    draw_text(image, 0, 0, text, scale, {1, 1, 1});
    int white = 0, expected = 0;
    for (const std::uint8_t value : image.pixels) white += value == 255;
    for (const char sign : text) expected += dots(sign);
    EXPECT_EQ(white, 3 * scale * scale * expected);
  }
}

}  // namespace
}  // namespace octavo
