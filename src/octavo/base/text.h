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

// With each `what` replaced.
inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace octavo
