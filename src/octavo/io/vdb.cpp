#include "octavo/io/vdb.h"

#include <cstring>
#include <set>
#include <sstream>

#include "octavo/io/atomic_file.h"
#include "octavo/io/openvdb_grids.h"
#include "octavo/io/openvdb_start.h"
#include "octavo/io/vdb_tag.h"

namespace octavo {

struct VdbFile::Grids {
  openvdb::GridCPtrVec grids;
  openvdb::MetaMap metadata;
  bool compress = true;
};

namespace {

openvdb::FloatGrid::Ptr make_grid(float background) {
  return openvdb::FloatGrid::create(background);
}
openvdb::Vec3SGrid::Ptr make_grid(const Vec3f& background) {
  return openvdb::Vec3SGrid::create({background[0], background[1], background[2]});
}

float vdb_value(float x) { return x; }
openvdb::Vec3s vdb_value(const Vec3f& x) { return {x[0], x[1], x[2]}; }

openvdb::Coord coord(const Vec<3, int>& p) { return {p[0], p[1], p[2]}; }

// Tiles of one level have 8 voxels along an edge, those of the next 128, then 4096.
openvdb::Index tile_level(int size) { return size == 8 ? 1 : size == 128 ? 2 : 3; }

template <class Leaf, class T>
std::unique_ptr<Leaf> make_leaf(const VolumeBlock& block, View<const T> values) {
  static_assert(sizeof(typename Leaf::ValueType) == sizeof(T));
  static_assert(Leaf::SIZE == VolumeBlock::voxels && Leaf::NodeMaskType::WORD_COUNT == 8);
  auto leaf = std::make_unique<Leaf>(openvdb::PartialCreate(), coord(block.origin));
  leaf->allocate();
  std::memcpy(static_cast<void*>(leaf->buffer().data()), values.data(), values.size() * sizeof(T));
  typename Leaf::NodeMaskType active;
  for (openvdb::Index i = 0; i < 8; ++i)
    active.template getWord<openvdb::Index64>(i) = block.active[i];
  leaf->setValueMask(active);
  return leaf;
}

template <class T>
openvdb::GridBase::Ptr fill_grid(const Volume<T>& volume) {
  const auto grid = make_grid(volume.background);
  auto& tree = grid->tree();
  using Leaf = typename std::remove_reference_t<decltype(tree)>::LeafNodeType;
  std::vector<std::unique_ptr<Leaf>> leaves(volume.blocks.size());
  parallel_for("make vdb leaves", leaves.size(), [&](std::size_t i) {
    leaves[i] = make_leaf<Leaf>(volume.blocks[i], volume.values_of(i));
  });
  for (auto& leaf : leaves) tree.addLeaf(leaf.release());
  for (std::size_t i = 0; i < volume.tiles.size(); ++i) {
    const VolumeTile& tile = volume.tiles[i];
    tree.addTile(tile_level(tile.size), coord(tile.origin), vdb_value(volume.tile_values[i]), true);
  }
  return grid;
}

float size_of(float x) { return std::abs(x); }
float size_of(const Vec3f& x) { return std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])}); }

template <class T>
double largest(const Volume<T>& volume, const T& from) {
  auto largest_in = [&](View<const T> values) {
    return parallel_max("range of volume", values.size(), 0.0, [=](std::size_t i) {
      return static_cast<double>(size_of(values[i] - from));
    });
  };
  return std::max(largest_in(volume.values.view()), largest_in(volume.tile_values.view()));
}

// Half numbers reach 65504, are rounded by 2^-12 of the next power of two, and by no less than 2^-25.
template <class T>
bool half_is_precise(const Volume<T>& volume) {
  const double value = std::max<double>(largest(volume, T{}), size_of(volume.background));
  const double difference = largest(volume, volume.background);
  return value <= 65504 && value <= 2 * difference && difference >= 0x1p-14;
}

void add_metadata(const VdbMetadata& from, openvdb::MetaMap& to) {
  for (const auto& [name, value] : from) {
    if (const auto* text = std::get_if<std::string>(&value))
      to.insertMeta(name, openvdb::StringMetadata(*text));
    else if (const auto* number = std::get_if<double>(&value))
      to.insertMeta(name, openvdb::DoubleMetadata(*number));
    else
      to.insertMeta(name, openvdb::Int64Metadata(std::get<std::int64_t>(value)));
  }
}

