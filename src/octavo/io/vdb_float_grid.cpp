#include "octavo/io/vdb_float_grid.h"

#include <openvdb/tools/GridTransformer.h>

#include "octavo/io/vdb_volume_grid.h"

namespace octavo {
namespace {

using openvdb::FloatGrid;

// Voxels that are cubes along the axes, none of them mirrored.
bool has_cubes(const FloatGrid& grid) {
  if (!grid.transform().isLinear()) return false;
  const openvdb::Mat4d m = grid.transform().baseMap()->getAffineMap()->getMat4();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (std::abs(m[i][j] - (i == j ? m[0][0] : 0)) > 1e-9 * std::abs(m[0][0])) return false;
  return m[0][0] > 0;
}

// How large cubes are: as the shortest side of a voxel, but larger if there were too many of them, or if they could
// not be counted.
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

FloatGrid::ConstPtr resampled(const FloatGrid& grid, std::size_t most_cubes) {
  const FloatGrid::Ptr cubes = FloatGrid::create(grid.background());
  const openvdb::CoordBBox voxels = grid.evalActiveVoxelBoundingBox();
  if (voxels.empty()) return cubes;
  const openvdb::BBoxd box = grid.transform().indexToWorld(voxels);
  const double size = cube_size(grid, box, most_cubes);
  if (!(size > 0) || !std::isfinite(size)) throw InputError("voxels have no size");
  const auto transform = openvdb::math::Transform::createLinearTransform(size);
  transform->postTranslate(box.min());  // so that no place is far from zero
  cubes->setTransform(transform);
  openvdb::tools::resampleToMatch<openvdb::tools::BoxSampler>(grid, *cubes);
  return cubes;
}

FloatGrid::ConstPtr with_cubes(const FloatGrid::ConstPtr& grid, const std::string& name,
                               std::size_t most_cubes) {
  if (has_cubes(*grid)) return grid;
  try {
    return resampled(*grid, most_cubes);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {  // OpenVDB's own kinds of them begin here
    throw InputError("the voxels of the grid '{}' cannot be made cubes: {}", name, e.what());
  }
}

}  // namespace

FloatGrid::ConstPtr float_grid_of(const VolumeGrid& volume, std::size_t most_cubes) {
  const auto& grid = VolumeGridAccess::grid(volume);
  return std::visit(
      [&]<class Type>(const std::shared_ptr<const Type>& data) -> FloatGrid::ConstPtr {
        if constexpr (has_vectors<Type>)
          throw InputError("the grid '{}' has vectors, not numbers", grid.name);
        else if constexpr (std::is_same_v<Type, FloatGrid>)
          return with_cubes(data, grid.name, most_cubes);
        else
          return with_cubes(std::make_shared<const FloatGrid>(*data), grid.name, most_cubes);
      },
      grid.data);
}

}  // namespace octavo
