#pragma once

// These are small functions on text.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace octavo {

// This reads a number of one to nine digits and nothing else; there is none if the text is something else.
inline std::optional<int> whole_number(std::string_view text) {
  if (text.empty() || text.size() > 9) return {};
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return {};
    value = 10 * value + (c - '0');
  }
  return value;
}

// Names of files and fields are made of letters of English, digits, _ and -.
inline bool is_word_sign(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}
inline constexpr std::size_t longest_word = 64;

// This makes a text such a name, as far as possible.
inline std::string as_word(std::string_view text) {
  std::string word(text.substr(0, longest_word));
  for (char& c : word)
    if (!is_word_sign(c)) c = '_';
  return word.empty() ? "scene" : word;
}

// This gives the text with each `what` replaced.
inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

// This tells how many bytes the sign of UTF-8 has that a text begins with; it is 0 if the text begins with none.
inline std::size_t utf8_size(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.empty()) return 0;
  if (byte(0) < 0x80) return 1;
  const std::size_t size = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < size) return 0;
  std::uint32_t sign = byte(0) & (0xffu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    sign = sign << 6 | (byte(i) & 0x3f);
  }
  const bool too_long = (size == 3 && sign < 0x800) || (size == 4 && sign < 0x10000);
  const bool surrogate = sign >= 0xd800 && sign < 0xe000;
  return too_long || surrogate || sign > 0x10ffff ? 0 : size;
}

// This writes a byte as C would have it in a text: \n, \t, \x1b.
inline std::string escaped_byte(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  if (c == '\r') return "\\r";
  return {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

// The result is on one line and has nothing in it that a terminal would obey: control signs and bytes that are not
// UTF-8 are written as C has them. Names of files and what is in them may have any.
inline std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = utf8_size(text);
    const auto first = static_cast<unsigned char>(text[0]);
    const bool control = size == 0 || first < 0x20 || first == 0x7f ||
                         (first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0);
    for (std::size_t i = 0; i < (size == 0 ? 1 : size); ++i)
      result += control ? escaped_byte(text[i]) : std::string(1, text[i]);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return result;
}

// This does the same for each line of a text.
inline std::string printable_lines(std::string_view text) {
  std::string result;
  for (;;) {
    const auto end = text.find('\n');
    result += printable(text.substr(0, end));
    if (end == std::string_view::npos) return result;
    result += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace octavo
