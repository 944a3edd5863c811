#include "octavo/scene/reference.h"

#include <typeinfo>

#include "octavo/scene/enum_names.h"
#include "octavo/scene/members.h"
#include "octavo/scene/problems.h"

namespace octavo {
namespace {

// This is one key of a table, and what it links to if it is a table itself.
struct Entry {
  std::string name, type, value, help, link;
};
struct Table {
  std::string name, help;
  std::vector<Entry> entries;
};

std::string number(double v) {
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  return fmt::format("{:.6g}", v);
}

std::string quoted(const std::string& s) { return "\"" + s + "\""; }

// This collects the tables that can be reached from a scene, each once.
class Collector {
 public:
  template <class T>
  std::string table(const std::string& name, const std::string& help, T& value,
                    const std::string& kind = "") {
    const auto [at, is_new] = names_.try_emplace(typeid(T).name() + kind, name);
    if (!is_new) return at->second;
    for (const Table& t : tables_)
      if (t.name == name) at->second = tables_[current_].name + "." + name;
    const std::string unique = at->second;
    const std::size_t outer = std::exchange(current_, tables_.size());
    tables_.push_back({unique, help, {}});
    members(*this, value);
    current_ = outer;
    return unique;
  }

  template <class T>
  void operator()(const char* name, T& member, const char* help, const Rule& rule) {
    Entry e{name, "", "", help, ""};
    describe(e, member);
    if (rule.required) e.value = "needed";
    tables_[current_].entries.push_back(std::move(e));
  }
  void operator()(const char*, SimulationScene<3>&, const char*, const Rule&) {
    for (const Kind& kind : kinds()) {
      SimulationScene<3> one(kind);
      const std::string link = table(kind.name, kind.help, one, kind.name);
      tables_[current_].entries.push_back({kind.name, "table", "", kind.help, link});
    }
  }
  void operator()(const char*, FieldValues&, const char* help, const Rule&) {
    for (const FieldInfo& f : fields_of_kinds()) {
      std::string text = f.help;
      if (text.ends_with('.')) text.pop_back();
      if (f.is_level_set) text = "1 fills with " + f.name + ", 0 empties";
      if (*help != '\0') text += fmt::format("; {}", help);
      if (!f.unit.empty() && !f.is_level_set) text += ", " + f.unit;
      tables_[current_].entries.push_back({f.name, "number", "", text, ""});
    }
  }
  void operator()(const char*, FieldGrids&, const char* help, const Rule&) {
    for (const FieldInfo& f : fields_of_kinds())
      tables_[current_].entries.push_back({f.name + "_grid", "text", quoted(f.name), help, ""});
  }

  std::vector<Table> take() { return std::move(tables_); }

