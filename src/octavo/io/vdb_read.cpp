#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/GridTransformer.h>
#include <openvdb/tools/Interpolation.h>

#include <fstream>
#include <optional>

#include "octavo/base/error.h"
#include "octavo/io/apart.h"
#include "octavo/io/files.h"
#include "octavo/io/openvdb_start.h"
#include "octavo/io/vdb.h"
#include "octavo/io/vdb_float_grid.h"
#include "octavo/io/vdb_tag.h"

namespace octavo {

void start_openvdb() {
  static const bool started = (openvdb::initialize(), true);
  static_cast<void>(started);
}

using FloatGrid = openvdb::FloatGrid;
using DoubleGrid = openvdb::DoubleGrid;
using Vec3SGrid = openvdb::Vec3SGrid;
using Vec3DGrid = openvdb::Vec3DGrid;

struct VolumeGrid::Grid {
  std::string name;
  std::variant<FloatGrid::ConstPtr, DoubleGrid::ConstPtr, Vec3SGrid::ConstPtr, Vec3DGrid::ConstPtr>
      data;
};

namespace {

std::string read_all(const std::filesystem::path& path) {
  std::string file(std::filesystem::file_size(path), '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(file.data(), static_cast<std::streamsize>(file.size()));
  file.resize(static_cast<std::size_t>(stream.gcount()));
  return file;
}

// OpenVDB believes whatever it reads, and crashes on some files that are damaged. Files of ours that have
// changed are found out before it sees them; those of other programs are read apart first.
void check_contents(const std::filesystem::path& path) {
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

// How many bytes the grids of a file take, by their unique names; empty if the file was written without
// positions. OpenVDB goes on with whatever is in memory when a file ends too early; this stream throws.
class Directory : public openvdb::io::Archive {
 public:
  std::map<std::string, std::uint64_t> read(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    stream.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
    readHeader(stream);
    setFormatVersion(stream);
    setLibraryVersion(stream);
    openvdb::MetaMap().readMeta(stream);
    std::map<std::string, std::uint64_t> bytes;
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

// Opens a file, calls read(file, bytes of its grids) and turns whatever goes wrong into a sentence.
template <class Read>
auto with_file(const std::filesystem::path& path, Read&& read) {
  start_openvdb();
  require_file(path, "volume file");
  try {
    check_contents(path);
    const auto bytes = Directory().read(path);
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

std::string names_in(const openvdb::io::File& file) {
  std::string names;
  for (auto name = file.beginName(); name != file.endName(); ++name)
    names += (names.empty() ? "'" : ", '") + *name + "'";
  return names.empty() ? "no grids" : names;
}

// Where a point is among voxels. OpenVDB counts them in 32 bits: what is far outside must not wrap around.
template <class Grid>
std::optional<openvdb::Vec3d> index_of(const Grid& grid, const Vec3d& point) {
  const openvdb::Vec3d at = grid.worldToIndex(openvdb::Vec3d(point[0], point[1], point[2]));
  for (int a = 0; a < 3; ++a)
    if (!(std::abs(at[a]) < 1 << 30)) return {};
  return at;
}

template <class Grid>
constexpr bool has_vectors = openvdb::VecTraits<typename Grid::ValueType>::IsVec;

template <class Grid>
typename Grid::ValueType value_at(const Grid& grid, const Vec3d& point) {
  const auto at = index_of(grid, point);
  if (!at) return grid.background();
  const auto values = grid.getConstUnsafeAccessor();
  if constexpr (has_vectors<Grid>)
    if (grid.getGridClass() == openvdb::GRID_STAGGERED)
      return openvdb::tools::StaggeredBoxSampler::sample(values, *at);
  return openvdb::tools::BoxSampler::sample(values, *at);
}

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

// Voxels that are cubes along the axes, none of them mirrored.
bool has_cubes(const FloatGrid& grid) {
  if (!grid.transform().isLinear()) return false;
  const openvdb::Mat4d m = grid.transform().baseMap()->getAffineMap()->getMat4();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (std::abs(m[i][j] - (i == j ? m[0][0] : 0)) > 1e-9 * std::abs(m[0][0])) return false;
  return m[0][0] > 0;
}

FloatGrid::ConstPtr with_cubes(const FloatGrid& grid) {
  if (has_cubes(grid)) return grid.deepCopy();
  const openvdb::Vec3d size = grid.voxelSize();
  const FloatGrid::Ptr cubes = FloatGrid::create(grid.background());
  cubes->setTransform(
      openvdb::math::Transform::createLinearTransform(std::min({size[0], size[1], size[2]})));
  openvdb::tools::resampleToMatch<openvdb::tools::BoxSampler>(grid, *cubes);
  return cubes;
}

}  // namespace

bool VolumeGrid::is_vector() const {
  return std::visit([](const auto& grid) { return has_vectors<std::decay_t<decltype(*grid)>>; },
                    grid_->data);
}

double VolumeGrid::number_at(const Vec3d& point) const {
  return std::visit(
      [&](const auto& grid) -> double {
        if constexpr (has_vectors<std::decay_t<decltype(*grid)>>)
          throw InputError("the grid '{}' has vectors, not numbers", grid_->name);
        else
          return value_at(*grid, point);
      },
      grid_->data);
}

Vec3d VolumeGrid::vector_at(const Vec3d& point) const {
  return std::visit(
      [&](const auto& grid) -> Vec3d {
        if constexpr (!has_vectors<std::decay_t<decltype(*grid)>>) {
          throw InputError("the grid '{}' has numbers, not vectors", grid_->name);
        } else {
          const openvdb::Vec3d v(value_at(*grid, point));
          return {v[0], v[1], v[2]};
        }
      },
      grid_->data);
}

// To what OpenVDB has made of a file.
struct VolumeGridAccess {
  static const auto& grid(const VolumeGrid& volume) { return *volume.grid_; }
};

openvdb::FloatGrid::ConstPtr float_grid_of(const VolumeGrid& volume) {
  const auto& grid = VolumeGridAccess::grid(volume);
  return std::visit(
      [&]<class Type>(const std::shared_ptr<const Type>& data) -> openvdb::FloatGrid::ConstPtr {
        if constexpr (has_vectors<Type>)
          throw InputError("the grid '{}' has vectors, not numbers", grid.name);
        else if constexpr (std::is_same_v<Type, FloatGrid>)
          return has_cubes(*data) ? data : with_cubes(*data);
        else
          return with_cubes(FloatGrid(*data));
      },
      grid.data);
}

VolumeGrid read_vdb_grid(const std::filesystem::path& path, const std::string& name) {
  return with_file(path, [&](openvdb::io::File& file, const auto&) {
    if (!file.hasGrid(name))
      throw InputError("the volume file '{}' has no grid '{}'; it has {}", path.string(), name,
                       names_in(file));
    const openvdb::GridBase::Ptr grid = file.readGrid(name);
    auto result = std::make_shared<VolumeGrid::Grid>();
    result->name = name;
    auto take = [&]<class Type>(std::type_identity<Type>) {
      if (!grid->isType<Type>()) return false;
      result->data = openvdb::gridConstPtrCast<Type>(grid);
      return true;
    };
    if (!take(std::type_identity<FloatGrid>{}) && !take(std::type_identity<DoubleGrid>{}) &&
        !take(std::type_identity<Vec3SGrid>{}) && !take(std::type_identity<Vec3DGrid>{}))
      throw InputError("the grid '{}' of '{}' has values of type {}, not numbers or vectors", name,
                       path.string(), grid->valueType());
    return VolumeGrid(std::move(result));
  });
}

VdbContents vdb_contents(const std::filesystem::path& path) {
  return with_file(path, [&](openvdb::io::File& file, const auto& bytes) {
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
