#pragma once

// The kinds of simulation that scenes can ask for, each by a table of its name.
//
//   register_kind(water_kind());       // a program's own, once, before it reads scenes
//   const Kind& k = kind_named("smoke");

#include <span>
#include <string_view>

#include "octavo/simulation/kind.h"

namespace octavo {

// The first is what a scene without any such table is about.
std::span<const Kind> kinds();

// The fields that simulations of all kinds have beside velocity and pressure, each name once.
std::vector<FieldInfo> fields_of_kinds();

// One of those, velocity or pressure; for other names a plain number.
FieldInfo known_field(std::string_view name);

// Throws InvariantError if the name is taken.
void register_kind(Kind kind);

// Throws InvariantError if there is none.
const Kind& kind_named(std::string_view name);

}  // namespace octavo
