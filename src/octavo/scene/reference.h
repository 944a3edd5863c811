#pragma once

// The scene reference, made from members.h: a page of docs/, and `octavo help scene`.

#include <string>
#include <vector>

namespace octavo {

// The whole reference, in Markdown.
std::string scene_reference();

// One table, e.g. "source" or "shape", as plain text; "scene" is the file itself. Throws InputError if there is
// no such table.
std::string scene_help(const std::string& table);

}  // namespace octavo
