#pragma once

// How deep a text of TOML goes. Whoever reads or visits tables calls itself for each table in a table, and
// runs out of stack if a file has tens of thousands of them in each other: a.a.a.a ... = 1.
//
//   require_shallow(text, "plume.toml");
//   toml::parse(text);

#include <optional>
#include <string>
#include <string_view>

#include "octavo/scene/problems.h"

namespace octavo {

// Parts of a key and brackets, one in another; scenes have fewer than ten.
inline constexpr std::size_t most_nesting = 64;

// Where a text goes deeper than that first, if it does. The text may be wrong in any other way.
std::optional<Place> too_deep(std::string_view text);

// Throws PlacedSceneError if it does; `name` is what messages call the text.
void require_shallow(std::string_view text, const std::string& name);

}  // namespace octavo
