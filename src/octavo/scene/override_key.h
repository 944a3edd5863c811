#pragma once

// This changes keys of a scene from the command line.
//
//   override_key(table, "grid.max_level=7");
//   override_key(table, "source[0].density=0.5");

#include <toml++/toml.h>

#include <string>

namespace octavo {

// What is behind the equals sign is TOML, or a text without its quotes. Tables on the way to the key come about if
// they are not there. It throws SceneError if there is no such way. Problems with the value are those of "--set
// TEXT".
void override_key(toml::table& scene, const std::string& text);

}  // namespace octavo
