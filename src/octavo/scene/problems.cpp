#include "octavo/scene/problems.h"

#include <algorithm>
#include <tuple>

#include "octavo/base/text.h"

namespace octavo {
bool Problems::within(const std::string& path) const {
  return std::any_of(all_.begin(), all_.end(), [&](const Problem& p) {
    if (p.path.compare(0, path.size(), path) != 0) return false;
    return p.path.size() == path.size() || p.path[path.size()] == '.' || p.path[path.size()] == '[';
  });
}

void Problems::report(const std::string& file) const {
  if (all_.empty()) return;
  std::vector<Problem> sorted = all_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Problem& p, const Problem& q) {
    return std::tie(p.place.option, p.place.line, p.place.column) <
           std::tie(q.place.option, q.place.line, q.place.column);
  });
  std::string text;
  for (const Problem& p : sorted) {
    if (!text.empty()) text += '\n';
    if (!p.place.option.empty())
      text += printable(p.place.option);
    else if (p.place.line == 0)
      text += printable(file);
    else
      text += fmt::format("{}:{}:{}", printable(file), p.place.line, p.place.column);
    text += ": " + printable(p.sentence);
  }
  throw PlacedSceneError("{}", text);
}

TextPlace Reading::place(std::string path) const {
  while (!path.empty()) {
    if (const auto at = places.find(path); at != places.end()) return at->second;
    const auto end = path.find_last_of(".[");
    path.resize(end == std::string::npos ? 0 : end);
  }
  return {};
}

}  // namespace octavo
