#pragma once

// Checks of a scene say what is wrong in these words, and name things like this.

#include <algorithm>

#include "octavo/base/text.h"
#include "octavo/base/vec.h"
#include "octavo/scene/problems.h"

namespace octavo {

class Complaints {
 public:
  explicit Complaints(Reading& reading) : reading_(reading), before_(reading.problems) {}

  // This says nothing if the reader has had to complain about the same table: then it is the same mistake.
  template <class... Args>
  void wrong(const std::string& path, fmt::format_string<Args...> sentence, Args&&... args) {
    const auto dot = path.find_last_of('.');
    if (before_.within(dot == std::string::npos ? path : path.substr(0, dot))) return;
    reading_.wrong(path, sentence, std::forward<Args>(args)...);
  }
  bool unread(const std::string& path) const { return before_.within(path); }

  // Names become parts of names of files and fields.
  void require_word(const std::string& path, const std::string& word) {
    if (word.empty() || word.size() > longest_word ||
        !std::all_of(word.begin(), word.end(), is_word_sign))
      wrong(path, "'{}' is no name; letters, digits, _ and - make one", word);
  }

 private:
  Reading& reading_;
  const Problems before_;  // what the reader has found
};

// This is the path of an item of a list.
inline std::string item(const std::string& list, std::size_t i) {
  return fmt::format("{}[{}]", list, i);
}

// The text looks like [1, 2, 3].
template <int Count, class T>
std::string text(const Vec<Count, T>& v) {
  std::string all = "[";
  for (int a = 0; a < Count; ++a) all += fmt::format("{}{}", a == 0 ? "" : ", ", v[a]);
  return all + "]";
}

}  // namespace octavo
