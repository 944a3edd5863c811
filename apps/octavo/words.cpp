#include "words.h"

#include <fmt/format.h>

#include "octavo/base/error.h"
#include "octavo/base/text.h"

namespace octavo {
namespace {

std::string quoted(const std::string& word) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%+-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  return fmt::format("'{}'", replaced(word, "'", "'\\''"));
}

}  // namespace

std::string command_text(const std::vector<std::string>& words) {
  std::vector<std::string> safe;
  for (const std::string& word : words) safe.push_back(quoted(word));
  return fmt::format("{}", fmt::join(safe, " "));
}

std::optional<Vec<2, int>> frame_range(const std::string& text) {
  if (text.empty()) return {};
  const std::string_view view = text;
  const auto colon = view.find(':');
  const bool two = colon != std::string_view::npos;
  const auto first = two ? whole_number(view.substr(0, colon)) : std::optional<int>(1);
  const auto last = whole_number(two ? view.substr(colon + 1) : view);
  if (!first || !last)
    throw InputError("--frames takes the first and the last frame, like 1:120, not '{}'", text);
  if (*first > *last)
    throw InputError("--frames {}: the first frame must not be above the last", text);
  return Vec<2, int>{*first, *last};
}

}  // namespace octavo
