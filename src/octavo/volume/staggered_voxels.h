#pragma once

// Velocities on faces are a source of staggered volumes: see volume_sources.h.

#include "octavo/volume/volume_values.h"

namespace octavo {

// In a leaf larger than a voxel, velocities are linear from one side to the other. Where a side consists of
// several faces, each of them counts for the voxels beside it. So a voxel that is a leaf has the divergence
// of that leaf, and the voxels of a larger leaf together have that of theirs.
template <int Dim, class Real>
class StaggeredVoxels {
 public:
  using Value = Vec3f;

  StaggeredVoxels(const Mesh<Dim>& mesh, View<const Real> velocity, int voxel_level)
      : mesh_(mesh.view()), velocity_(velocity), voxel_level_(voxel_level) {}

  void fill(const LeafPart<Dim>& part, Vec3f* out) const {
    for (int a = 0; a < Dim; ++a)
      if (part.along == 1)
        (*out)[a] = voxel_value(velocity_[mesh_.first_face(part.leaf, 2 * a)]);
      else
        fill_component(a, part, out);
    if constexpr (Dim == 2)
      for_each_voxel<Dim>(part.size, [=](int offset, const auto&) { out[offset][2] = 0; });
  }

  Vec3f inside_voxel(LeafId leaf) const {
    const Cell voxel = mesh_.tree.cell_at(mesh_.tree.lo(leaf), voxel_level_);
    Vec3f value{};
    for (int a = 0; a < Dim; ++a)
      value[a] = voxel_value(mean_on_side(mesh_, velocity_, voxel, 2 * a));
    return value;
  }

  Bounds<Vec3f> bounds(LeafId leaf) const {
    Bounds<Vec3f> b{};
    for (int side = 0; side < side_count<Dim>; ++side) {
      const int a = side / 2;
      if (side % 2 == 0) b.lo[a] = b.hi[a] = voxel_value(velocity_[mesh_.first_face(leaf, side)]);
      for (const FaceId f : mesh_.faces(leaf, side)) {
        b.lo[a] = std::min(b.lo[a], voxel_value(velocity_[f]));
        b.hi[a] = std::max(b.hi[a], voxel_value(velocity_[f]));
      }
    }
    return b;
  }

  double largest_difference(const Vec3f& from) const {
    return parallel_max("range of volume", velocity_.size(), 0.0, [=, this](std::size_t f) {
      return finite_or_infinite(voxel_value(velocity_[f]) - from[mesh_.axis(FaceId(f))]);
    });
  }

 private:
  // These values stand on a side, at the places across of the voxels: their offsets in the block, with 0
  // along.
  struct SideValues {
    Real at[VolumeBlock::voxels];
  };

  void fill_component(int axis, const LeafPart<Dim>& part, Vec3f* out) const {
    SideValues low, high;
    lay_side(part, 2 * axis, low);
    lay_side(part, 2 * axis + 1, high);
    for_each_voxel<Dim>(part.size, [&](int offset, const Vec<Dim, int>& voxel) {
      const int across = offset - voxel[axis] * VolumeBlock::stride[axis];
      const Real t =
          static_cast<Real>(part.begin[axis] + voxel[axis]) / static_cast<Real>(part.along);
      out[offset][axis] = voxel_value(low.at[across] * (1 - t) + high.at[across] * t);
    });
  }

  void lay_side(const LeafPart<Dim>& part, int side, SideValues& out) const {
    const FaceId first = mesh_.first_face(part.leaf, side);
    const int level = mesh_.tree.level(part.leaf);
    if (mesh_.level(first) <= level) return lay(velocity_[first], side / 2, 0, part.size, out);

    // There are smaller leaves beyond: begin with the cell as large as the part that touches it, were the
    // part moved to that side of the leaf.
    const std::uint32_t voxel = 1u << (max_level - voxel_level_);
    const auto size = static_cast<std::uint32_t>(part.size) * voxel;
    const Lattice<Dim> lo = mesh_.tree.lo(part.leaf);
    Lattice<Dim> at = lo + part.begin.template cast<std::uint32_t>() * voxel;
    at[side / 2] = side % 2 == 0 ? lo[side / 2] - size
                                 : lo[side / 2] + static_cast<std::uint32_t>(part.along) * voxel;
    const int part_level = voxel_level_ - std::countr_zero(static_cast<unsigned>(part.size));
    lay_cell(mesh_.tree.cell_at(at, part_level), side ^ 1, 0, part.size, out);
  }

  // There is one value for each leaf on that side of the cell, or the mean of several if they are smaller
  // than a voxel.
  void lay_cell(Cell cell, int side, int offset, int size, SideValues& out) const {
    if (cell.is_leaf() || size == 1)
      return lay(mean_on_side(mesh_, velocity_, cell, side), side / 2, offset, size, out);
    for (int c = 0; c < child_count<Dim>; ++c) {
      if (((c >> (side / 2)) & 1) != side % 2) continue;
      int child_offset = offset;
      for (int a = 0; a < Dim; ++a)
        if (a != side / 2) child_offset += ((c >> a) & 1) * size / 2 * VolumeBlock::stride[a];
      lay_cell(mesh_.tree.child_of(cell.branch(), c), side, child_offset, size / 2, out);
    }
  }

  static void lay(Real value, int axis, int offset, int size, SideValues& out) {
    const int step = VolumeBlock::stride[axis == 0 ? 1 : 0];
    const int inner = Dim == 2 ? 0 : VolumeBlock::stride[axis == 2 ? 1 : 2];
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < (Dim == 2 ? 1 : size); ++j) out.at[offset + i * step + j * inner] = value;
  }

  MeshView<Dim> mesh_;
  View<const Real> velocity_;
  int voxel_level_;
};

}  // namespace octavo
