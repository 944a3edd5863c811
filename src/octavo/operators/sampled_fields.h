#pragma once

// What advection carries can be asked for its value at any point of a mesh, and for the least and the largest of the
// values that went into the answer (the *stencil*). Values of hardly any weight do not count: on the border of two
// leaves, where rounding decides which of them a point is in, the stencil must not depend on that.
//
//   NodalInterpolant   K nodal fields at once, multilinear (Losasso 2004, section 4)
//   FaceInterpolant    the velocity on faces. From the nodal velocities alone, as in the paper, or exact
//                 on faces as well: in a leaf with local coordinates t, to the multilinear value of
//                 component a is added
//
//                   ((1 - t_a) r_low + t_a r_high) prod_b (1 - |2 t_b - 1|),   b != a,
//
//                 r = velocity of the side - mean of its corners. The paper's averaging to nodes and
//                 back smooths a velocity even if nothing moves; this does not, and in 2D equals the
//                 bilinear interpolation between faces wherever leaves have one size. Where sizes
//                 differ and the parts of a large face share one velocity, its residual is that of the
//                 whole side of the larger leaf, from both sides; if they do not share it, there is none.

#include <algorithm>
#include <limits>

#include "octavo/mesh/interpolate.h"

namespace octavo {

template <int K, class Real>
struct Bounded {
  Vec<K, Real> value, least, largest;

  // The stencil is all that a limited scheme may return.
  Vec<K, Real> limit(const Vec<K, Real>& v) const { return max(least, min(largest, v)); }
};

// These are the corners of a leaf that have a weight at a point.
template <int Dim, class Real>
class WeightyCorners {
 public:
  explicit WeightyCorners(const Vec<Dim, Real>& local) {
    for (int a = 0; a < Dim; ++a) {
      if (local[a] < hardly_any) at_low_end_ |= 1 << a;
      if (local[a] > 1 - hardly_any) at_high_end_ |= 1 << a;
    }
  }
  bool has(int corner) const { return ((corner & at_low_end_) | (~corner & at_high_end_)) == 0; }

  static constexpr Real hardly_any = static_cast<Real>(1e-5);

 private:
  int at_low_end_ = 0, at_high_end_ = 0;
};

// This interpolates corner(c) multilinearly and gives the stencil as well.
template <int Dim, int K, class Real, class Corner>
Bounded<K, Real> multilinear_bounded(const Vec<Dim, Real>& local, Corner&& corner) {
  Vec<K, Real> value[child_count<Dim>];
  for (int c = 0; c < child_count<Dim>; ++c) value[c] = corner(c);
  const WeightyCorners<Dim, Real> weighty(local);
  Bounded<K, Real> r{multilinear<Dim>(local, [&](int c) { return value[c]; }), {}, {}};
  r.least = r.largest = r.value;
  for (int c = 0; c < child_count<Dim>; ++c) {
    if (!weighty.has(c)) continue;
    r.least = min(r.least, value[c]);
    r.largest = max(r.largest, value[c]);
  }
  return r;
}

// A solid may leave a leaf alone (none), have corners of it inside (cut), or stand between two of the others (split).
enum class Cut : std::uint8_t { none, cut, split };

// This says which nodes are inside of solids, and which leaves are cut; if it is empty, there are none.
template <int Dim>
struct SolidNodes {
  View<const SolidMark> inside;  // nodes
  View<const Cut> cut;           // leaves
  const void* obstacles = nullptr;
  bool (*is_between)(const void* obstacles, const Vec<Dim>& p, const Vec<Dim>& q) = nullptr;
  double (*distance)(const void* obstacles, const Vec<Dim>& p) = nullptr;  // signed, m

  bool cuts(LeafId leaf) const { return cut.size() > 0 && cut[leaf] != Cut::none; }
  bool splits(LeafId leaf) const { return cut[leaf] == Cut::split; }
};

template <int Dim, int K, class Real>
struct NodalInterpolant {
  MeshView<Dim> mesh;
  View<const Real> field[K];
  SolidNodes<Dim> solid;
  bool heated[K] = {};  // what is inside of hot solids counts beside them

  Vec<K, Real> at_node(NodeId node) const {
    Vec<K, Real> v{};
    for (int k = 0; k < K; ++k) v[k] = field[k][node];
    return v;
  }

  Vec<K, Real> own(std::size_t i) const { return at_node(NodeId(i)); }
  bool is_in_solid(std::size_t i) const { return solid.inside.size() > 0 && solid.inside[i] != 0; }

