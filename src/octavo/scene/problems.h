#pragma once

// These say all that is wrong with a scene, each problem with its place in the file.

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "octavo/base/error.h"
#include "octavo/flow/field_info.h"
#include "octavo/scene/nearest_name.h"

namespace octavo {

// A place is in a scene file, counted from 1, or it is what was said on the command line, e.g. "--set
// grid.max_level=7". If it is neither, it is the file as a whole.
struct TextPlace {
  std::uint32_t line = 0, column = 0;
  std::string option{};
};

// The message has one line "FILE:LINE:COLUMN: SENTENCE" for each problem, in the order of the file.
class SceneError : public InputError {
 public:
  using InputError::InputError;
};
// The message begins with the place, as editors and compilers have it.
class PlacedSceneError : public SceneError {
 public:
  using SceneError::SceneError;
};

class Problems {
 public:
  // `path` is that of the member it is about, e.g. "source[1].shape.sphere".
  template <class... Args>
  void add(const std::string& path, TextPlace place, fmt::format_string<Args...> sentence,
           Args&&... args) {
    all_.push_back({path, std::move(place), fmt::format(sentence, std::forward<Args>(args)...)});
  }
  bool any() const { return !all_.empty(); }

  // Is there a problem with the member, or with anything in it?
  bool within(const std::string& path) const;

  // This throws SceneError if there are any.
  void report(const std::string& file) const;

 private:
  struct Problem {
    std::string path;
    TextPlace place;
    std::string sentence;
  };
  std::vector<Problem> all_;
};

// Reading a file leaves this: the problems, and where in it each member is, by its path.
struct Reading {
  Problems problems;
  std::map<std::string, TextPlace> places;
  std::vector<FieldInfo> fields{};  // that the scene's kind of simulation has

  // This is the place of the member, or of what it would be in.
  TextPlace place(std::string path) const;

  template <class... Args>
  void wrong(const std::string& path, fmt::format_string<Args...> sentence, Args&&... args) {
    problems.add(path, place(path), sentence, std::forward<Args>(args)...);
  }
};

}  // namespace octavo
