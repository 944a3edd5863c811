#pragma once

// A FieldInfo has what there is to know of a field apart from its values. It is an entry of the table from which
// saving, files, probes, pictures, checks and documentation follow.

#include <string>

namespace octavo {

enum class FieldShape { number, vector, tensor };
enum class FieldPlace { leaf, face, node };

// Pictures take a field for one of these: haze stops light, heat glows, liquid fills what is negative of it.
enum class FieldRole { none, haze, heat, liquid };

// The values for the next mesh come about in one of these ways.
//   advected     carried along with the flow
//   transferred  from the leaves, faces and nodes of the mesh before
//   computed     from other fields
//   tracked      by whatever tracks a surface; the flow leaves them alone
enum class NextMesh { advected, transferred, computed, tracked };

// Solids do one of these to the values inside of them.
//   nothing  they stay what they are
//   outside  they become what is outside of open walls
//   heat     the same, but for solids that have a temperature: they become that, and it gets out
enum class InSolids { nothing, outside, heat };

struct FieldInfo {
  std::string name;    // in scenes, files and logs
  std::string unit{};  // none for plain numbers
  std::string help{};  // a sentence
  FieldShape shape = FieldShape::number;
  FieldPlace place = FieldPlace::node;
  NextMesh next_mesh = NextMesh::advected;
  InSolids in_solids = InSolids::outside;
  double outside = 0;       // its value in the air that comes in through open walls
  double decay = 0;         // towards that, 1/s
  bool is_state = true;     // what comes next depends on it, so that checkpoints keep it
  bool is_local = true;     // it is as outside nearly everywhere; volumes are where it is not
  bool has_ledger = false;  // its integral is accounted for in each step
  bool both_signs = false;  // for colours: zero is in the middle
  // It is a signed distance, negative inside; scenes say 1 for what is inside of it, and 0 for what is not.
  bool is_level_set = false;
  FieldRole role = FieldRole::none;
  std::string houdini{}, blender{};  // its names in files for these, where they are other ones

  std::string title() const { return unit.empty() ? name : name + ", " + unit; }
};

// Every flow has a velocity and a pressure, beside what it carries.
inline FieldInfo velocity_info() {
  return {.name = "velocity",
          .unit = "m/s",
          .help = "How fast the fluid moves, along each axis.",
          .shape = FieldShape::vector,
          .place = FieldPlace::face,
          .next_mesh = NextMesh::advected,
          .in_solids = InSolids::nothing,
          .is_local = false,
          .both_signs = true,
          .houdini = "vel"};
}
inline FieldInfo pressure_info() {
  return {.name = "pressure",
          .unit = "Pa",
          .help = "The pressure that keeps the velocity free of divergence.",
          .place = FieldPlace::leaf,
          .next_mesh = NextMesh::transferred,
          .in_solids = InSolids::nothing,
          .is_local = false,
          .both_signs = true};
}

}  // namespace octavo
