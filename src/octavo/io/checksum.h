#pragma once

#include <filesystem>
#include <string>

namespace octavo {

// CRC-32 and length of a file, as text. Throws InputError if it cannot be read.
std::string file_checksum(const std::filesystem::path& path);

}  // namespace octavo
