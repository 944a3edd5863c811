#pragma once

// These read and write PNG files.

#include <filesystem>

#include "octavo/image/image.h"

namespace octavo {

// Throws FileError if the file cannot be written.
void write_png(const std::filesystem::path& path, const Image& image);
void write_png(const std::filesystem::path& path, const Image16& image);

// It limits a picture that is read: a header that is wrong must not take all memory.
inline constexpr double most_pixels = 16384.0 * 16384.0;

// Any PNG file is converted to 8 bits; it has 4 channels if it has an opacity, else 3. Throws
// InputError.
Image read_png(const std::filesystem::path& path);
// This reads the same on black, with 3 channels.
Image read_png_on_black(const std::filesystem::path& path);

}  // namespace octavo
