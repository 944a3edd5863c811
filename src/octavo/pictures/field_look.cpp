#include "octavo/pictures/field_look.h"

#include "octavo/scene/kinds.h"

namespace octavo {
namespace {

// Components of vectors are known by their names.
FieldInfo field_or_component(const std::string& name) {
  const FieldInfo velocity = velocity_info();
  if (name.starts_with(velocity.name + "_"))
    return {.name = name, .unit = velocity.unit, .both_signs = true};
  return known_field(name);
}

}  // namespace

std::string field_title(const std::string& field) { return field_title(field_or_component(field)); }
ColorMap field_colors(const std::string& field) { return field_colors(field_or_component(field)); }

}  // namespace octavo
