#pragma once

// A visitor sees the keys of a table of a scene whose struct the scene does not know: a kind of simulation shows
// them one by one, and whoever reads, writes or describes scenes visits them.
//
//   void keys(KeyVisitor& v) override {
//     v("weight", weight_, "by which smoke sinks, m/s^2 for a density of 1", any_value);
//   }

#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "octavo/base/vec.h"

namespace octavo {

// This is what a key is for. A key that is for anything but the simulation may be another one when a run is resumed.
enum class Use {
  simulation,     // what is computed
  view_and_look,  // how it looks; also what is computed, if the scene has [view]
  look,           // how it looks
  output          // what is written, and what it is called
};

// A rule says which values a member may have, and what it is for.
struct Rule {
  double least = -std::numeric_limits<double>::max(), most = std::numeric_limits<double>::max();
  bool above_least = false;  // not equal to the least
  bool required = false;
  Use use = Use::simulation;  // of a table, unless it is the simulation: of all that is in it

  constexpr Rule needed() const {
    Rule r = *this;
    r.required = true;
    return r;
  }
  constexpr Rule only_for(Use what) const {
    Rule r = *this;
    r.use = what;
    return r;
  }
};
inline constexpr Rule any_value{}, needed{.required = true};
inline constexpr Rule positive{.least = 0, .above_least = true}, not_negative{.least = 0};
constexpr Rule between(double least, double most) { return {.least = least, .most = most}; }
// The value may also be infinite.
inline constexpr Rule up_to_infinity{.least = 0, .most = std::numeric_limits<double>::infinity()};

// This is a file; its path is relative to the scene file.
struct FileName {
  std::string path;

  bool empty() const { return path.empty(); }
};

// This is one of several words.
struct Choice {
  std::vector<std::string> words;
  std::size_t chosen = 0;
};

class KeyVisitor {
 public:
  using Key = std::variant<bool*, int*, double*, std::optional<double>*, Vec<2>*, Vec<3>*,
                           std::string*, std::vector<std::string>*, FileName*, Choice*>;

  KeyVisitor() = default;
  KeyVisitor(const KeyVisitor&) = delete;
  KeyVisitor& operator=(const KeyVisitor&) = delete;
  virtual ~KeyVisitor() = default;

  // Help ends with the unit, if there is one.
  template <class T>
  void operator()(const char* name, T& value, const char* help, const Rule& rule) {
    visit(name, &value, help, rule);
  }

 private:
  virtual void visit(const char* name, Key key, const char* help, const Rule& rule) = 0;
};

}  // namespace octavo
