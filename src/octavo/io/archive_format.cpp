#include "octavo/io/archive_format.h"

#include <hdf5.h>
#include <zlib.h>

#include <algorithm>
#include <string_view>

#include "octavo/base/error.h"

namespace octavo::archive_format {
namespace {

constexpr std::string_view any_version = "Octavo archive ", this_version = "Octavo archive 1\n";

std::string_view header_in(View<const unsigned char> file) {
  const void* begin = file.data();
  return {static_cast<const char*>(begin), std::min(file.size(), header_bytes)};
}

std::string length_line(std::size_t bytes) { return fmt::format("\nbytes {}\n", bytes); }

}  // namespace

std::string header_of(View<const unsigned char> body) {
  std::string header(this_version);
  header += fmt::format("crc32 {:08x}", crc32_z(0, body.data(), body.size()));
  header += length_line(body.size());
  header.resize(header_bytes, '\0');
  return header;
}

void check_beginning(const std::string& path, View<const unsigned char> file, std::size_t bytes) {
  const std::string_view header = header_in(file);
  if (!header.starts_with(any_version)) throw InputError("'{}' is not an Octavo archive", path);
  if (!header.starts_with(this_version))
    throw InputError("the archive '{}' is of a version that this program does not know", path);
  if (bytes < header_bytes ||
      header.find(length_line(bytes - header_bytes)) == std::string_view::npos)
    throw InputError("the archive '{}' is damaged: it is not as long as when it was written", path);
}

// There is one right header for what follows it; zeros at its end are part of it.
void check_whole(const std::string& path, View<const unsigned char> file) {
  check_beginning(path, file, file.size());
  if (header_in(file) != header_of({file.data() + header_bytes, file.size() - header_bytes}))
    throw InputError("the archive '{}' is damaged: its checksum is wrong", path);
}

bool is_name(const std::string& name) {
  return !name.empty() && name != "." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

NumberType type_of(float) { return {H5T_NATIVE_FLOAT, H5T_IEEE_F32LE, "float"}; }
NumberType type_of(double) { return {H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, "double"}; }
NumberType type_of(std::int32_t) { return {H5T_NATIVE_INT32, H5T_STD_I32LE, "int32"}; }
NumberType type_of(std::int64_t) { return {H5T_NATIVE_INT64, H5T_STD_I64LE, "int64"}; }
NumberType type_of(std::uint64_t) { return {H5T_NATIVE_UINT64, H5T_STD_U64LE, "uint64"}; }
NumberType type_of(std::uint8_t) { return {H5T_NATIVE_UINT8, H5T_STD_U8LE, "uint8"}; }

Hdf5Handle text_type(std::size_t bytes) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  const bool good = type && H5Tset_size(type.id(), bytes + 1) >= 0 &&
                    H5Tset_strpad(type.id(), H5T_STR_NULLTERM) >= 0 &&
                    H5Tset_cset(type.id(), H5T_CSET_UTF8) >= 0;
  return good ? std::move(type) : Hdf5Handle();
}

}  // namespace octavo::archive_format