 private:
  static void describe(Entry& e, bool v) {
    e.type = "true or false";
    e.value = v ? "true" : "false";
  }
  static void describe(Entry& e, double v) {
    e.type = "number";
    e.value = number(v);
  }
  static void describe(Entry& e, const std::string& v) {
    e.type = "text";
    e.value = v.empty() ? "" : quoted(v);
  }
  static void describe(Entry& e, const FileName&) { e.type = "file"; }
  static void describe(Entry& e, const std::map<std::string, double>&) {
    e.type = "numbers by name";
  }
  template <class Integer>
  requires std::is_integral_v<Integer>
  static void describe(Entry& e, Integer v) {
    e.type = "whole number";
    e.value = fmt::format("{}", v);
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  static void describe(Entry& e, Enum v) {
    const std::vector<std::string> names = enum_names<Enum>();
    e.type = joined(names);
    e.value = quoted(names[static_cast<std::size_t>(v)]);
  }
  static void describe(Entry& e, const Choice& v) {
    e.type = joined(v.words);
    e.value = quoted(v.words[v.chosen]);
  }
  template <int Count, class T>
  static void describe(Entry& e, const Vec<Count, T>& v) {
    e.type = fmt::format("{} {}numbers", Count, std::is_integral_v<T> ? "whole " : "");
    for (int a = 0; a < Count; ++a)
      e.value += (a == 0 ? "[" : ", ") + number(static_cast<double>(v[a]));
    e.value += "]";
  }
  template <class T>
  void describe(Entry& e, const std::optional<T>& v) {
    T example = v.value_or(T{});
    describe(e, example);
    if (!v) e.value.clear();
  }
  template <class T>
  void describe(Entry& e, const std::vector<T>& v) {
    T example{};
    describe(e, example);
    e.type = "list of " + e.type;
    e.value = "";
    if constexpr (std::is_same_v<T, std::string>) {
      for (const T& s : v) e.value += (e.value.empty() ? "" : ", ") + quoted(s);
      if (!v.empty()) e.value = "[" + e.value + "]";
    }
  }
  template <class T>
  requires requires(Collector& c, T& t) { members(c, t); }
  void describe(Entry& e, T& v) {
    // A shape is the same wherever it is, and whatever it is called there.
    if constexpr (std::is_same_v<T, ShapeScene<3>>)
      e.link = table("shape", "one of several kinds, then turned and moved", v);
    else
      e.link = table(e.name, e.help, v);
    e.type = "table";
  }

  std::vector<Table> tables_;
  std::map<std::string, std::string> names_;  // of types
  std::size_t current_ = 0;
};

std::vector<Table> all_tables() {
  Collector c;
  Scene<3> scene;
  c.table("scene", "the file itself", scene);
  return c.take();
}

std::string type_with_link(const Entry& e) {
  if (e.link.empty()) return e.type;
  std::string anchor;
  for (const char ch : e.link)
    if (ch != '.') anchor += ch;
  return fmt::format("{} [{}](#{})", e.type, e.link, anchor);
}

constexpr const char* introduction =
    R"(# Scene reference

Made from the program by `octavo help scene --markdown`; `octavo help scene TABLE` prints a part of it.

A scene is a [TOML](https://toml.io) file. Lengths are in metres, times in seconds, temperatures in kelvin, angles in
degrees. Coordinates are right-handed with z up, or y, if `up = "y"`. Two numbers for the size of the box make a 2D
scene: then all points and vectors have two numbers, a turn is one, and y is up. Lists of tables are written as
`[[source]]`, once for each. Names of files are relative to the scene file. What has no default and is not needed may
be left out.

`--set key=value` changes a key from the command line: `--set grid.max_level=7 --set source[0].add=true`.
)";

}  // namespace

std::string scene_reference() {
  std::string text = introduction;
  for (const Table& t : all_tables()) {
    text += fmt::format("\n## {}\n\n{}\n\n| key | value | default | |\n|---|---|---|---|\n", t.name,
                        t.help);
    for (const Entry& e : t.entries)
      text += fmt::format("| `{}` | {} | {} | {} |\n", e.name, type_with_link(e),
                          e.value.empty() || e.value == "needed" ? e.value : "`" + e.value + "`",
                          e.help);
  }
  return text;
}

std::string scene_help(const std::string& wanted) {
  std::vector<std::string> names;
  for (const Table& t : all_tables()) {
    names.push_back(t.name);
    if (t.name != wanted) continue;
    std::string text = fmt::format("{}: {}\n", t.name, t.help);
    for (const Entry& e : t.entries) {
      const std::string type = e.link.empty() ? e.type : e.type + " " + e.link;
      const std::string value = e.value.empty()       ? ""
                                : e.value == "needed" ? " (needed)"
                                                      : " (" + e.value + ")";
      text += fmt::format("  {:<18} {}{}\n  {:<18}   {}\n", e.name, type, value, "", e.help);
    }
    if (wanted == "scene") text += "\nWhat is in a table: octavo help scene source, ...\n";
    return text;
  }
  throw InputError("a scene has no table '{}'{}; there are {}", wanted, did_you_mean(wanted, names),
                   joined(names, "and"));
}

}  // namespace octavo