  // This tells whether a value at the point would have to do with what is inside of a solid.
  bool is_beside_solid(const LeafPoint<Dim, Real>& at) const {
    if (!solid.cuts(at.leaf)) return false;
    if (solid.splits(at.leaf)) return true;
    const WeightyCorners<Dim, Real> weighty(at.local);
    for (int c = 0; c < child_count<Dim>; ++c)
      if (solid.inside[mesh.node(at.leaf, c)] != 0 && weighty.has(c)) return true;
    return false;
  }

  Vec<K, Real> sample(const LeafPoint<Dim, Real>& at, int) const {
    if (solid.cuts(at.leaf)) return beside_solid(at).value;
    return multilinear<Dim>(at.local, [&](int c) { return at_node(mesh.node(at.leaf, c)); });
  }
  Bounded<K, Real> bounded(const LeafPoint<Dim, Real>& at, int) const {
    if (solid.cuts(at.leaf)) return beside_solid(at);
    return multilinear_bounded<Dim, K>(at.local,
                                       [&](int c) { return at_node(mesh.node(at.leaf, c)); });
  }

 private:
  static Real corner_weight(const Vec<Dim, Real>& local, int corner) {
    Real weight = 1;
    for (int a = 0; a < Dim; ++a) weight *= (corner >> a) & 1 ? local[a] : 1 - local[a];
    return weight;
  }

  // What is inside of a solid is no smoke, and what is behind one does not count either: such corners are left
  // out, and the others count for more. Only the temperature of hot solids gets out.
  Bounded<K, Real> beside_solid(const LeafPoint<Dim, Real>& at) const {
    int outside = 0, hot = 0;
    for (int c = 0; c < child_count<Dim>; ++c) {
      const SolidMark mark = solid.inside[mesh.node(at.leaf, c)];
      if ((mark != 0 && !is_hot(mark)) || is_behind_solid(at, c)) continue;
      (mark == 0 ? outside : hot) |= 1 << c;
    }
    Bounded<K, Real> r{};
    for (int k = 0; k < K; ++k) {
      const Bounded<1, Real> one = mean_of_corners(at, k, heated[k] ? outside | hot : outside);
      r.value[k] = one.value[0];
      r.least[k] = one.least[0];
      r.largest[k] = one.largest[0];
    }
    return r;
  }

  // This is the mean of some corners by their weights. If there are no such corners, those inside of a solid
  // say what is there; if none has a weight, the point is at another corner, equally far from all of them.
  Bounded<1, Real> mean_of_corners(const LeafPoint<Dim, Real>& at, int k, int corners) const {
    if (corners == 0) {
      const Real v = field[k][corner_inside(at)];
      return {{v}, {v}, {v}};
    }
    const WeightyCorners<Dim, Real> weighty(at.local);
    int counting = 0;
    for (int c = 0; c < child_count<Dim>; ++c)
      if (((corners >> c) & 1) != 0 && weighty.has(c)) counting |= 1 << c;
    const bool has_weight = counting != 0;
    if (!has_weight) counting = corners;

    Real sum = 0, total = 0, least = std::numeric_limits<Real>::max(), largest = -least;
    for (int c = 0; c < child_count<Dim>; ++c) {
      if (((counting >> c) & 1) == 0) continue;
      const Real weight = has_weight ? corner_weight(at.local, c) : Real{1};
      const Real v = field[k][mesh.node(at.leaf, c)];
      least = std::min(least, v);
      largest = std::max(largest, v);
      sum += v * weight;
      total += weight;
    }
    return {{sum / total}, {least}, {largest}};
  }

  bool is_behind_solid(const LeafPoint<Dim, Real>& at, int corner) const {
    if (!solid.splits(at.leaf)) return false;
    const Vec<Dim> low = mesh.tree.domain.position(mesh.tree.lo(at.leaf));
    const Vec<Dim> p = low + at.local.template cast<double>() * mesh.tree.size(at.leaf);
    return solid.is_between(solid.obstacles, p,
                            mesh.tree.domain.position(mesh.lattice(at.leaf, corner)));
  }

