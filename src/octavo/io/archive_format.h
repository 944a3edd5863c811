#pragma once

// This is what ArchiveWriter and ArchiveReader have to agree about.

#include <cstddef>
#include <cstdint>
#include <string>

#include "octavo/base/buffer.h"
#include "octavo/io/hdf5_image.h"

namespace octavo::archive_format {

inline constexpr std::size_t header_bytes = 512;

// It is the text at the beginning of a file, filled up with zeros, for what follows it.
std::string header_of(View<const unsigned char> body);

// They throw InputError if a file is not exactly as it was written: first by what it begins with and how long
// it is, then by all of it.
void check_beginning(const std::string& path, View<const unsigned char> file, std::size_t bytes);
void check_whole(const std::string& path, View<const unsigned char> file);

// It tells whether something may be called so: '/' and '.' mean something to HDF5.
bool is_name(const std::string& name);

// It holds how a kind of number is called by HDF5, in memory and in the file, and by people.
struct NumberType {
  std::int64_t memory, file;
  const char* name;
};
NumberType type_of(float);
NumberType type_of(double);
NumberType type_of(std::int32_t);
NumberType type_of(std::int64_t);
NumberType type_of(std::uint64_t);
NumberType type_of(std::uint8_t);

// The text has so many bytes, and a zero.
Hdf5Handle text_type(std::size_t bytes);

}  // namespace octavo::archive_format
