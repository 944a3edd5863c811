#include "octavo/base/text.h"

#include <gtest/gtest.h>

namespace octavo {
namespace {

TEST(Text, PrintableHasNoControlSigns) {
  EXPECT_EQ(printable("plume.toml"), "plume.toml");
  EXPECT_EQ(printable("\x1b[31mred\x1b[0m\n\t\r\x7f"), "\\x1b[31mred\\x1b[0m\\n\\t\\r\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m");  // as ESC [
}

TEST(Text, PrintableKeepsOtherLanguages) {
  for (const char* text : {"Rauch über dem Meer", "дым", "煙", "\U0001F32B", "\u00a0", "C:\\new"})
    EXPECT_EQ(printable(text), text);
}

// Bytes that are not UTF-8: alone, too long, of half a surrogate pair, too large, cut off.
TEST(Text, PrintableIsAlwaysUtf8) {
  EXPECT_EQ(printable("a\xff\x80z"), "a\\xff\\x80z");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");
  EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xe7\x85"), "\\xe7\\x85");
  for (int first = 0; first < 256; ++first)
    for (int second = 0; second < 256; ++second) {
      const std::string text =
          printable(std::string{static_cast<char>(first), static_cast<char>(second)});
      for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(utf8_size(rest)))
        ASSERT_GT(utf8_size(rest), 0u) << first << ' ' << second;
    }
}

TEST(Text, PrintableLinesStayLines) {
  EXPECT_EQ(printable_lines("a\x1b\nb\r\n"), "a\\x1b\nb\\r\n");
  EXPECT_EQ(printable_lines(""), "");
}

}  // namespace
}  // namespace octavo
