#pragma once

// These are what the fields of a mesh are at the voxels of a volume. A source has
//
//   Value                        float or Vec3f
//   fill(part, out)              the values of the voxels of a part of a leaf
//   inside_voxel(leaf)           the value of a voxel larger than the leaf that has its centre as its
//                                lowest corner
//   bounds(leaf)                 between which values the field is in the leaf
//   largest_difference(value)    from a value, over all of the field; infinite if that is not a number

#include <limits>

#include "octavo/mesh/interpolate.h"
#include "octavo/mesh/nodal_velocity.h"
#include "octavo/volume/volume.h"

namespace octavo {

// It is a cube of `size` <= 8 voxels along an edge inside of a leaf that has `along` of them. The first one
// is voxel `begin` of the leaf.
template <int Dim>
struct LeafPart {
  LeafId leaf;
  Vec<Dim, int> begin;
  int size, along;
};

// Values are as the file has them: in single precision, vectors with three components.
template <class Real>
float voxel_value(Real x) {
  return static_cast<float>(x);
}
template <int Dim, class Real>
Vec3f voxel_value(const Vec<Dim, Real>& x) {
  Vec3f r{};
  for (int a = 0; a < Dim; ++a) r[a] = static_cast<float>(x[a]);
  return r;
}

inline float largest_component(float x) { return std::abs(x); }
inline float largest_component(const Vec3f& x) {
  return std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
}

// It is the same as a double, for reductions in which a number that is none must not get lost.
template <class Value>
double finite_or_infinite(const Value& x) {
  const double size = largest_component(x);
  return size <= std::numeric_limits<float>::max() ? size : std::numeric_limits<double>::infinity();
}

template <class Value>
struct Bounds {
  Value lo, hi;

  void include(const Value& x) {
    using std::max, std::min;
    lo = min(lo, x);
    hi = max(hi, x);
  }
  Value middle() const { return lo + (hi - lo) * 0.5f; }
  bool narrower_than(float width) const { return largest_component(hi - lo) <= width; }
  bool near(const Value& x, float tolerance) const {
    return largest_component(lo - x) <= tolerance && largest_component(hi - x) <= tolerance;
  }
};

// The field is multilinear in the leaf. One axis comes after the other in the order of multilinear(), so that
// the numbers are the same, and what is known after the outer axes is not computed again for every voxel.
template <int Dim, class T>
class NodalVoxels {
 public:
  using Value = decltype(voxel_value(T{}));

  NodalVoxels(const Mesh<Dim>& mesh, View<const T> nodal) : mesh_(mesh.view()), nodal_(nodal) {}

  void fill(const LeafPart<Dim>& part, Value* out) const {
    T corner[child_count<Dim>];
    for (int c = 0; c < child_count<Dim>; ++c) corner[c] = nodal_[mesh_.node(part.leaf, c)];
    interpolate<0>(corner, part, out);
  }

  Value inside_voxel(LeafId leaf) const { return voxel_value(nodal_[mesh_.node(leaf, 0)]); }

  Bounds<Value> bounds(LeafId leaf) const {
    const Value first = voxel_value(nodal_[mesh_.node(leaf, 0)]);
    Bounds<Value> b{first, first};
    for (int c = 1; c < child_count<Dim>; ++c) b.include(voxel_value(nodal_[mesh_.node(leaf, c)]));
    return b;
  }

  double largest_difference(const Value& from) const {
    return parallel_max("range of volume", nodal_.size(), 0.0, [=, this](std::size_t i) {
      return finite_or_infinite(voxel_value(nodal_[i]) - from);
    });
  }

 private:
  template <int Axis>
  [[gnu::always_inline]] static void interpolate(const T (&corner)[child_count<Dim - Axis>],
                                                 const LeafPart<Dim>& part, Value* out) {
    using Real = Scalar<T>;
    if constexpr (Axis == Dim) {
      *out = voxel_value(corner[0]);
    } else {
      const Real voxel = Real(1) / static_cast<Real>(part.along);
      for (int i = 0; i < part.size; ++i) {
        const Real t = (static_cast<Real>(part.begin[Axis] + i) + Real(0.5)) * voxel, s = 1 - t;
        constexpr int pairs = child_count<Dim - Axis - 1>;
        T along[pairs];
        for (int c = 0; c < pairs; ++c) along[c] = corner[2 * c] * s + corner[2 * c + 1] * t;
        interpolate<Axis + 1>(along, part, out);
        out += VolumeBlock::stride[Axis];
      }
    }
  }

  MeshView<Dim> mesh_;
  View<const T> nodal_;
};

// Calls f(offset, voxel) for the voxels of a cube in a block.
template <int Dim, class F>
void for_each_voxel(int size, F&& f) {
  for (int x = 0; x < size; ++x)
    for (int y = 0; y < size; ++y) {
      const int offset = x * VolumeBlock::stride[0] + y * VolumeBlock::stride[1];
      if constexpr (Dim == 2)
        f(offset, Vec<2, int>{x, y});
      else
        for (int z = 0; z < size; ++z) f(offset + z, Vec<3, int>{x, y, z});
    }
}

// The field is constant in the leaf.
template <int Dim, class Real>
class LeafVoxels {
 public:
  using Value = float;

  explicit LeafVoxels(View<const Real> values) : value_(values) {}

  void fill(const LeafPart<Dim>& part, float* out) const {
    const float value = inside_voxel(part.leaf);
    for_each_voxel<Dim>(part.size, [=](int offset, const auto&) { out[offset] = value; });
  }
  float inside_voxel(LeafId leaf) const { return voxel_value(value_[leaf]); }
  Bounds<float> bounds(LeafId leaf) const { return {inside_voxel(leaf), inside_voxel(leaf)}; }
  double largest_difference(float from) const {
    return parallel_max("range of volume", value_.size(), 0.0, [=, this](std::size_t i) {
      return finite_or_infinite(voxel_value(value_[i]) - from);
    });
  }

 private:
  View<const Real> value_;
};

}  // namespace octavo
