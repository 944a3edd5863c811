// This transfers face velocities: see transfer.h.

#include <bit>

#include "octavo/mesh/interpolate.h"
#include "octavo/mesh/nodal_velocity.h"
#include "octavo/mesh/transfer.h"

namespace octavo {
namespace {

// OldFaces is a face field of the old mesh, asked for its mean over squares on the sides of old leaves.
template <int Dim, class T>
struct OldFaces {
  MeshView<Dim> mesh;
  View<const T> value;
  View<const Vec<Dim, T>> nodal;

  // This is the mean over the square that projecting cell (lo, level) onto a face gives, by the slope
  // of the nodal velocities along the face.
  T on_part(FaceId face, const Lattice<Dim>& lo, int level) const {
    if (mesh.level(face) >= level) return value[face];
    const auto [leaf, side] = mesh.finer(face);
    const int axis = side / 2;
    const Key<Dim> key = mesh.tree.leaf_key[leaf];
    const Lattice<Dim> face_lo = mesh.tree.lo(key);
    const T small = static_cast<T>(1u << (max_level - level)), large = static_cast<T>(key.size());
    T result = value[face];
    for (int b = 0; b < Dim; ++b) {
      if (b == axis) continue;
      const T from_center = (static_cast<T>(lo[b] - face_lo[b]) + small / 2 - large / 2) / large;
      result += rise(leaf, side, b) * from_center;
    }
    return result;
  }

  // This is by how much the velocity across a leaf's side grows along axis b, from one end to the other.
  T rise(LeafId leaf, int side, int b) const {
    T sum = 0;
    for (int c = 0; c < child_count<Dim>; ++c) {
      if (((c >> (side / 2)) & 1) != side % 2) continue;
      const T u = nodal[mesh.node(leaf, c)][side / 2];
      sum += (c >> b) & 1 ? u : -u;
    }
    return sum * 2 / static_cast<T>(side_child_count<Dim>);
  }

  // This is the mean over the projection of cell (lo, level) onto a side of an old leaf that contains it.
  T on_side(LeafId leaf, int side, Lattice<Dim> lo, int level) const {
    const FaceId first = mesh.first_face(leaf, side);
    if (mesh.level(first) == mesh.tree.level(leaf)) return on_part(first, lo, level);

    // Smaller leaves stand on the other side: look at the cell of the square's size there.
    const Key<Dim> key = mesh.tree.leaf_key[leaf];
    const std::uint32_t start = mesh.tree.lo(key)[side / 2];
    lo[side / 2] = side % 2 == 1 ? start + key.size() : start - 1;
    const Cell across = mesh.tree.cell_at(lo, level);
    if (across.is_branch()) return mean_on_side<T>(mesh, value, across, side ^ 1);
    return on_part(mesh.first_face(across.leaf(), side ^ 1), lo, level);
  }
};

// The faces between the children of an old leaf that is split are found first without and then with
// regard to divergence.
//
// Half-way between two opposite sides a face gets the mean of what is on them. Then the children do not
// yet share the old leaf's divergence equally. The smallest change of the inner faces that makes them is
// the gradient of a potential phi on the 2^Dim children, with L phi = (divergence - mean), L the Laplacian of
// the cube's edges. Its eigenvectors are the Walsh functions, (-1)^|c & w|, with eigenvalues 2 |w|.
template <int Dim, class T>
struct Split {
  static constexpr std::size_t corrections =
      Dim * child_count<Dim>;  // at axis * 2^Dim + lower child

  static void correct(const OldFaces<Dim, T>& old, LeafId leaf, T* correction) {
    const Key<Dim> key = old.mesh.tree.leaf_key[leaf];
    std::array<T, child_count<Dim>> phi{};
    for (int c = 0; c < child_count<Dim>; ++c) {
      const Lattice<Dim> lo = old.mesh.tree.lo(key.child(c));
      for (int side = 0; side < side_count<Dim>; ++side)
        phi[static_cast<std::size_t>(c)] +=
            (side % 2 == 1 ? T(0.5) : T(-0.5)) * old.on_side(leaf, side, lo, key.level() + 1);
    }
    walsh(phi);
    phi[0] = 0;
    for (unsigned w = 1; w < child_count<Dim>; ++w)
      phi[w] /= static_cast<T>(2 * std::popcount(w) * child_count<Dim>);
    walsh(phi);
    for (int a = 0; a < Dim; ++a)
      for (std::size_t c = 0; c < child_count<Dim>; ++c)
        if (((c >> a) & 1) == 0)
          correction[static_cast<std::size_t>(a) * child_count<Dim> + c] =
              phi[c | std::size_t{1} << a] - phi[c];
  }

