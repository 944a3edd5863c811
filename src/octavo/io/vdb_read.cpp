#include <openvdb/tools/Interpolation.h>

#include <optional>

#include "octavo/io/vdb_open.h"
#include "octavo/io/vdb_volume_grid.h"

namespace octavo {
namespace {

std::string names_in(const openvdb::io::File& file) {
  std::string names;
  for (auto name = file.beginName(); name != file.endName(); ++name)
    names += (names.empty() ? "'" : ", '") + *name + "'";
  return names.empty() ? "no grids" : names;
}

// It is where a point is among voxels. OpenVDB counts them in 32 bits: what is far outside must not wrap
// around.
template <class Grid>
std::optional<openvdb::Vec3d> index_of(const Grid& grid, const Vec3d& point) {
  const openvdb::Vec3d at = grid.worldToIndex(openvdb::Vec3d(point[0], point[1], point[2]));
  for (int a = 0; a < 3; ++a)
    if (!(std::abs(at[a]) < 1 << 30)) return {};
  return at;
}

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

namespace {

// Calls f with each type of grid that a VolumeGrid can have, until one returns true.
template <class F>
bool any_type(F&& f) {
  return f(std::type_identity<openvdb::FloatGrid>{}) ||
         f(std::type_identity<openvdb::DoubleGrid>{}) ||
         f(std::type_identity<openvdb::Vec3SGrid>{}) || f(std::type_identity<openvdb::Vec3DGrid>{});
}

openvdb::GridBase::Ptr grid_in(openvdb::io::File& file, const std::filesystem::path& path,
                               const std::string& name) {
  if (!file.hasGrid(name))
    throw InputError("the volume file '{}' has no grid '{}'; it has {}", path.string(), name,
                     names_in(file));
  openvdb::GridBase::Ptr grid = file.readGridMetadata(name);
  if (!any_type([&]<class Type>(std::type_identity<Type>) { return grid->isType<Type>(); }))
    throw InputError("the grid '{}' of '{}' has values of type {}, not numbers or vectors", name,
                     path.string(), grid->valueType());
  return file.readGrid(name);
}

}  // namespace

VolumeGrid read_vdb_grid(const std::filesystem::path& path, const std::string& name) {
  const VdbGrids found = read_vdb(path, [&](openvdb::io::File& file, const GridBytes&) {
    return VdbGrids{{grid_in(file, path, name)}, {}};
  });
  const openvdb::GridBase::Ptr grid = found.grids.at(0);
  auto result = std::make_shared<VolumeGrid::Grid>();
  result->name = name;
  const bool taken = any_type([&]<class Type>(std::type_identity<Type>) {
    if (grid->isType<Type>()) result->data = openvdb::gridConstPtrCast<Type>(grid);
    return grid->isType<Type>();
  });
  OCTAVO_CHECK(taken);
  return VolumeGrid(std::move(result));
}

}  // namespace octavo
