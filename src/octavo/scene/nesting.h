#pragma once

// These tell how deep a text of TOML goes. Whoever reads or visits tables calls itself for each table in a
// table, and runs out of stack if a file has tens of thousands of them in each other: a.a.a.a ... = 1.
//
//   require_shallow(text, "plume.toml");
//   toml::parse(text);

#include <optional>
#include <string>
#include <string_view>

#include "octavo/scene/problems.h"

namespace octavo {

// So many parts of a key and brackets may be one in another; scenes have fewer than ten.
inline constexpr std::size_t most_nesting = 64;

// This is where a text first goes deeper than that, if it does. The text may be wrong in any other way.
std::optional<TextPlace> too_deep(std::string_view text);

// This throws PlacedSceneError if the text is too deep; `name` is what messages call it.
void require_shallow(std::string_view text, const std::string& name);

}  // namespace octavo