 private:
  // This forms the sums and differences of all pairs, axis by axis.
  static void walsh(std::array<T, child_count<Dim>>& v) {
    for (int a = 0; a < Dim; ++a)
      for (std::size_t c = 0; c < v.size(); ++c) {
        const std::size_t d = c | std::size_t{1} << a;
        if (d == c) continue;
        const T sum = v[c] + v[d], difference = v[c] - v[d];
        v[c] = sum;
        v[d] = difference;
      }
  }
};

// This numbers the old leaves that are split: leaf o is split if first[o + 1] > first[o], and is number first[o].
template <int Dim>
Buffer<std::uint32_t> number_splits(const Transfer<Dim>& transfer) {
  const View<const Key<Dim>> old_keys = transfer.from().tree().keys(),
                             new_keys = transfer.to().tree().keys();
  const View<const LeafId> origin = transfer.origin();
  Buffer<std::uint32_t> numbers(old_keys.size() + 1);
  const View<std::uint32_t> first = numbers.view();
  parallel_for("mark splits", first.size(), [=](std::size_t i) { first[i] = 0; });
  parallel_for("mark splits", new_keys.size(), [=](std::size_t i) {
    const Key<Dim> old_key = old_keys[origin[i]];
    if (old_key.level() < new_keys[i].level() && old_key.first() == new_keys[i].first())
      first[origin[i]] = 1;
  });
  exclusive_scan("number splits", first);
  return numbers;
}

template <int Dim, class T>
Buffer<T> correct_splits(const OldFaces<Dim, T>& old, View<const std::uint32_t> number) {
  Buffer<T> corrections(std::size_t{number[number.size() - 1]} * Split<Dim, T>::corrections);
  const View<T> all = corrections.view();
  parallel_for("correct splits", number.size() - 1, [=](std::size_t o) {
    if (number[o + 1] == number[o]) return;
    Split<Dim, T>::correct(old, LeafId(o), &all[number[o] * Split<Dim, T>::corrections]);
  });
  return corrections;
}

// A face in the inside of an old leaf lies between the two sides, and so does its value, which is then
// corrected. The correction is full on the planes between the children and falls to zero towards the sides.
template <int Dim, class T>
T inside_leaf(const OldFaces<Dim, T>& old, LeafId leaf, int axis, const Lattice<Dim>& lo, int level,
              std::uint32_t depth, const T* correction) {
  const Key<Dim> key = old.mesh.tree.leaf_key[leaf];
  const T t = static_cast<T>(depth) / static_cast<T>(key.size());
  const int child = OctreeView<Dim>::digit_at(lo, key.level() + 1) & ~(1 << axis);
  return old.on_side(leaf, 2 * axis, lo, level) * (1 - t) +
         old.on_side(leaf, 2 * axis + 1, lo, level) * t +
         correction[axis * child_count<Dim> + child] * (1 - std::abs(2 * t - 1));
}

}  // namespace

template <int Dim>
template <class T>
void Transfer<Dim>::operator()(const FaceField<T>& old_field, FaceField<T>& new_field) const {
  OCTAVO_CHECK(old_field.belongs_to(from_));
  new_field.resize(to_);
  NodeField<Vec<Dim, T>> nodal;
  if (refines_) nodal_velocity(from_, old_field, nodal);
  const OldFaces<Dim, T> old{from_.view(), old_field.view(), std::as_const(nodal).view()};
  const Buffer<std::uint32_t> split_numbers = number_splits(*this);
  const View<const std::uint32_t> split = split_numbers.view();
  const Buffer<T> corrections = correct_splits(old, split);
  const T* correction = corrections.data();

  const MeshView<Dim> new_mesh = to_.view();
  const View<const LeafId> origin = origin_.view();
  const View<T> to = new_field.view();
  parallel_for("transfer face field", new_mesh.face_count(), [=](std::size_t i) {
    const auto [leaf, side] = new_mesh.finer(FaceId(i));
    const Key<Dim> key = new_mesh.tree.leaf_key[leaf];
    const int level = key.level(), axis = side / 2;
    const LeafId o = origin[leaf];
    const Key<Dim> old_key = old.mesh.tree.leaf_key[o];

    // Most often nothing has changed here.
    const FaceId same = old.mesh.first_face(o, side);
    if (old_key == key && old.mesh.level(same) == level) {
      to[i] = old.value[same];
      return;
    }
    const Lattice<Dim> lo = new_mesh.tree.lo(key);

    // The leaf was merged from smaller ones: the face is a side of the cell that held them.
    if (old_key.level() > level) {
      to[i] = mean_on_side<T>(old.mesh, old.value, old.mesh.tree.cell_at(lo, level), side);
      return;
    }

    // The face lies on a side of the old leaf, or between two of them.
    const std::uint32_t plane = lo[axis] + (side % 2 == 1 ? key.size() : 0);
    const std::uint32_t depth = plane - old.mesh.tree.lo(old_key)[axis];
    if (depth == 0)
      to[i] = old.on_side(o, 2 * axis, lo, level);
    else if (depth == old_key.size())
      to[i] = old.on_side(o, 2 * axis + 1, lo, level);
    else
      to[i] = inside_leaf(old, o, axis, lo, level, depth,
                          correction + std::size_t{split[o]} * Split<Dim, T>::corrections);
  });
}

template void Transfer<2>::operator()(const FaceField<float>&, FaceField<float>&) const;
template void Transfer<3>::operator()(const FaceField<float>&, FaceField<float>&) const;
template void Transfer<2>::operator()(const FaceField<double>&, FaceField<double>&) const;
template void Transfer<3>::operator()(const FaceField<double>&, FaceField<double>&) const;

}  // namespace octavo
