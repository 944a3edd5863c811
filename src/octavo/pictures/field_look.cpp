#include "octavo/pictures/field_look.h"

#include "octavo/scene/kinds.h"

namespace octavo {
namespace {

FieldInfo known_field(const std::string& name) {
  const FieldInfo velocity = velocity_info(), pressure = pressure_info();
  if (name == velocity.name) return velocity;
  if (name == pressure.name) return pressure;
  if (name.starts_with(velocity.name + "_"))
    return {.name = name, .unit = velocity.unit, .both_signs = true};
  for (const Kind& kind : kinds())
    for (const FieldInfo& f : kind.table<3>()->fields())
      if (f.name == name) return f;
  return {.name = name};
}

}  // namespace

std::string field_title(const std::string& field) { return field_title(known_field(field)); }
ColorMap field_colors(const std::string& field) { return field_colors(known_field(field)); }

}  // namespace octavo
