#pragma once

// It writes and reads OpenVDB files (.vdb), which Houdini, Blender, Maya and many renderers open.
//
//   std::vector<VdbVolume> volumes;
//   volumes.push_back({"density", make_volume(mesh, smoke.density())});
//   const VdbFile file = make_vdb(std::move(volumes), {{"frame", 12}});
//   write_vdb("smoke.0012.vdb", file);  // compresses; another thread may do it
//
// The same volumes give the same bytes. Every OpenVDB file has an identifier, which OpenVDB draws at random;
// here it is made from what is in the file, and tells whether the file is still as it was written.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "octavo/volume/volume.h"

namespace octavo {

using VdbMetadata = std::map<std::string, std::variant<std::string, double, std::int64_t>>;

// Numbers become a fog volume or a level set, vectors a field of relative contravariant vectors, as velocities are.
struct VdbVolume {
  std::string name;
  std::variant<Volume<float>, Volume<Vec3f>> volume;
  VdbMetadata metadata{};
};

struct VdbOptions {
  // Values have 11 significant bits in grids where that is precise enough: no value is rounded by more than a
  // thousandth of the largest difference from the background, and none is too large.
  bool half = true;
  bool compress = true;  // with Blosc
};

// It holds the grids of a file, ready to be written.
class VdbFile {
 public:
  VdbFile(VdbFile&&) noexcept;
  VdbFile& operator=(VdbFile&&) noexcept;
  VdbFile(const VdbFile&) = delete;
  VdbFile& operator=(const VdbFile&) = delete;
  ~VdbFile();

 private:
  struct Grids;
  explicit VdbFile(std::unique_ptr<const Grids> grids);
  friend VdbFile make_vdb(std::vector<VdbVolume>, const VdbMetadata&, const VdbOptions&);
  friend std::string vdb_bytes(const VdbFile&);

  std::unique_ptr<const Grids> grids_;
};

// OpenVDB takes voxels whose volume is less than 3e-15 m^3 for flat, here and in every other program.
inline constexpr double smallest_vdb_voxel = 1.5e-5;  // m

// Throws InputError if two volumes have the same name, or if voxels are too small.
VdbFile make_vdb(std::vector<VdbVolume> volumes, const VdbMetadata& metadata = {},
                 const VdbOptions& options = {});

// Throws FileError if the file cannot be written. It uses none of our parallel loops, so that it can run
// beside them.
void write_vdb(const std::filesystem::path& path, const VdbFile& file);

// They are the bytes that write_vdb would write.
std::string vdb_bytes(const VdbFile& file);

// A grid of numbers or vectors from a file can be asked for values anywhere, by any number of threads at
// once: it is trilinear between the voxels, and the background outside of them.
class VolumeGrid {
 public:
  bool is_vector() const;
  double number_at(const Vec3d& point) const;
  Vec3d vector_at(const Vec3d& point) const;  // of staggered grids, too

 private:
  struct Grid;
  explicit VolumeGrid(std::shared_ptr<const Grid> grid) : grid_(std::move(grid)) {}
  friend VolumeGrid read_vdb_grid(const std::filesystem::path&, const std::string&);
  friend struct VolumeGridAccess;

  std::shared_ptr<const Grid> grid_;
};

// Throws InputError if the file is missing or damaged, or has no grid of that name and of floating point
// numbers or vectors of three of them.
VolumeGrid read_vdb_grid(const std::filesystem::path& path, const std::string& name);

// It holds what is in a file. Throws InputError if it is missing or damaged.
struct VdbGridInfo {
  std::string name, type, grid_class;  // as OpenVDB calls them: float, vec3s; fog volume, staggered
  bool half;
  Vec3d voxel_size;
  std::uint64_t active_voxels;
  std::uint64_t bytes;         // in the file; 0 if it does not tell
  std::uint64_t memory_bytes;  // when read
  Vec<3, int> lo, hi;          // first and last active voxel along each axis; lo > hi if none is
  std::map<std::string, std::string> metadata;
};
struct VdbContents {
  std::vector<VdbGridInfo> grids;  // by name
  std::map<std::string, std::string> metadata;
};
VdbContents vdb_contents(const std::filesystem::path& path);

}  // namespace octavo
