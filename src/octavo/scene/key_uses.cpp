#include "octavo/scene/key_uses.h"

#include <set>
#include <typeindex>

#include "octavo/scene/members.h"

namespace octavo {
namespace {

// This visits all members that a scene can have, those of each type once on the way to it: shapes are made of shapes.
class UseFinder {
 public:
  explicit UseFinder(std::map<std::string, Use>& uses) : uses_(uses) {}

  template <class T>
  void operator()(const char* name, T& member, const char* /*help*/, const Rule& rule) {
    const std::string key = path_.empty() ? name : path_ + "." + name;
    if (rule.use != Use::simulation)
      uses_[key] = rule.use;
    else
      look_into(member, key);
  }
  void operator()(const char*, SimulationScene<3>&, const char*, const Rule&) {
    for (const Kind& kind : kinds()) {
      SimulationScene<3> one(kind);
      look_into(one, kind.name);
    }
  }

 private:
  template <class T>
  void look_into(std::optional<T>&, const std::string& key) {
    T example{};
    look_into(example, key);
  }
  template <class T>
  void look_into(std::vector<T>&, const std::string& key) {
    T example{};
    look_into(example, key);
  }
  template <class T>
  void look_into(T& value, const std::string& key) {
    if constexpr (requires(UseFinder & v) { members(v, value); }) {
      if (!within_.insert(typeid(T)).second) return;
      const std::string outer = std::exchange(path_, key);
      members(*this, value);
      path_ = outer;
      within_.erase(typeid(T));
    }
  }

  std::map<std::string, Use>& uses_;
  std::string path_;
  std::set<std::type_index> within_;
};

std::string without_brackets(const std::string& key) {
  std::string plain;
  bool inside = false;
  for (const char c : key) {
    if (c == '[') inside = true;
    if (!inside) plain += c;
    if (c == ']') inside = false;
  }
  return plain;
}

}  // namespace

KeyUses::KeyUses() {
  UseFinder finder(uses_);
  Scene<3> scene;
  members(finder, scene);
}

Use KeyUses::of(const std::string& key) const {
  std::string part = without_brackets(key);
  for (;;) {
    if (const auto found = uses_.find(part); found != uses_.end()) return found->second;
    const auto dot = part.rfind('.');
    if (dot == std::string::npos) return Use::simulation;
    part.resize(dot);
  }
}

}  // namespace octavo
