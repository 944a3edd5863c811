#pragma once

// Small things about text.

#include <optional>
#include <string>
#include <string_view>

namespace octavo {

// A number of one to nine digits and nothing else; none if it is something else.
inline std::optional<int> whole_number(std::string_view text) {
  if (text.empty() || text.size() > 9) return {};
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return {};
    value = 10 * value + (c - '0');
  }
  return value;
}

// What names of files and fields are made of: letters of English, digits, _ and -.
inline bool is_word_sign(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}
inline constexpr std::size_t longest_word = 64;

// The same text as such a name, as far as possible.
inline std::string as_word(std::string_view text) {
  std::string word(text.substr(0, longest_word));
  for (char& c : word)
    if (!is_word_sign(c)) c = '_';
  return word.empty() ? "scene" : word;
}

// With each `what` replaced.
inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace octavo
