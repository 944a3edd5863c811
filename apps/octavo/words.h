#pragma once

// Words of the command line, to and from what they mean.

#include <optional>
#include <string>
#include <vector>

#include "octavo/base/vec.h"

namespace octavo {

// The command as a shell takes it.
std::string command_text(const std::vector<std::string>& words);

// "1:120" or "120", which is the same; none if there is no text. Throws InputError.
std::optional<Vec<2, int>> frame_range(const std::string& text);

}  // namespace octavo
