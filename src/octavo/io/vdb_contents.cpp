#include <array>

#include "octavo/io/vdb.h"
#include "octavo/io/vdb_open.h"

namespace octavo {
namespace {

std::map<std::string, std::string> texts(const openvdb::MetaMap& metadata) {
  std::map<std::string, std::string> text;
  for (auto entry = metadata.beginMeta(); entry != metadata.endMeta(); ++entry)
    text[entry->first] = entry->second->str();
  return text;
}

// This is what OpenVDB writes beside a grid; it is told from what a file says of it otherwise.
constexpr std::array<const char*, 4> statistics{"file_voxel_count", "file_mem_bytes",
                                                "file_bbox_min", "file_bbox_max"};
constexpr const char* size_in_file = "octavo_size_in_file";

bool has_statistics(const openvdb::GridBase& grid) {
  return grid.getMetadata<openvdb::Int64Metadata>("file_voxel_count") &&
         grid.getMetadata<openvdb::Int64Metadata>("file_mem_bytes") &&
         grid.getMetadata<openvdb::Vec3IMetadata>("file_bbox_min") &&
         grid.getMetadata<openvdb::Vec3IMetadata>("file_bbox_max");
}

// It is a grid of a file without its voxels, but with statistics.
openvdb::GridBase::Ptr summary(openvdb::io::File& file, openvdb::GridBase::Ptr grid) {
  if (!has_statistics(*grid)) {
    grid = file.readGrid(grid->getName());
    grid->addStatsMetadata();
  }
  return grid->copyGridWithNewTree();
}

VdbGrids summaries(openvdb::io::File& file, const GridBytes& bytes) {
  VdbGrids found{{}, *file.getMetadata()};
  const openvdb::GridPtrVecPtr grids = file.readAllGridMetadata();
  for (const auto& grid : *grids) found.grids.push_back(summary(file, grid));

  // Both are sorted by the unique names.
  if (bytes.size() != found.grids.size()) return found;
  auto grid = found.grids.begin();
  for (const auto& [name, count] : bytes)
    (*grid++)->insertMeta(size_in_file, openvdb::Int64Metadata(static_cast<std::int64_t>(count)));
  return found;
}

std::uint64_t number(const openvdb::GridBase& grid, const char* name) {
  const auto value = grid.getMetadata<openvdb::Int64Metadata>(name);
  return value ? static_cast<std::uint64_t>(value->value()) : 0;
}

VdbGridInfo info_of(const openvdb::GridBase& grid) {
  VdbGridInfo info{};
  info.name = grid.getName();
  info.type = grid.valueType();
  info.grid_class = openvdb::GridBase::gridClassToString(grid.getGridClass());
  info.half = grid.saveFloatAsHalf();
  info.active_voxels = number(grid, "file_voxel_count");
  info.memory_bytes = number(grid, "file_mem_bytes");
  info.bytes = number(grid, size_in_file);
  const openvdb::Vec3i lo = grid.metaValue<openvdb::Vec3i>("file_bbox_min");
  const openvdb::Vec3i hi = grid.metaValue<openvdb::Vec3i>("file_bbox_max");
  const openvdb::Vec3d voxel = grid.voxelSize();
  for (int a = 0; a < 3; ++a) {
    info.voxel_size[a] = voxel[a];
    info.lo[a] = lo[a];
    info.hi[a] = hi[a];
  }
  info.metadata = texts(grid);
  for (const char* name : statistics) info.metadata.erase(name);
  info.metadata.erase(size_in_file);
  return info;
}

}  // namespace

VdbContents vdb_contents(const std::filesystem::path& path) {
  const VdbGrids found = read_vdb(path, summaries);
  VdbContents contents;
  contents.metadata = texts(found.metadata);
  for (const auto& grid : found.grids) contents.grids.push_back(info_of(*grid));
  return contents;
}

}  // namespace octavo
