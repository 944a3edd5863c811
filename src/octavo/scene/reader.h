#pragma once

// A reader goes from the tables of a scene file to the structs of a scene; it is a visitor of
// members.h. What is wrong is noted, with its place, and reading goes on.

#include <toml++/toml.h>

#include "octavo/scene/enum_names.h"
#include "octavo/scene/members.h"
#include "octavo/scene/problems.h"

namespace octavo {

// A node is in the file, in an option of the command line, or in another file, whose nodes have this mark before
// the name of their source.
inline const std::string look_mark = "--scene ";
TextPlace place_of(const toml::node& node);
TextPlace place_of(const toml::key& key);

class Reader {
 public:
  Reader(Reading& reading, const toml::table& table, std::string path)
      : reading_(reading), table_(table), path_(std::move(path)) {}

  template <class T>
  void operator()(const char* name, T& member, const char* /*help*/, const Rule& rule) {
    read_key(name, member, rule);
  }

  // There is a key for each field of the simulation.
  void operator()(const char*, FieldValues& values, const char* /*help*/, const Rule& rule) {
    for (const FieldInfo& f : reading_.fields)
      if (std::optional<double> value; read_key(f.name, value, rule))
        values.by_name[f.name] = value.value_or(0);
  }
  void operator()(const char*, FieldGrids& grids, const char* /*help*/, const Rule& rule) {
    for (const FieldInfo& f : reading_.fields)
      read_key(f.name + "_grid", grids.by_name[f.name] = f.name, rule);
  }
  // These are the fields that the simulation has, beside the further scalars.
  void fields(std::vector<FieldInfo> fields) { reading_.fields = std::move(fields); }

  // After all members this complains about keys that are none of them.
  void finish() const;

 private:
  // The result is false if the key is not there.
  template <class T>
  bool read_key(const std::string& name, T& member, const Rule& rule) {
    names_.push_back(name);
    if (const toml::node* node = table_.get(name)) {
      read(*node, member, rule, path_of(name));
      return true;
    }
    if (rule.required)
      reading_.problems.add(path_of(name), place_of(table_), "{} needs a value for '{}'",
                            described(), name);
    return false;
  }
  std::string path_of(const std::string& name) const {
    return path_.empty() ? name : path_ + "." + name;
  }
  std::string described() const { return path_.empty() ? "the scene" : "'" + path_ + "'"; }

  // The sentence is always about the path, which is its first argument.
  template <class... Args>
  void wrong(const std::string& path, fmt::format_string<const std::string&, Args...> sentence,
             Args&&... args) {
    reading_.wrong(path, sentence, path, std::forward<Args>(args)...);
  }
  void note(const toml::node& node, const std::string& path) {
    reading_.places[path] = place_of(node);
  }

  void read(const toml::node& node, bool& value, const Rule&, const std::string& path);
  void read(const toml::node& node, std::string& value, const Rule&, const std::string& path);
  void read(const toml::node& node, FileName& value, const Rule& rule, const std::string& path) {
    read(node, value.path, rule, path);
  }
  void read(const toml::node& node, double& value, const Rule& rule, const std::string& path);
  void read_integer(const toml::node& node, std::int64_t& value, const Rule& rule,
                    const std::string& path);
  std::size_t read_choice(const toml::node& node, const std::vector<std::string>& names,
                          std::size_t otherwise, const std::string& path);
  bool allows(double value, const Rule& rule, const std::string& path);

  template <class Integer>
  requires std::is_integral_v<Integer>
  void read(const toml::node& node, Integer& value, const Rule& rule, const std::string& path) {
    auto number = static_cast<std::int64_t>(value);
    Rule within = rule;
    within.least = std::max(rule.least, static_cast<double>(std::numeric_limits<Integer>::min()));
    within.most = std::min(rule.most, static_cast<double>(std::numeric_limits<Integer>::max()));
    read_integer(node, number, within, path);
    value = static_cast<Integer>(number);
  }

  void read(const toml::node& node, Choice& value, const Rule&, const std::string& path) {
    value.chosen = read_choice(node, value.words, value.chosen, path);
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void read(const toml::node& node, Enum& value, const Rule&, const std::string& path) {
    value = static_cast<Enum>(
        read_choice(node, enum_names<Enum>(), static_cast<std::size_t>(value), path));
  }

  template <int Count, class T>
  void read(const toml::node& node, Vec<Count, T>& value, const Rule& rule,
            const std::string& path) {
    note(node, path);
    const toml::array* array = node.as_array();
    if (array == nullptr || array->size() != Count)
      return wrong(path, "'{}' must be {} numbers, like [{}], not {}", Count,
                   Count == 2 ? "1, 2" : "1, 2, 3", what(node));
    for (int a = 0; a < Count; ++a)
      read(*array->get(static_cast<std::size_t>(a)), value[a], rule,
           fmt::format("{}[{}]", path, a));
  }

  template <class T>
  void read(const toml::node& node, std::optional<T>& value, const Rule& rule,
            const std::string& path) {
    value.emplace();
    read(node, *value, rule, path);
  }

  // This reads a list; one of tables is [[name]] in the file.
  template <class T>
  void read(const toml::node& node, std::vector<T>& value, const Rule& rule,
            const std::string& path) {
    note(node, path);
    const toml::array* array = node.as_array();
    if (array == nullptr && node.is_table())
      return wrong(path, "'{}' must be a list: write [[{}]] instead of [{}]", path, path);
    if (array == nullptr) return wrong(path, "'{}' must be a list, not {}", what(node));
    value.assign(array->size(), T{});
    for (std::size_t i = 0; i < array->size(); ++i)
      read(*array->get(i), value[i], rule, fmt::format("{}[{}]", path, i));
  }

  void read(const toml::node& node, std::map<std::string, double>& value, const Rule& rule,
            const std::string& path);

  // This reads any struct that has members.
  template <class T>
  requires requires(Reader& r, T& t) { members(r, t); }
  void read(const toml::node& node, T& value, const Rule&, const std::string& path) {
    note(node, path);
    const toml::table* table = node.as_table();
    if (table == nullptr) return wrong(path, "'{}' must be a table, not {}", what(node));
    Reader inner(reading_, *table, path);
    members(inner, value);
    inner.finish();
  }

  static std::optional<double> number_in(const toml::node& node);
  static std::string what(const toml::node& node);

  Reading& reading_;
  const toml::table& table_;
  std::string path_;
  std::vector<std::string> names_;
};

}  // namespace octavo
