#pragma once

// A writer goes from the structs of a scene to the tables of a file; it is a visitor of members.h.
// Everything is written, also what has its default.

#include <toml++/toml.h>

#include "octavo/scene/enum_names.h"
#include "octavo/scene/members.h"

namespace octavo {

class Writer {
 public:
  template <class T>
  void operator()(const char* name, T& member, const char* /*help*/, const Rule&) {
    put(name, member);
  }
  void operator()(const char*, FieldValues& values, const char* /*help*/, const Rule&) {
    for (const auto& [name, value] : values.by_name) put(name.c_str(), value);
  }
  void operator()(const char*, FieldGrids& grids, const char* /*help*/, const Rule&) {
    for (const auto& [name, grid] : grids.by_name) put((name + "_grid").c_str(), grid);
  }
  toml::table take() { return std::move(table_); }

 private:
  template <class T>
  void put(const char* name, const std::optional<T>& value) {
    if (value) put(name, *value);
  }
  template <class T>
  void put(const char* name, const std::vector<T>& value) {
    toml::array array;
    for (const T& v : value) array.push_back(node(v));
    table_.insert_or_assign(name, std::move(array));
  }
  template <class T>
  void put(const char* name, const T& value) {
    table_.insert_or_assign(name, node(value));
  }

  static bool node(bool v) { return v; }
  static double node(double v) { return v; }
  static std::string node(const std::string& v) { return v; }
  static std::string node(const FileName& v) { return v.path; }
  static std::string node(const Choice& v) { return v.words[v.chosen]; }
  template <class Integer>
  requires std::is_integral_v<Integer>
  static std::int64_t node(Integer v) { return static_cast<std::int64_t>(v); }
  template <class Enum>
  requires std::is_enum_v<Enum>
  static std::string node(Enum v) { return enum_names<Enum>()[static_cast<std::size_t>(v)]; }
  template <int Count, class T>
  static toml::array node(const Vec<Count, T>& v) {
    toml::array array;
    for (int a = 0; a < Count; ++a) array.push_back(node(v[a]));
    return array;
  }
  static toml::table node(const std::map<std::string, double>& v) {
    toml::table table;
    for (const auto& [key, value] : v) table.insert(key, value);
    return table;
  }
  template <class T>
  requires requires(Writer& w, T& t) { members(w, t); }
  static toml::table node(const T& v) {
    Writer inner;
    members(inner, const_cast<T&>(v));  // which only reads it
    return inner.take();
  }

  toml::table table_;
};

}  // namespace octavo
