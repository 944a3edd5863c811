#pragma once

// VDB files are opened here to be read; this is for sources of this folder only.
//
//   const VdbGrids found = read_vdb(path, [&](openvdb::io::File& file, const GridBytes&) {
//     return VdbGrids{{file.readGrid(name)}, {}};
//   });

#include <openvdb/io/File.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "octavo/base/error.h"
#include "octavo/io/openvdb_grids.h"
#include "octavo/io/openvdb_start.h"

namespace octavo {

// This is how many bytes the grids of a file take, by their unique names; it is empty if the file was written without
// positions.
using GridBytes = std::map<std::string, std::uint64_t>;

struct VdbGrids {
  openvdb::GridPtrVec grids;
  openvdb::MetaMap metadata;
};

// It gives what `read` takes from a file. OpenVDB believes whatever it reads, and crashes on some files that are
// damaged. Files of ours that have changed are found out before it sees them; those of other programs are read apart,
// and only what `read` gives comes over. Throws InputError, with a sentence for whatever goes wrong.
VdbGrids read_vdb(
    const std::filesystem::path& path,
    const std::function<VdbGrids(openvdb::io::File& file, const GridBytes& bytes)>& read);

}  // namespace octavo
