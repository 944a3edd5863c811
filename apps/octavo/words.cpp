#include "words.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

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

// The path is without the slash that a shell adds to a folder.
std::filesystem::path without_slash(const std::filesystem::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

std::string last_part(const std::string& path) {
  return without_slash(std::filesystem::absolute(path).lexically_normal()).filename().string();
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

std::vector<std::string> labels_of(const std::vector<std::string>& paths,
                                   const std::vector<std::string>& names) {
  if (!names.empty() && names.size() != paths.size())
    throw InputError("--name is given {} times for {} runs or pictures: each needs one, or none",
                     names.size(), paths.size());
  if (!names.empty()) return names;
  std::map<std::string, int> count;
  for (const std::string& path : paths) ++count[last_part(path)];
  std::vector<std::string> labels;
  for (const std::string& path : paths)
    labels.push_back(count[last_part(path)] > 1 ? without_slash(path).string() : last_part(path));
  return labels;
}

}  // namespace octavo
