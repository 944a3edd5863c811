#include "octavo/scene/problems.h"

#include <algorithm>
#include <tuple>

#include "octavo/base/text.h"

namespace octavo {
namespace {

// Letters to insert, drop, replace or swap with the next one, to make one word from another (Damerau
// 1964, of each letter at most once).
std::size_t edits(const std::string& p, const std::string& q) {
  std::vector<std::size_t> before_last, last(q.size() + 1), now(q.size() + 1);
  for (std::size_t j = 0; j <= q.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= p.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= q.size(); ++j) {
      now[j] =
          std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (p[i - 1] == q[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && p[i - 1] == q[j - 2] && p[i - 2] == q[j - 1])
        now[j] = std::min(now[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = now;
  }
  return last[q.size()];
}

}  // namespace

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

Place Reading::place(std::string path) const {
  while (!path.empty()) {
    if (const auto at = places.find(path); at != places.end()) return at->second;
    const auto end = path.find_last_of(".[");
    path.resize(end == std::string::npos ? 0 : end);
  }
  return {};
}

std::string nearest_name(const std::string& word, const std::vector<std::string>& names) {
  std::string best;
  std::size_t fewest = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const std::string& name : names) {
    if (name.size() > word.size() + fewest || word.size() > name.size() + fewest) continue;
    const std::size_t n = edits(word, name);
    if (n < fewest) {
      fewest = n;
      best = name;
    }
  }
  return best;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  const std::string name = nearest_name(word, names);
  return name.empty() ? "" : fmt::format("; did you mean '{}'?", name);
}

}  // namespace octavo
