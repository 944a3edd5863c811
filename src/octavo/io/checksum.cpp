#include "octavo/io/checksum.h"

#include <fmt/format.h>
#include <zlib.h>

#include <fstream>
#include <vector>

#include "octavo/base/error.h"

namespace octavo {

std::string file_checksum(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("'{}' cannot be read", path.string());
  std::vector<char> part(std::size_t{1} << 20);
  unsigned long crc = 0;
  std::size_t bytes = 0;
  while (file) {
    file.read(part.data(), static_cast<std::streamsize>(part.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), count);
    bytes += count;
  }
  return fmt::format("{:08x}-{}", crc, bytes);
}

}  // namespace octavo
