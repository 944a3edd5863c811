#include "octavo/io/vdb_octree.h"

#include <bit>

#include "octavo/io/vdb_densities.h"
#include "octavo/mesh/interpolate.h"

namespace octavo {
namespace {

using openvdb::Coord;

constexpr int most_voxels = 2;  // voxels along a leaf with something in it

// Nodes of the octree are the centres of voxels; the voxel at the octree's lowest corner is `first`.
struct Placement {
  Coord first;
  int level = 0;  // whose leaves are as large as a voxel
  Domain<3> domain;

  int voxels(int leaf_level) const { return 1 << (level - leaf_level); }
  Coord voxel(const Lattice<3>& p) const {
    const int shift = max_level - level;
    return first.offsetBy(static_cast<int>(p[0] >> shift), static_cast<int>(p[1] >> shift),
                          static_cast<int>(p[2] >> shift));
  }
};

// Sums of places must fit in the 32 bits that OpenVDB has for them.
void require_near(const Vec<3, std::int64_t>& lo, const Vec<3, std::int64_t>& hi, int level) {
  constexpr std::int64_t most_place = 1 << 30;
  double count = 1;
  bool near = true;
  for (int a = 0; a < 3; ++a) {
    near = near && lo[a] >= -most_place && hi[a] <= most_place;
    count *= std::ceil(std::ldexp(static_cast<double>(hi[a] - lo[a]), -level));
  }
  if (!near || count > max_roots)
    throw InputError(
        "its voxels are too far apart: from ({}, {}, {}) to ({}, {}, {}); places go to 2^30, and a "
        "box holds {} cubes of {} voxels along each side",
        lo[0], lo[1], lo[2], hi[0], hi[1], hi[2], max_roots, 1 << level);
}

// What is beside active voxels matters as well: values go over into the background there. The octree begins where
// leaves of OpenVDB's do, so that these are quickly looked at.
Placement placement_of(const openvdb::FloatGrid& grid) {
  openvdb::CoordBBox box = grid.evalActiveVoxelBoundingBox();
  if (box.empty()) box = openvdb::CoordBBox(Coord(0), Coord(0));
  Vec<3, std::int64_t> lo{}, hi{};
  for (int a = 0; a < 3; ++a) {
    lo[a] = (std::int64_t{box.min()[a]} - 1) & ~std::int64_t{VdbDensities::block - 1};
    hi[a] = std::int64_t{box.max()[a]} + 1;
  }
  const Vec<3, std::int64_t> size = hi - lo;
  const auto longest = static_cast<std::uint64_t>(std::max({size[0], size[1], size[2]}));
  Placement place;
  place.level = std::clamp(static_cast<int>(std::bit_width(longest - 1)) - 2, 3, max_level);
  require_near(lo, hi, place.level);
  for (int a = 0; a < 3; ++a) {
    place.first[a] = static_cast<int>(lo[a]);
    place.domain.roots[a] = static_cast<int>(((size[a] - 1) >> place.level) + 1);
  }
  const openvdb::Vec3d origin = grid.indexToWorld(place.first);
  place.domain.origin = {origin[0], origin[1], origin[2]};
  place.domain.root_size = grid.voxelSize()[0] * (1 << place.level);
  return place;
}

bool is_refined(const VdbDensities& voxels, const Coord& first, int size, float tolerance) {
  if (size > VdbDensities::block)
    return voxels.has_something(first, size, tolerance) || !voxels.is_constant(first, size);
  return (size > most_voxels && voxels.has_something(first, size, tolerance)) ||
         !voxels.is_multilinear(first, size, tolerance);
}

// Each key is there by itself or by its children, if it is marked, in the same order.
Buffer<Key<3>> with_children(View<const Key<3>> keys, View<const std::uint8_t> split) {
  Buffer<std::uint32_t> first(keys.size());
  const View<std::uint32_t> place = first.view();
  parallel_for("count leaves", keys.size(),
               [=](std::size_t i) { place[i] = split[i] != 0 ? child_count<3> : 1; });
  Buffer<Key<3>> next(exclusive_scan("places of leaves", place));
  const View<Key<3>> out = next.view();
  parallel_for("split leaves", keys.size(), [=](std::size_t i) {
    for (int c = 0; c < child_count<3> && split[i] != 0; ++c)
      out[place[i] + static_cast<std::uint32_t>(c)] = keys[i].child(c);
    if (split[i] == 0) out[place[i]] = keys[i];
  });
  return next;
}

struct Refined {
  Octree<3> tree;
  int finest;
};

// It refines level after level, so that it is known how many leaves there will be before there are too many.
Refined refined(const Placement& place, const VdbDensities& voxels, float tolerance,
                std::size_t most_leaves) {
  place.domain.check();
  Buffer<Key<3>> keys(place.domain.root_count());
  for (std::size_t r = 0; r < keys.size(); ++r)
    keys[r] = Key<3>::root(static_cast<std::uint32_t>(r));
  int finest = 1;
  for (int level = 0; level < place.level && finest == 1; ++level) {
    const int size = place.voxels(level);
    Buffer<std::uint8_t> split(keys.size());
    auto mark = [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        split[i] =
            keys[i].level() == level &&
                    is_refined(voxels, place.voxel(place.domain.lo(keys[i])), size, tolerance)
                ? 1
                : 0;
    };
    parallel_blocks("look at voxels", keys.size(), mark, 64);
    const double more = 7 * parallel_sum("leaves to split", keys.size(), [&](std::size_t i) {
                          return static_cast<double>(split[i]);
                        });
    if (more > 0 && static_cast<double>(keys.size()) + more > static_cast<double>(most_leaves))
      finest = size;
    else if (more > 0)
      keys = with_children(keys.view(), split.view());
  }
  return {Octree<3>(place.domain, std::move(keys)), finest};
}

VdbOctree octree_of(const VdbDensities& voxels, const VdbOctreeOptions& options) {
  const Placement place = placement_of(voxels.grid());
  const float tolerance = static_cast<float>(options.tolerance) * voxels.largest();
  auto [tree, finest] = refined(place, voxels, tolerance, options.most_leaves);
  VdbOctree result{Grid<3>(std::move(tree)), {}, finest};
  const Mesh<3>& mesh = result.grid.mesh();
  result.field.resize(mesh);
  const MeshView<3> view = mesh.view();
  const View<float> out = result.field.view();
  parallel_for("values of voxels", out.size(), [&, half = finest / 2](std::size_t i) {
    const Coord voxel = place.voxel(view.lattice(NodeId(i)));
    out[i] = half > 0 ? voxels.mean_around(voxel, half) : voxels.at(voxel);
  });
  constrain(mesh, result.field);
  return result;
}

}  // namespace

VdbOctree read_vdb_octree(const std::filesystem::path& path, const std::string& name,
                          const VdbOctreeOptions& options) {
  const VolumeGrid grid = read_vdb_grid(path, name);
  try {
    // A leaf with something in it has up to 2^3 voxels.
    return octree_of(VdbDensities(float_grid_of(grid, 8 * options.most_leaves)), options);
  } catch (const InputError& e) {
    throw InputError("the grid '{}' of '{}' cannot be used: {}", name, path.string(), e.what());
  }
}

NodeField<float> nodal_values(const VolumeGrid& volume, const Mesh<3>& mesh) {
  NodeField<float> field;
  field.resize(mesh);
  const MeshView<3> view = mesh.view();
  const View<float> out = field.view();
  parallel_for("values of a volume", out.size(), [&](std::size_t i) {
    const auto value = static_cast<float>(volume.number_at(view.position(NodeId(i))));
    out[i] = std::isfinite(value) ? value : 0;
  });
  constrain(mesh, field);
  return field;
}

}  // namespace octavo
