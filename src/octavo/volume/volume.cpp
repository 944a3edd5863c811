#include "octavo/volume/volume.h"

#include "octavo/volume/block_or_tile.h"
#include "octavo/volume/staggered_voxels.h"
#include "octavo/volume/volume_list.h"

namespace octavo {

namespace {

template <int Dim>
VolumeLayout layout_of(const Domain<Dim>& domain, int level) {
  VolumeLayout layout;
  layout.voxel_size = domain.size(level);
  layout.origin[2] = -0.5 * layout.voxel_size;
  layout.size[2] = 1;
  for (int a = 0; a < Dim; ++a) {
    layout.origin[a] = domain.origin[a];
    const std::uint32_t voxels = domain.extent()[a] >> (max_level - level);
    if (voxels > static_cast<std::uint32_t>(std::numeric_limits<int>::max()))
      throw InputError("a volume cannot be {} voxels long; choose a coarser level", voxels);
    layout.size[a] = static_cast<int>(voxels);
  }
  return layout;
}

template <class Value>
float absolute_tolerance(const VolumeOptions<Value>& options, double largest_difference) {
  if (!(options.tolerance >= 0))
    throw InputError("the tolerance of a volume must be 0 or more, not {}", options.tolerance);
  if (!std::isfinite(largest_difference))
    throw InputError("a field with values that are not finite cannot become a volume");
  return static_cast<float>(options.tolerance * largest_difference);
}

// Inside of a block voxels count as background more strictly than in blocks of nothing else: leaving them
// out saves little there and would show as a step.
template <class Value>
void mark_active(Value* values, const Value& background, float tolerance, VolumeBlock& block) {
  for (int v = 0; v < VolumeBlock::voxels; ++v)
    if (largest_component(values[v] - background) > tolerance / 16)
      block.active[v / 64] |= std::uint64_t{1} << (v % 64);
    else
      values[v] = background;
}

// Looks at every block twice: first to see what it is to become, then, once it has its place, to fill it.
// Filling is cheap beside memory for values that might be needed.
template <int Dim, class Source>
class VolumeBuilder {
 public:
  using Value = typename Source::Value;

  VolumeBuilder(const Octree<Dim>& tree, int level, const Source& source,
                const VolumeOptions<Value>& options)
      : lattice_{tree.view(), level},
        source_(source),
        options_(options),
        tolerance_(absolute_tolerance(options, source.largest_difference(options.background))) {
    static_cast<VolumeLayout&>(volume_) = layout_of(tree.domain(), level);
    volume_.background = options.background;
  }

  Volume<Value> build() {
    const BlockLister<Dim, Source> lister(lattice_, source_, options_.background, tolerance_);
    const Buffer<BlockCandidate> list = options_.within != nullptr
                                            ? lister.within(*options_.within, volume_)
                                            : lister.in_box(volume_);
    const BlockOrTile<Dim, Source> block_or_tile(lattice_, source_, volume_.size,
                                                 options_.background, tolerance_);
    Buffer<Verdict> verdict(list.size());
    for_each("judge volume blocks", list,
             [&](std::size_t i) { verdict[i] = block_or_tile(list[i]); });
    const Buffer<std::uint32_t> block = number(verdict, BlockKind::block, volume_.blocks);
    const Buffer<std::uint32_t> tile = number(verdict, BlockKind::tile, volume_.tiles);
    volume_.values.resize(volume_.blocks.size() * VolumeBlock::voxels);
    volume_.tile_values.resize(volume_.tiles.size());
    for_each("fill volume blocks", list, [&](std::size_t i) {
      if (verdict[i].kind == BlockKind::block) put_block(block_or_tile, list[i], block[i]);
      if (verdict[i].kind == BlockKind::tile) put_tile(list[i], verdict[i].middle, tile[i]);
    });
    return std::move(volume_);
  }

 private:
  using Verdict = BlockVerdict<Value>;

  template <class F>
  static void for_each(const char* label, const Buffer<BlockCandidate>& list, F&& f) {
    parallel_blocks(
        label, list.size(),
        [&](std::size_t, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) f(i);
        },
        std::size_t{32});
  }

  // Numbers the candidates of a kind and makes room for them.
  template <class T>
  static Buffer<std::uint32_t> number(const Buffer<Verdict>& verdict, BlockKind kind,
                                      Buffer<T>& out) {
    Buffer<std::uint32_t> place(verdict.size());
    for (std::size_t i = 0; i < place.size(); ++i) place[i] = verdict[i].kind == kind;
    out.resize(exclusive_scan("number volume blocks", place.view()));
    return place;
  }

