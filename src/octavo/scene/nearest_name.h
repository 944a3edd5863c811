#pragma once

// These guess what was probably meant by a misspelt name.

#include <string>
#include <vector>

namespace octavo {

// This is the name that is most like a word, if one is like enough to be what was meant; else it is empty.
std::string nearest_name(const std::string& word, const std::vector<std::string>& names);

// The text is "; did you mean 'NAME'?", or nothing.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names);

}  // namespace octavo