  // This finds a corner inside of a solid; if there is none, in a leaf split by a
  // thin sheet, it takes the nearest one.
  NodeId corner_inside(const LeafPoint<Dim, Real>& at) const {
    int nearest = 0;
    for (int a = 0; a < Dim; ++a)
      if (at.local[a] > static_cast<Real>(0.5)) nearest |= 1 << a;
    for (int c = 0; c < child_count<Dim>; ++c)
      if (solid.inside[mesh.node(at.leaf, c)] != 0) nearest = c;
    return mesh.node(at.leaf, nearest);
  }
};

template <int Dim, class Real>
struct FaceInterpolant {
  MeshView<Dim> mesh;
  View<const Real> face;
  View<const Vec<Dim, Real>> nodal;
  bool exact_on_faces = false;
  bool shared = false;  // the parts of a large face have one velocity

  Vec<1, Real> own(std::size_t i) const { return {face[i]}; }
  static constexpr bool is_in_solid(std::size_t) { return false; }
  static constexpr bool is_beside_solid(const LeafPoint<Dim, Real>&) { return false; }

  Vec<1, Real> sample(const LeafPoint<Dim, Real>& at, int axis) const {
    return value_at(at, axis, [](Real) {});
  }
  Bounded<1, Real> bounded(const LeafPoint<Dim, Real>& at, int axis) const {
    Real least = std::numeric_limits<Real>::max(), largest = -least;
    const Vec<1, Real> value = value_at(at, axis, [&](Real v) {
      least = std::min(least, v);
      largest = std::max(largest, v);
    });
    return {value, {least}, {largest}};
  }

 private:
  template <class See>
  [[gnu::always_inline]] Vec<1, Real> value_at(const LeafPoint<Dim, Real>& at, int axis,
                                               See&& see) const {
    const WeightyCorners<Dim, Real> weighty(at.local);
    Real corner[child_count<Dim>];
    for (int c = 0; c < child_count<Dim>; ++c) {
      corner[c] = nodal[mesh.node(at.leaf, c)][axis];
      if (weighty.has(c)) see(corner[c]);
    }
    Real value = multilinear<Dim>(at.local, [&](int c) { return corner[c]; });
    if (!exact_on_faces) return {value};

    const Real bump = bump_at(at.local, axis);
    for (int end = 0; end < 2; ++end) {
      const FaceId f = mesh.first_face(at.leaf, 2 * axis + end);
      const Real nearness = end == 1 ? at.local[axis] : 1 - at.local[axis];
      const bool counts = nearness > WeightyCorners<Dim, Real>::hardly_any;
      if (mesh.is_part(f)) {
        if (!shared) continue;
        if (mesh.level(f) == mesh.tree.level(at.leaf)) {
          if (counts) see(face[f]);
          value += nearness * residual_of_larger(at, f, 2 * axis + end);
          continue;
        }
      }
      Real mean = 0;
      for (int c = 0; c < child_count<Dim>; ++c)
        if (((c >> axis) & 1) == end) mean += corner[c];
      if (counts) see(face[f]);
      value += nearness * bump * (face[f] - mean / static_cast<Real>(side_child_count<Dim>));
    }
    return {value};
  }

  // The bump is one in the middle of a side across the axis and zero at its edges.
  static Real bump_at(const Vec<Dim, Real>& local, int axis) {
    Real bump = 1;
    for (int b = 0; b < Dim; ++b)
      if (b != axis) bump *= 1 - std::abs(2 * local[b] - 1);
    return bump;
  }

  // This is what the side of the larger leaf, of which face f on `side` is a part, adds at a point.
  Real residual_of_larger(const LeafPoint<Dim, Real>& at, FaceId f, int side) const {
    const FaceLeaves leaves = mesh.face_leaf[f];
    const LeafId large = side % 2 == 1 ? leaves.high : leaves.low;
    const Key<Dim> small_key = mesh.tree.leaf_key[at.leaf], large_key = mesh.tree.leaf_key[large];
    const Lattice<Dim> low = mesh.tree.lo(small_key), origin = mesh.tree.lo(large_key);
    const Real size = static_cast<Real>(small_key.size()),
               whole = static_cast<Real>(large_key.size());
    Vec<Dim, Real> local{};
    for (int b = 0; b < Dim; ++b)
      if (b != side / 2)
        local[b] = (static_cast<Real>(low[b] - origin[b]) + at.local[b] * size) / whole;
    Real mean = 0;
    for (int c = 0; c < child_count<Dim>; ++c)
      if (((c >> (side / 2)) & 1) != side % 2) mean += nodal[mesh.node(large, c)][side / 2];
    return bump_at(local, side / 2) * (face[f] - mean / static_cast<Real>(side_child_count<Dim>));
  }
};

}  // namespace octavo