  void put_block(const BlockOrTile<Dim, Source>& block_or_tile, const BlockCandidate& c,
                 std::size_t place) {
    Value* values = volume_.values.data() + place * VolumeBlock::voxels;
    block_or_tile.fill(c, values);
    volume_.blocks[place] = {c.origin, {}};
    mark_active(values, options_.background, tolerance_, volume_.blocks[place]);
  }

  void put_tile(const BlockCandidate& c, const Value& value, std::size_t place) {
    volume_.tiles[place] = {c.origin, c.tile != 0 ? c.tile : VolumeBlock::edge};
    volume_.tile_values[place] = value;
  }

  VoxelLattice<Dim> lattice_;
  const Source& source_;
  const VolumeOptions<Value>& options_;
  float tolerance_;
  Volume<Value> volume_;
};

template <int Dim, class Value>
int voxel_level(const Octree<Dim>& tree, const VolumeOptions<Value>& options) {
  const int level = options.level.value_or(tree.deepest_level());
  if (level < 0 || level > max_level)
    throw InputError("the level of a volume's voxels must be from 0 to {}, not {}", max_level,
                     level);
  return level;
}

template <int Dim, class Source, class Value>
Volume<Value> build(const Mesh<Dim>& mesh, const Source& source,
                    const VolumeOptions<Value>& options) {
  const int level = voxel_level(mesh.tree(), options);
  return VolumeBuilder<Dim, Source>(mesh.tree(), level, source, options).build();
}

}  // namespace

template <int Dim, class Real>
requires std::is_floating_point_v<Real> Volume<float> make_volume(
    const Mesh<Dim>& mesh, const NodeField<Real>& field, const VolumeOptions<float>& options) {
  OCTAVO_CHECK(field.belongs_to(mesh));
  return build(mesh, NodalVoxels<Dim, Real>(mesh, field.view()), options);
}

template <int Dim, class Real>
Volume<Vec3f> make_volume(const Mesh<Dim>& mesh, const NodeField<Vec<Dim, Real>>& field,
                          const VolumeOptions<Vec3f>& options) {
  OCTAVO_CHECK(field.belongs_to(mesh));
  return build(mesh, NodalVoxels<Dim, Vec<Dim, Real>>(mesh, field.view()), options);
}

template <int Dim, class Real>
Volume<float> make_volume(const Mesh<Dim>& mesh, const LeafField<Real>& field,
                          const VolumeOptions<float>& options) {
  OCTAVO_CHECK(field.belongs_to(mesh));
  return build(mesh, LeafVoxels<Dim, Real>(field.view()), options);
}

template <int Dim, class Real>
Volume<Vec3f> make_volume(const Mesh<Dim>& mesh, const FaceField<Real>& velocity,
                          const VolumeOptions<Vec3f>& options) {
  OCTAVO_CHECK(velocity.belongs_to(mesh));
  const int level = voxel_level(mesh.tree(), options);
  Volume<Vec3f> volume =
      build(mesh, StaggeredVoxels<Dim, Real>(mesh, velocity.view(), level), options);
  volume.staggered = true;
  return volume;
}

template <int Dim, class Real>
using VectorField = NodeField<Vec<Dim, Real>>;

#define OCTAVO_MAKE_VOLUME(Dim, Real)                                                 \
  template Volume<float> make_volume(const Mesh<Dim>&, const NodeField<Real>&,        \
                                     const VolumeOptions<float>&);                    \
  template Volume<Vec3f> make_volume(const Mesh<Dim>&, const VectorField<Dim, Real>&, \
                                     const VolumeOptions<Vec3f>&);                    \
  template Volume<float> make_volume(const Mesh<Dim>&, const LeafField<Real>&,        \
                                     const VolumeOptions<float>&);                    \
  template Volume<Vec3f> make_volume(const Mesh<Dim>&, const FaceField<Real>&,        \
                                     const VolumeOptions<Vec3f>&);
OCTAVO_MAKE_VOLUME(2, float)
OCTAVO_MAKE_VOLUME(3, float)
OCTAVO_MAKE_VOLUME(2, double)
OCTAVO_MAKE_VOLUME(3, double)
#undef OCTAVO_MAKE_VOLUME

}  // namespace octavo
