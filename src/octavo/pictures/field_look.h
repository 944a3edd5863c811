#pragma once

// This is how fields are drawn: what stands above the legend, and which colours suit their values.
//
//   field_title("velocity_x")   // "velocity_x, m/s"
//   field_colors("pressure")    // ColorMap::diverging: it is of both signs

#include <string>

#include "octavo/draw/color_scale.h"
#include "octavo/flow/field_info.h"

namespace octavo {

// What is drawn of a vector as a whole is how large it is.
inline std::string field_title(const FieldInfo& field) {
  return field.name == "velocity" ? "speed, " + field.unit : field.title();
}
inline ColorMap field_colors(const FieldInfo& field) {
  return field.both_signs && field.shape == FieldShape::number ? ColorMap::diverging
                                                               : ColorMap::viridis;
}

// These do the same by the names that fields have in scenes and files, whatever the simulation was;
// components are velocity_x and so on. What no simulation has is a plain number.
std::string field_title(const std::string& field);
ColorMap field_colors(const std::string& field);

}  // namespace octavo
