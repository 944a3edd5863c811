#pragma once

// The scene reference is made from members.h: it is a page of docs/, and `octavo help scene`.

#include <string>
#include <vector>

namespace octavo {

// This is the whole reference, in Markdown.
std::string scene_reference();

// This is one table, e.g. "source" or "shape", as plain text; "scene" is the file itself. It throws InputError
// if there is no such table.
std::string scene_help(const std::string& table);

}  // namespace octavo
