#include "octavo/io/vdb_densities.h"

#include <openvdb/tree/LeafManager.h>

#include "octavo/base/parallel.h"
#include "octavo/mesh/interpolate.h"

namespace octavo {
namespace {

using openvdb::Coord;
using openvdb::CoordBBox;
using Tree = openvdb::FloatTree;

// These are how many voxels OpenVDB's nodes have along each axis, from the root's children down to leaves. What is a
// tile at depth d of a tree fills a node of the d-th kind; what is not in the tree at all fills one of the first.
constexpr std::array<int, 3> node_sizes{Tree::RootNodeType::ChildNodeType::DIM,
                                        Tree::RootNodeType::ChildNodeType::ChildNodeType::DIM,
                                        Tree::LeafNodeType::DIM};

// Calls is_so(part) for the parts of a box within nodes of a kind, until one says no.
template <class F>
bool all_of_nodes(const CoordBBox& box, int size, F&& is_so) {
  const Coord lo = box.min() & ~(size - 1);
  for (int i = lo[0]; i <= box.max()[0]; i += size)
    for (int j = lo[1]; j <= box.max()[1]; j += size)
      for (int k = lo[2]; k <= box.max()[2]; k += size) {
        CoordBBox part = CoordBBox::createCube(Coord(i, j, k), size);
        part.intersect(box);
        if (!is_so(part)) return false;
      }
  return true;
}

// It tells whether all tiles in a box have values that same(value) agrees to, and there are no leaves.
template <class Accessor, class Same>
bool has_tiles(const Accessor& voxels, const CoordBBox& box, std::size_t kind, const Same& same) {
  return all_of_nodes(box, node_sizes[kind], [&](const CoordBBox& part) {
    if (voxels.getValueDepth(part.min()) <= static_cast<int>(kind))
      return same(voxels.getValue(part.min()));
    return kind + 1 < node_sizes.size() && has_tiles(voxels, part, kind + 1, same);
  });
}

}  // namespace

VdbDensities::VdbDensities(openvdb::FloatGrid::ConstPtr grid)
    : grid_(std::move(grid)), background_(clean(grid_->background())) {}

float VdbDensities::largest() const {
  const openvdb::tree::LeafManager<const Tree> leaves(grid_->tree());
  auto most =
      static_cast<float>(parallel_max("largest voxel", leaves.leafCount(), 0, [&](std::size_t i) {
        float most_here = 0;
        for (auto v = leaves.leaf(i).cbeginValueOn(); v; ++v)
          most_here = std::max(most_here, std::abs(clean(*v) - background_));
        return static_cast<double>(most_here);
      }));
  auto tile = grid_->cbeginValueOn();
  for (tile.setMaxDepth(Tree::DEPTH - 2); tile; ++tile)
    most = std::max(most, std::abs(clean(*tile) - background_));
  return most;
}

bool VdbDensities::is_constant(const Coord& first, int size) const {
  const Accessor voxels = grid_->getConstUnsafeAccessor();
  const float value = clean(voxels.getValue(first));
  return has_tiles(voxels, CoordBBox(first, first.offsetBy(size)), 0,
                   [&](float v) { return clean(v) == value; });
}

std::array<float, 8> VdbDensities::corners(const Accessor& voxels, const Coord& first, int size) {
  std::array<float, 8> corner{};
  for (int c = 0; c < 8; ++c)
    corner[static_cast<std::size_t>(c)] = clean(
        voxels.getValue(first.offsetBy((c & 1) * size, (c >> 1 & 1) * size, (c >> 2) * size)));
  return corner;
}

bool VdbDensities::has_something(const Coord& first, int size, float tolerance) const {
  for (const float value : corners(grid_->getConstUnsafeAccessor(), first, size))
    if (std::abs(value - background_) > tolerance) return true;
  return false;
}

bool VdbDensities::is_multilinear(const Coord& first, int size, float tolerance) const {
  const Accessor voxels = grid_->getConstUnsafeAccessor();
  const std::array<float, 8> corner = corners(voxels, first, size);
  for (int i = 0; i <= size; ++i)
    for (int j = 0; j <= size; ++j)
      for (int k = 0; k <= size; ++k) {
        const Vec3f local =
            Vec3f{static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)} /
            static_cast<float>(size);
        const float here =
            multilinear<3>(local, [&](int c) { return corner[static_cast<std::size_t>(c)]; });
        const float value = clean(voxels.getValue(first.offsetBy(i, j, k)));
        if (!(std::abs(value - here) <= tolerance)) return false;
      }
  return true;
}

float VdbDensities::mean_around(const Coord& voxel, int reach) const {
  const Accessor voxels = grid_->getConstUnsafeAccessor();
  float sum = 0;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k) {
        const auto weight =
            static_cast<float>((2 - std::abs(i)) * (2 - std::abs(j)) * (2 - std::abs(k))) / 64;
        sum += weight * clean(voxels.getValue(voxel.offsetBy(i * reach, j * reach, k * reach)));
      }
  return sum;
}

}  // namespace octavo
