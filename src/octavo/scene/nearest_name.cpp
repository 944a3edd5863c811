#include "octavo/scene/nearest_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace octavo {
namespace {

// This counts letters to insert, drop, replace or swap with the next one, to make one word from
// another (Damerau 1964, of each letter at most once).
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
