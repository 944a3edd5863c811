#include "octavo/scene/kinds.h"

#include <set>

#include "octavo/base/error.h"
#include "octavo/smoke/smoke_kind.h"
#include "octavo/water/water_kind.h"

namespace octavo {
namespace {

std::vector<Kind>& all_kinds() {
  static std::vector<Kind> all{smoke_kind(), water_kind()};
  return all;
}

const Kind* find(std::string_view name) {
  for (const Kind& k : all_kinds())
    if (k.name == name) return &k;
  return nullptr;
}

}  // namespace

std::span<const Kind> kinds() { return all_kinds(); }

std::vector<FieldInfo> fields_of_kinds() {
  std::vector<FieldInfo> all;
  std::set<std::string> names;
  for (const Kind& kind : all_kinds())
    for (const FieldInfo& f : kind.table<3>()->fields())
      if (names.insert(f.name).second) all.push_back(f);
  return all;
}

FieldInfo known_field(std::string_view name) {
  std::vector<FieldInfo> all = fields_of_kinds();
  all.push_back(velocity_info());
  all.push_back(pressure_info());
  for (const FieldInfo& f : all)
    if (f.name == name) return f;
  return {.name = std::string(name)};
}

void register_kind(Kind kind) {
  if (find(kind.name) != nullptr)
    throw InvariantError(fmt::format("there are two kinds of simulation named '{}'", kind.name));
  all_kinds().push_back(std::move(kind));
}

const Kind& kind_named(std::string_view name) {
  const Kind* kind = find(name);
  if (kind == nullptr)
    throw InvariantError(fmt::format("there is no kind of simulation named '{}'", name));
  return *kind;
}

}  // namespace octavo
