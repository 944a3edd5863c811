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

// The statistics that OpenVDB writes beside a grid, if they are there.
bool take_statistics(const openvdb::GridBase& grid, VdbGridInfo& info) {
  const auto count = grid.getMetadata<openvdb::Int64Metadata>("file_voxel_count");
  const auto bytes = grid.getMetadata<openvdb::Int64Metadata>("file_mem_bytes");
  const auto lo = grid.getMetadata<openvdb::Vec3IMetadata>("file_bbox_min");
  const auto hi = grid.getMetadata<openvdb::Vec3IMetadata>("file_bbox_max");
  if (!count || !bytes || !lo || !hi) return false;
  info.active_voxels = static_cast<std::uint64_t>(count->value());
  info.memory_bytes = static_cast<std::uint64_t>(bytes->value());
  for (int a = 0; a < 3; ++a) {
    info.lo[a] = lo->value()[a];
    info.hi[a] = hi->value()[a];
  }
  return true;
}

void count_statistics(const openvdb::GridBase& grid, VdbGridInfo& info) {
  const openvdb::CoordBBox box = grid.evalActiveVoxelBoundingBox();
  info.active_voxels = grid.activeVoxelCount();
  info.memory_bytes = grid.memUsage();
  for (int a = 0; a < 3; ++a) {
    info.lo[a] = box.min()[a];
    info.hi[a] = box.max()[a];
  }
}

VdbGridInfo info_of(openvdb::io::File& file, const openvdb::GridBase& grid) {
  VdbGridInfo info{};
  info.name = grid.getName();
  info.type = grid.valueType();
  info.grid_class = openvdb::GridBase::gridClassToString(grid.getGridClass());
  info.half = grid.saveFloatAsHalf();
  for (int a = 0; a < 3; ++a) info.voxel_size[a] = grid.voxelSize()[a];
  info.metadata = texts(grid);
  if (!take_statistics(grid, info)) count_statistics(*file.readGrid(info.name), info);
  return info;
}

}  // namespace

VdbContents vdb_contents(const std::filesystem::path& path) {
  return with_vdb_file(path, [&](openvdb::io::File& file, const GridBytes& bytes) {
    VdbContents contents;
    contents.metadata = texts(*file.getMetadata());
    const openvdb::GridPtrVecPtr grids = file.readAllGridMetadata();
    for (const auto& grid : *grids) contents.grids.push_back(info_of(file, *grid));

    // Both are sorted by the unique names.
    if (bytes.size() == contents.grids.size()) {
      auto grid = contents.grids.begin();
      for (const auto& [name, count] : bytes) (grid++)->bytes = count;
    }
    return contents;
  });
}

}  // namespace octavo
