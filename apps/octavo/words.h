#pragma once

// Words of the command line are turned to and from what they mean.

#include <optional>
#include <string>
#include <vector>

#include "octavo/base/vec.h"

namespace octavo {

// It is the command as a shell takes it.
std::string command_text(const std::vector<std::string>& words);

// The result is 0, 1 or 2 for x, y or z.
inline int axis_of(const std::string& name) { return name == "x" ? 0 : name == "y" ? 1 : 2; }

// The text is "1:120" or "120", which is the same; the result is none if there is no text. Throws InputError.
std::optional<Vec<2, int>> frame_range(const std::string& text);

// It is what files or folders are called in pictures: the names that are given for them, one for each, or none; else
// it is the last part of each path, and all of it where two have the same last part. Throws InputError.
std::vector<std::string> labels_of(const std::vector<std::string>& paths,
                                   const std::vector<std::string>& names);

}  // namespace octavo
