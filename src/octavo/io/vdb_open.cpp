#include "octavo/io/vdb_open.h"

#include <openvdb/io/Stream.h>
#include <tbb/task_arena.h>

#include <fstream>

#include "octavo/io/apart.h"
#include "octavo/io/files.h"
#include "octavo/io/vdb_tag.h"

namespace octavo {
namespace {

using Path = std::filesystem::path;
using Read = std::function<VdbGrids(openvdb::io::File&, const GridBytes&)>;

constexpr double smallest_volume = 3e-15;  // m^3; of voxels that OpenVDB does not take for flat

// OpenVDB goes on with whatever is in memory when a file ends too early; streams like this throw.
void throw_at_end(std::istream& in) {
  in.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
}

class Directory : public openvdb::io::Archive {
 public:
  GridBytes read(const Path& path) {
    std::ifstream stream(path, std::ios::binary);
    throw_at_end(stream);
    readHeader(stream);
    if (!inputHasGridOffsets()) {
      stream.seekg(0);
      openvdb::io::Stream whole(stream, false);
      return {};
    }
    setFormatVersion(stream);
    setLibraryVersion(stream);
    openvdb::MetaMap().readMeta(stream);
    return positions(path, stream);
  }

 private:
  GridBytes positions(const Path& path, std::istream& stream) {
    GridBytes bytes;
    const int count = readGridCount(stream);
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path));
    for (int i = 0; i < count; ++i) {
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

[[noreturn]] void refuse_small_voxels(const Path& path) {
  throw InputError(
      "the volume file '{}' cannot be read: its voxels are too small or too flat for OpenVDB, "
      "which "
      "wants a volume of {} m^3 at least",
      path.string(), smallest_volume);
}

// OpenVDB reads small voxels, but then computes with them only in parts.
void require_large_voxels(const Path& path, const VdbGrids& found) {
  for (const auto& grid : found.grids)
    if (const auto& map = *grid->transform().baseMap();
        map.isLinear() && !(std::abs(map.determinant()) >= smallest_volume))
      refuse_small_voxels(path);
}

VdbGrids read_here(const Path& path, const Read& read) {
  try {
    const GridBytes bytes = Directory().read(path);
    openvdb::io::File file(path.string());
    file.open(false);
    VdbGrids found = read(file, bytes);
    require_large_voxels(path, found);
    return found;
  } catch (const InputError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::ios::failure&) {
    throw InputError("the volume file '{}' is damaged: it ends too early", path.string());
  } catch (const openvdb::ArithmeticError&) {
    refuse_small_voxels(path);
  } catch (const std::exception& error) {
    throw InputError("the volume file '{}' cannot be read: {}", path.string(), error.what());
  }
}

void give(const VdbGrids& grids, std::ostream& out) {
  openvdb::io::Stream stream(out);
  stream.setCompression(openvdb::io::COMPRESS_NONE);
  stream.setGridStatsMetadataEnabled(false);
  stream.write(grids.grids, grids.metadata);
}

VdbGrids take(std::istream& in) {
  throw_at_end(in);
  openvdb::io::Stream stream(in, false);
  return {*stream.getGrids(), *stream.getMetadata()};
}

// A thread alone does all that OpenVDB wants done by many.
VdbGrids read_apart(const Path& path, const Read& read) {
  const std::uintmax_t size = std::filesystem::file_size(path);
  const ApartLimits limits{.seconds = static_cast<unsigned>(20 + (size >> 20)),
                           .bytes = (std::size_t{1} << 30) + 200 * size};
  VdbGrids grids;
  const Apart result = do_apart(
      limits,
      [&](std::ostream& out) {
        tbb::task_arena(1).execute([&] { give(read_here(path, read), out); });
      },
      [&](std::istream& in) { grids = take(in); });
  if (result.died())
    throw InputError("the volume file '{}' is damaged, or too large", path.string());
  if (result.end == Apart::End::threw) throw InputError("{}", result.bytes);
  return grids;
}

// It tells whether a file is of ours, and as it was written.
bool is_ours(const Path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string bytes(vdb_tag_begin + vdb_tag_size, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream || !has_our_mark(bytes)) return false;
  bytes.append(std::istreambuf_iterator<char>(stream), {});
  if (check_vdb_tag(bytes) == VdbTagCheck::wrong)
    throw InputError("the volume file '{}' is damaged: it is not as it was written", path.string());
  return true;
}

}  // namespace

void start_openvdb() {
  static const bool started = (openvdb::initialize(), true);
  static_cast<void>(started);
}

VdbGrids read_vdb(const Path& path, const Read& read) {
  start_openvdb();
  require_file(path, "volume file");
  return is_ours(path) ? read_here(path, read) : read_apart(path, read);
}

}  // namespace octavo
