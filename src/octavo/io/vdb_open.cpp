#include "octavo/io/vdb_open.h"

#include <fstream>

#include "octavo/io/apart.h"
#include "octavo/io/vdb_tag.h"

namespace octavo {
namespace {

std::string read_all(const std::filesystem::path& path) {
  std::string file(std::filesystem::file_size(path), '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(file.data(), static_cast<std::streamsize>(file.size()));
  file.resize(static_cast<std::size_t>(stream.gcount()));
  return file;
}

// OpenVDB goes on with whatever is in memory when a file ends too early; this stream throws.
class Directory : public openvdb::io::Archive {
 public:
  GridBytes read(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    stream.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
    readHeader(stream);
    setFormatVersion(stream);
    setLibraryVersion(stream);
    openvdb::MetaMap().readMeta(stream);
    GridBytes bytes;
    const int count = readGridCount(stream);
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path));
    for (int i = 0; inputHasGridOffsets() && i < count; ++i) {
      openvdb::io::GridDescriptor grid;
      grid.read(stream);
      const std::int64_t begin = grid.getGridPos(), end = grid.getEndPos();
      if (begin < 0 || end < begin || end > size)
        throw InputError("the volume file '{}' is damaged: it ends too early", path.string());
      bytes[grid.uniqueName()] = static_cast<std::uint64_t>(end - begin);
      grid.seekToEnd(stream);
    }
    return bytes;
  }
};

}  // namespace

void start_openvdb() {
  static const bool started = (openvdb::initialize(), true);
  static_cast<void>(started);
}

void check_vdb_file(const std::filesystem::path& path) {
  const std::string bytes = read_all(path);
  const VdbTagCheck tag = check_vdb_tag(bytes);
  if (tag == VdbTagCheck::right) return;
  if (tag == VdbTagCheck::wrong)
    throw InputError("the volume file '{}' is damaged: it is not as it was written", path.string());
  const ApartLimits limits{.seconds = static_cast<unsigned>(20 + (bytes.size() >> 20)),
                           .bytes = (std::size_t{1} << 30) + 200 * bytes.size()};
  const Apart rehearsal = do_apart(limits, [&] {
    openvdb::io::File file(path.string());
    file.open(false);
    file.getGrids();
    return std::string();
  });
  if (rehearsal.died())
    throw InputError("the volume file '{}' is damaged, or too large", path.string());
}

GridBytes grid_bytes(const std::filesystem::path& path) { return Directory().read(path); }

}  // namespace octavo
