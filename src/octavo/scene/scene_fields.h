#pragma once

// These are the fields of a scene's simulation: those of its kind, velocity and pressure, the further scalars.

#include "octavo/scene/scene.h"

namespace octavo {

// Beginnings have values for these, beside velocity.
template <int Dim>
std::vector<FieldInfo> carried_fields(const Scene<Dim>& scene) {
  std::vector<FieldInfo> all = scene.simulation.own->fields();
  for (const ScalarParameters& s : scene.scalar) all.push_back(field_info(s));
  return all;
}

// These are on nodes; sources can set them and rules of refinement look at them.
template <int Dim>
std::vector<FieldInfo> nodal_fields(const Scene<Dim>& scene) {
  std::vector<FieldInfo> all = carried_fields(scene);
  std::erase_if(all, [](const FieldInfo& f) { return f.place != FieldPlace::node; });
  return all;
}

// These are all fields of the scene.
template <int Dim>
std::vector<FieldInfo> fields_of(const Scene<Dim>& scene) {
  std::vector<FieldInfo> all = scene.simulation.own->fields();
  all.push_back(velocity_info());
  all.push_back(pressure_info());
  for (const ScalarParameters& s : scene.scalar) all.push_back(field_info(s));
  return all;
}

// These are written if a scene does not say what: the fields of the kind and velocity, and pressure with them.
template <int Dim>
std::vector<std::string> usual_fields(const Scene<Dim>& scene, bool with_pressure) {
  std::vector<std::string> names;
  for (const FieldInfo& f : scene.simulation.own->fields()) names.push_back(f.name);
  names.emplace_back("velocity");
  if (with_pressure) names.emplace_back("pressure");
  return names;
}

// There is none if no field has that look.
inline const FieldInfo* field_that_is(const std::vector<FieldInfo>& fields, FieldRole role) {
  for (const FieldInfo& f : fields)
    if (f.role == role) return &f;
  return nullptr;
}

inline std::vector<std::string> names_of(const std::vector<FieldInfo>& fields) {
  std::vector<std::string> names;
  for (const FieldInfo& f : fields) names.push_back(f.name);
  return names;
}

// Rules that name no field look at this one: at what is seen, else at the first one. It is empty if there is none.
template <int Dim>
std::string main_field(const Scene<Dim>& scene) {
  const std::vector<FieldInfo> fields = nodal_fields(scene);
  if (const FieldInfo* haze = field_that_is(fields, FieldRole::haze)) return haze->name;
  return fields.empty() ? "" : fields.front().name;
}

// A field is called like this in volumes.
inline std::string name_in_volume(GridNames names, const FieldInfo& field) {
  const std::string& other = names == GridNames::houdini ? field.houdini : field.blender;
  return other.empty() ? field.name : other;
}

// These are the names, in volumes, of the fields that are seen in pictures; they are empty if the simulation has none.
struct SeenFields {
  std::string haze, heat, liquid;

  template <int Dim>
  explicit SeenFields(const Scene<Dim>& scene) {
    const std::vector<FieldInfo> fields = fields_of(scene);
    auto name = [&](FieldRole role) {
      const FieldInfo* f = field_that_is(fields, role);
      return f == nullptr ? std::string() : name_in_volume(scene.output.grid_names, *f);
    };
    haze = name(FieldRole::haze);
    heat = name(FieldRole::heat);
    liquid = name(FieldRole::liquid);
  }
};

// What one wants to see of a simulation is drawn under the name "smoke" if it is haze, and "surface" if it is a
// liquid; its pictures are those that have no name of their own in image/. It is empty if there is nothing of both.
template <int Dim>
std::string main_picture(const Scene<Dim>& scene) {
  const SeenFields seen(scene);
  return !seen.liquid.empty() ? "surface" : !seen.haze.empty() ? "smoke" : "";
}
inline bool is_main_picture(const std::string& what) {
  return what == "smoke" || what == "surface";
}

}  // namespace octavo
