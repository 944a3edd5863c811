#include "octavo/io/vdb_float_grid.h"

#include <openvdb/tools/GridTransformer.h>

#include "octavo/io/vdb_volume_grid.h"

namespace octavo {
namespace {

using openvdb::FloatGrid;
using openvdb::math::Transform;

// The voxels are cubes along the axes, and none of them is mirrored.
bool has_cubes(const FloatGrid& grid) {
  if (!grid.transform().isLinear()) return false;
  const openvdb::Mat4d m = grid.transform().baseMap()->getAffineMap()->getMat4();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (std::abs(m[i][j] - (i == j ? m[0][0] : 0)) > 1e-9 * std::abs(m[0][0])) return false;
  return m[0][0] > 0;
}

// Cubes are as large as the shortest side of a voxel, but larger if there were too many of them, or if they could not
// be counted.
double cube_size(const FloatGrid& grid, const openvdb::BBoxd& box, std::size_t most_cubes) {
  constexpr double most_along = 1 << 20;
  const openvdb::Vec3d voxel = grid.voxelSize(), size = box.extents();
  const double volume = grid.transform().isLinear() ? static_cast<double>(grid.activeVoxelCount()) *
                                                          std::abs(grid.transform().voxelVolume())
                                                    : size[0] * size[1] * size[2];
  return std::max({std::min({voxel[0], voxel[1], voxel[2]}),
                   std::cbrt(volume / static_cast<double>(most_cubes)),
                   std::max({size[0], size[1], size[2]}) / most_along});
}

// It is how many cubes OpenVDB looks at for a box of voxels: those in a box around it.
double cubes_around(const FloatGrid& grid, const Transform& cubes, const openvdb::CoordBBox& box) {
  const openvdb::BBoxd around = cubes.worldToIndex(grid.transform().indexToWorld(
      openvdb::BBoxd(box.min().asVec3d(), box.max().asVec3d() + openvdb::Vec3d(1.0))));
  double count = 1;
  for (int a = 0; a < 3; ++a) count *= around.extents()[a] + 3;
  constexpr double most_place = 1 << 30;
  for (int a = 0; a < 3; ++a)
    if (!(std::abs(around.min()[a]) < most_place && std::abs(around.max()[a]) < most_place))
      count = HUGE_VAL;
  return count;
}

// Files that are damaged may have tiles that are small in the file, but not so among cubes. OpenVDB also halves the
// voxels as often as cubes are twice as large.
double work(const FloatGrid& grid, const Transform& cubes) {
  double count = 0;
  for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf)
    count += cubes_around(grid, cubes, leaf->getNodeBoundingBox());
  auto tile = grid.tree().cbeginValueAll();
  for (tile.setMaxDepth(FloatGrid::TreeType::DEPTH - 2); tile; ++tile) {
    if (!tile.isValueOn() && *tile == grid.background()) continue;
    const openvdb::CoordBBox box = tile.getBoundingBox();
    const openvdb::Vec3d size = box.extents().asVec3d();
    count += cubes_around(grid, cubes, box) + size[0] * size[1] * size[2] / 8;
  }
  return count;
}

void require_little_work(const FloatGrid& grid, const Transform& cubes, std::size_t most_cubes) {
  const double most = std::max(8 * static_cast<double>(most_cubes), 0x1p28);
  if (!(work(grid, cubes) <= most))
    throw InputError("its voxels, which are no cubes, are too many or too far apart");
}

FloatGrid::ConstPtr resampled(const FloatGrid& grid, std::size_t most_cubes) {
  const FloatGrid::Ptr cubes = FloatGrid::create(grid.background());
  const openvdb::CoordBBox voxels = grid.evalActiveVoxelBoundingBox();
  if (voxels.empty()) return cubes;
  const openvdb::BBoxd box = grid.transform().indexToWorld(voxels);
  const double size = cube_size(grid, box, most_cubes);
  if (!(size > 0) || !std::isfinite(size)) throw InputError("its voxels have no size");
  const auto transform = Transform::createLinearTransform(size);
  transform->postTranslate(box.min());  // so that no place is far from zero
  require_little_work(grid, *transform, most_cubes);
  cubes->setTransform(transform);
  openvdb::tools::resampleToMatch<openvdb::tools::BoxSampler>(grid, *cubes);
  return cubes;
}

FloatGrid::ConstPtr with_cubes(const FloatGrid::ConstPtr& grid, std::size_t most_cubes) {
  if (has_cubes(*grid)) return grid;
  try {
    return resampled(*grid, most_cubes);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const InputError&) {
    throw;
  } catch (const openvdb::ArithmeticError&) {
    throw InputError("its voxels are too small or too flat");
  } catch (const std::exception& e) {  // OpenVDB's own kinds of them begin here
    throw InputError("its voxels cannot be made cubes: {}", e.what());
  }
}

}  // namespace

FloatGrid::ConstPtr float_grid_of(const VolumeGrid& volume, std::size_t most_cubes) {
  const auto& grid = VolumeGridAccess::grid(volume);
  return std::visit(
      [&]<class Type>(const std::shared_ptr<const Type>& data) -> FloatGrid::ConstPtr {
        if constexpr (has_vectors<Type>)
          throw InputError("it has vectors, not numbers");
        else if constexpr (std::is_same_v<Type, FloatGrid>)
          return with_cubes(data, most_cubes);
        else
          return with_cubes(std::make_shared<const FloatGrid>(*data), most_cubes);
      },
      grid.data);
}

}  // namespace octavo
