#include "octavo/io/vdb_octree.h"

#include <bit>

#include "octavo/io/vdb_float_grid.h"
#include "octavo/mesh/interpolate.h"

namespace octavo {
namespace {

using openvdb::Coord;
using FloatTree = openvdb::FloatTree;
constexpr int block = FloatTree::LeafNodeType::DIM;  // voxels of OpenVDB's leaves along each axis

constexpr int largest = 2;  // voxels along a leaf with something in it

// Nodes of the octree are the centres of voxels; the voxel at the octree's lowest corner is `first`.
struct Placement {
  Coord first;
  int level = 0;  // whose leaves are as large as a voxel
  Domain<3> domain;

  // What is beside active voxels matters as well: values go over into the background there. The octree begins
  // where leaves of OpenVDB's do, so that these are quickly looked at.
  explicit Placement(const openvdb::FloatGrid& grid) {
    openvdb::CoordBBox box = grid.evalActiveVoxelBoundingBox();
    if (box.empty()) box = openvdb::CoordBBox(Coord(0), Coord(0));
    box.expand(1);
    first = box.min() & ~(block - 1);
    const Coord size = box.max() - first;
    const int longest = std::max({size[0], size[1], size[2], 1});
    level = std::clamp(static_cast<int>(std::bit_width(static_cast<unsigned>(longest - 1))) - 2, 3,
                       max_level);
    const openvdb::Vec3d origin = grid.indexToWorld(first);
    domain.root_size = grid.voxelSize()[0] * (1 << level);
    for (int a = 0; a < 3; ++a) {
      domain.origin[a] = origin[a];
      domain.roots[a] = std::max(1, (size[a] + (1 << level) - 1) >> level);
    }
  }
  int voxels(int leaf_level) const { return 1 << (level - leaf_level); }
  Coord voxel(const Lattice<3>& p) const {
    const int shift = max_level - level;
    return first.offsetBy(static_cast<int>(p[0] >> shift), static_cast<int>(p[1] >> shift),
                          static_cast<int>(p[2] >> shift));
  }
};

// Whether a cube of voxels lies within tiles that all have the same value.
bool is_constant(const openvdb::FloatGrid::ConstUnsafeAccessor& voxels, const Coord& first,
                 int size) {
  const float value = voxels.getValue(first);
  for (int i = 0; i <= size; i += block)
    for (int j = 0; j <= size; j += block)
      for (int k = 0; k <= size; k += block) {
        const Coord at = first.offsetBy(i, j, k);
        if (voxels.probeConstLeaf(at) != nullptr || voxels.getValue(at) != value) return false;
      }
  return true;
}

// Whether there is something at one of the corners of a cube.
bool differs(const openvdb::FloatGrid::ConstUnsafeAccessor& voxels, const Coord& first, int size,
             float background, float tolerance) {
  for (int c = 0; c < 8; ++c)
    if (std::abs(
            voxels.getValue(first.offsetBy((c & 1) * size, (c >> 1 & 1) * size, (c >> 2) * size)) -
            background) > tolerance)
      return true;
  return false;
}

// Whether all voxels of a cube have what is between those at its corners.
bool is_multilinear(const openvdb::FloatGrid::ConstUnsafeAccessor& voxels, const Coord& first,
                    int size, float tolerance) {
  float corner[8];
  for (int c = 0; c < 8; ++c)
    corner[c] =
        voxels.getValue(first.offsetBy((c & 1) * size, (c >> 1 & 1) * size, (c >> 2 & 1) * size));
  for (int i = 0; i <= size; ++i)
    for (int j = 0; j <= size; ++j)
      for (int k = 0; k <= size; ++k) {
        const Vec3f local =
            Vec3f{static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)} /
            static_cast<float>(size);
        const float here = multilinear<3>(local, [&](int c) { return corner[c]; });
        if (!(std::abs(voxels.getValue(first.offsetBy(i, j, k)) - here) <= tolerance)) return false;
      }
  return true;
}

float largest_value(const openvdb::FloatGrid& grid) {
  float most = 0;
  for (auto v = grid.cbeginValueOn(); v; ++v)
    most = std::max(most, std::abs(*v - grid.background()));
  return most;
}

}  // namespace

VdbOctree read_vdb_octree(const std::filesystem::path& path, const std::string& name,
                          double tolerance) {
  const openvdb::FloatGrid::ConstPtr voxels = float_grid_of(read_vdb_grid(path, name));
  const Placement place(*voxels);
  const auto allowed = static_cast<float>(tolerance) * largest_value(*voxels);
  auto refine = [&](const Leaf<3>& leaf) {
    if (leaf.level >= place.level) return false;
    const int size = place.voxels(leaf.level);
    const Vec3d lowest = leaf.center - Vec3d::filled(0.5 * leaf.size);
    const auto accessor = voxels->getConstUnsafeAccessor();
    const Coord first =
        place.voxel(place.domain.lattice(lowest + Vec3d::filled(1e-3 * leaf.size / size)));
    if (size > block)
      return differs(accessor, first, size, voxels->background(), allowed) ||
             !is_constant(accessor, first, size);
    return (size > largest && differs(accessor, first, size, voxels->background(), allowed)) ||
           !is_multilinear(accessor, first, size, allowed);
  };
  VdbOctree result{Grid<3>(Octree<3>::build(place.domain, refine)), {}};
  const Mesh<3>& mesh = result.grid.mesh();
  result.field.resize(mesh);
  const MeshView<3> view = mesh.view();
  const View<float> out = result.field.view();
  parallel_for("values of voxels", out.size(), [&](std::size_t i) {
    const auto accessor = voxels->getConstUnsafeAccessor();
    out[i] = accessor.getValue(place.voxel(view.lattice(NodeId(i))));
  });
  constrain(mesh, result.field);
  return result;
}

NodeField<float> nodal_values(const VolumeGrid& volume, const Mesh<3>& mesh) {
  NodeField<float> field;
  field.resize(mesh);
  const MeshView<3> view = mesh.view();
  const View<float> out = field.view();
  parallel_for("values of a volume", out.size(), [&](std::size_t i) {
    out[i] = static_cast<float>(volume.number_at(view.position(NodeId(i))));
  });
  constrain(mesh, field);
  return field;
}

}  // namespace octavo
