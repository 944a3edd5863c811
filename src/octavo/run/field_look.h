#pragma once

// How fields are drawn, by their names in scenes and files: what stands above the legend, and which colours suit
// their values.
//
//   field_title("velocity_x")   // "velocity_x, m/s"
//   field_colors("pressure")    // ColorMap::diverging: it is of both signs

#include <string>

#include "octavo/render/color_scale.h"

namespace octavo {

// Name and unit.
inline std::string field_title(const std::string& field) {
  if (field == "temperature") return "temperature, K";
  if (field == "pressure") return "pressure, Pa";
  if (field == "velocity") return "speed, m/s";
  return field.starts_with("velocity_") ? field + ", m/s" : field;
}

// What is drawn of the velocity as a whole is how fast it is.
inline ColorMap field_colors(const std::string& field) {
  return field.starts_with("velocity_") || field == "pressure" ? ColorMap::diverging
                                                               : ColorMap::viridis;
}

}  // namespace octavo