// OpenVDB's indices are positions of voxel centres.
openvdb::math::Transform::Ptr transform_of(const VolumeLayout& volume) {
  if (volume.voxel_size < smallest_vdb_voxel)
    throw InputError("voxels of {:.2g} m cannot be written as OpenVDB has them; {} m is the least",
                     volume.voxel_size, smallest_vdb_voxel);
  auto transform = openvdb::math::Transform::createLinearTransform(volume.voxel_size);
  const Vec3d center = volume.origin + Vec3d::filled(0.5 * volume.voxel_size);
  transform->postTranslate({center[0], center[1], center[2]});
  return transform;
}

void set_kind(const Volume<float>& volume, openvdb::GridBase& grid) {
  grid.setGridClass(volume.is_level_set ? openvdb::GRID_LEVEL_SET : openvdb::GRID_FOG_VOLUME);
}
void set_kind(const Volume<Vec3f>& volume, openvdb::GridBase& grid) {
  grid.setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
  if (volume.staggered) grid.setGridClass(openvdb::GRID_STAGGERED);
}

openvdb::GridBase::Ptr to_grid(const VdbVolume& from, const VdbOptions& options) {
  return std::visit(
      [&](const auto& volume) {
        openvdb::GridBase::Ptr grid = fill_grid(volume);
        add_metadata(from.metadata, *grid);
        grid->setName(from.name);
        grid->setTransform(transform_of(volume));
        grid->setSaveFloatAsHalf(options.half && half_is_precise(volume));
        set_kind(volume, *grid);
        return grid;
      },
      from.volume);
}

// This is a file in memory. It can be written again in places, so OpenVDB puts in the positions of grids and
// leaves that let readers load only what they need.
class MemoryArchive : public openvdb::io::Archive {
 public:
  std::string bytes(const openvdb::GridCPtrVec& grids, const openvdb::MetaMap& metadata) const {
    std::ostringstream out(std::ios::binary);
    Archive::write(out, grids, true, metadata);
    std::string file = std::move(out).str();
    OCTAVO_CHECK(file.compare(vdb_tag_begin, vdb_tag_size, getUniqueTag()) == 0);
    return file.replace(vdb_tag_begin, vdb_tag_size, vdb_tag(file));
  }
};

}  // namespace

VdbFile::VdbFile(std::unique_ptr<const Grids> grids) : grids_(std::move(grids)) {}
VdbFile::VdbFile(VdbFile&&) noexcept = default;
VdbFile& VdbFile::operator=(VdbFile&&) noexcept = default;
VdbFile::~VdbFile() = default;

// Each volume goes as soon as its grid is there: only one of them is in memory twice.
VdbFile make_vdb(std::vector<VdbVolume> volumes, const VdbMetadata& metadata,
                 const VdbOptions& options) {
  start_openvdb();
  std::set<std::string> names;
  for (const VdbVolume& volume : volumes)
    if (!names.insert(volume.name).second)
      throw InputError("a volume file cannot have two grids named '{}'", volume.name);
  auto grids = std::make_unique<VdbFile::Grids>();
  grids->compress = options.compress;
  add_metadata(metadata, grids->metadata);
  for (VdbVolume& volume : volumes) {
    grids->grids.push_back(to_grid(volume, options));
    volume.volume = Volume<float>{};
  }
  return VdbFile(std::move(grids));
}

std::string vdb_bytes(const VdbFile& file) {
  MemoryArchive archive;
  const auto blosc =
      file.grids_->compress ? openvdb::io::COMPRESS_BLOSC : openvdb::io::COMPRESS_NONE;
  archive.setCompression(openvdb::io::COMPRESS_ACTIVE_MASK | blosc);
  return archive.bytes(file.grids_->grids, file.grids_->metadata);
}

void write_vdb(const std::filesystem::path& path, const VdbFile& file) {
  AtomicFile out(path);
  try {
    out.write(vdb_bytes(file));
  } catch (const openvdb::Exception& error) {
    throw FileError(path, error.what());
  }
  out.commit();
}

}  // namespace octavo
