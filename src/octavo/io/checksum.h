#pragma once

#include <filesystem>
#include <string>

namespace octavo {

// It gives the CRC-32 and the length of a file, as text. Throws InputError if it cannot be read.
std::string file_checksum(const std::filesystem::path& path);

}  // namespace octavo
