#pragma once

// VDB files as they are opened to be read; for sources of this folder only.
//
//   with_vdb_file(path, [&](openvdb::io::File& file, const GridBytes& bytes) { return file.readGrid(name); });

#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>

#include "octavo/base/error.h"
#include "octavo/io/files.h"
#include "octavo/io/openvdb_start.h"

namespace octavo {

// How many bytes the grids of a file take, by their unique names; empty if the file was written without positions.
using GridBytes = std::map<std::string, std::uint64_t>;
GridBytes grid_bytes(const std::filesystem::path& path);

// OpenVDB believes whatever it reads, and crashes on some files that are damaged. Files of ours that have
// changed are found out before it sees them; those of other programs are read apart first. Throws InputError.
void check_vdb_file(const std::filesystem::path& path);

// Opens a file, calls read(file, bytes of its grids) and turns whatever goes wrong into a sentence.
template <class Read>
auto with_vdb_file(const std::filesystem::path& path, Read&& read) {
  start_openvdb();
  require_file(path, "volume file");
  try {
    check_vdb_file(path);
    const GridBytes bytes = grid_bytes(path);
    openvdb::io::File file(path.string());
    file.open(false);
    return read(file, bytes);
  } catch (const InputError&) {
    throw;
  } catch (const std::ios::failure&) {
    throw InputError("the volume file '{}' is damaged: it ends too early", path.string());
  } catch (const std::exception& error) {
    throw InputError("the volume file '{}' cannot be read: {}", path.string(), error.what());
  }
}

}  // namespace octavo
