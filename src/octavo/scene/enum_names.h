#pragma once

// The values of an enumeration have these names in scene files.

#include <string>
#include <vector>

#include "octavo/scene/scene.h"

namespace octavo {

template <class Enum>
std::vector<std::string> enum_names();

namespace detail {
template <std::size_t Count>
std::vector<std::string> strings(const std::array<std::string_view, Count>& names) {
  return {names.begin(), names.end()};
}
}  // namespace detail

template <>
inline std::vector<std::string> enum_names<AdvectionScheme>() {
  return detail::strings(advection_scheme_names);
}
template <>
inline std::vector<std::string> enum_names<TimeStepping>() {
  return detail::strings(time_stepping_names);
}
template <>
inline std::vector<std::string> enum_names<GradientScheme>() {
  return detail::strings(gradient_scheme_names);
}
template <>
inline std::vector<std::string> enum_names<GradientDistance>() {
  return detail::strings(gradient_distance_names);
}
template <>
inline std::vector<std::string> enum_names<SurfaceRows>() {
  return detail::strings(surface_rows_names);
}
template <>
inline std::vector<std::string> enum_names<Preconditioner>() {
  return detail::strings(preconditioner_names);
}
template <>
inline std::vector<std::string> enum_names<ObstacleTreatment>() {
  return detail::strings(obstacle_treatment_names);
}
template <>
inline std::vector<std::string> enum_names<RefineBy>() {
  return detail::strings(refine_by_names);
}
template <>
inline std::vector<std::string> enum_names<AxisName>() {
  return detail::strings(axis_names);
}
template <>
inline std::vector<std::string> enum_names<GridNames>() {
  return detail::strings(grid_names_names);
}
template <>
inline std::vector<std::string> enum_names<VolumeRegion>() {
  return detail::strings(volume_region_names);
}
template <>
inline std::vector<std::string> enum_names<WallKind>() {
  return detail::strings(wall_kind_names);
}
template <>
inline std::vector<std::string> enum_names<Material>() {
  return detail::strings(material_names);
}

// The text looks like "a, b or c".
inline std::string joined(const std::vector<std::string>& names, const std::string& word = "or") {
  std::string all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) all += i + 1 == names.size() ? " " + word + " " : ", ";
    all += names[i];
  }
  return all;
}

}  // namespace octavo
