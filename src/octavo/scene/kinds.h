#pragma once

// Scenes can ask for these kinds of simulation, each by a table of its name.
//
//   register_kind(water_kind());       // a program's own, once, before it reads scenes
//   const Kind& k = kind_named("smoke");

#include <span>
#include <string_view>

#include "octavo/simulation/kind.h"

namespace octavo {

// The first is what a scene without any such table is about.
std::span<const Kind> kinds();

// These are the fields that simulations of all kinds have beside velocity and pressure, each name once.
std::vector<FieldInfo> fields_of_kinds();

// This is one of those, velocity or pressure; other names stand for a plain number.
FieldInfo known_field(std::string_view name);

// This throws InvariantError if the name is taken.
void register_kind(Kind kind);

// This throws InvariantError if there is none.
const Kind& kind_named(std::string_view name);

}  // namespace octavo
