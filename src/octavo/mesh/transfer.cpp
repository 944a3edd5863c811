#include "octavo/mesh/transfer.h"

#include "octavo/mesh/interpolate.h"
#include "octavo/mesh/nodal_velocity.h"

namespace octavo {

// Both arrays of leaves are sorted along the same curve: each block finds its start by bisection
// and walks along the two together.
template <int Dim>
Transfer<Dim>::Transfer(const Mesh<Dim>& from, const Mesh<Dim>& to) : from_(from), to_(to) {
  if (!(from.tree().domain() == to.tree().domain()))
    throw InputError("fields can only be transferred between meshes of the same box");
  const View<const Key<Dim>> old_keys = from.tree().keys(), new_keys = to.tree().keys();
  origin_.resize(new_keys.size());
  const View<LeafId> origin = origin_.view();
  std::vector<std::uint8_t> refined(block_count(new_keys.size()), 0);
  parallel_blocks(
      "match leaves", new_keys.size(), [&](std::size_t block, std::size_t begin, std::size_t end) {
        auto ends_before = [](const Key<Dim>& old_key, const Key<Dim>& new_key) {
          return old_key.last() < new_key.first();
        };
        const Key<Dim>* at =
            std::lower_bound(old_keys.begin(), old_keys.end(), new_keys[begin], ends_before);
        for (std::size_t i = begin; i < end; ++i) {
          while (ends_before(*at, new_keys[i])) ++at;
          origin[i] = LeafId(at - old_keys.begin());
          if (at->level() < new_keys[i].level()) refined[block] = 1;
        }
      });
  for (const auto r : refined) refines_ = refines_ || r != 0;
}

template <int Dim>
template <class T>
void Transfer<Dim>::operator()(const LeafField<T>& old_field, LeafField<T>& new_field) const {
  new_field.resize(to_);
  const View<const Key<Dim>> old_keys = from_.tree().keys(), new_keys = to_.tree().keys();
  const View<const LeafId> origin = origin_.view();
  const View<const T> from = old_field.view();
  const View<T> to = new_field.view();
  parallel_for("transfer leaf field", new_keys.size(), [=](std::size_t i) {
    std::size_t o = origin[i];
    if (old_keys[o].level() <= new_keys[i].level()) {
      to[i] = from[o];
      return;
    }
    T mean{};
    for (; o < old_keys.size() && new_keys[i].contains(old_keys[o]); ++o) {
      const int finer = old_keys[o].level() - new_keys[i].level();
      mean = mean + from[o] * (1 / static_cast<Scalar<T>>(std::uint64_t{1} << (Dim * finer)));
    }
    to[i] = mean;
  });
}

template <int Dim>
template <class T>
void Transfer<Dim>::operator()(const NodeField<T>& old_field, NodeField<T>& new_field) const {
  new_field.resize(to_);
  const MeshView<Dim> old_mesh = from_.view(), new_mesh = to_.view();
  const View<const LeafId> origin = origin_.view();
  const View<const T> from = old_field.view();
  const View<T> to = new_field.view();
  parallel_for("transfer node field", new_mesh.node_count(), [=](std::size_t i) {
    const auto at = new_mesh.corner_of(NodeId(i));
    const int level = new_mesh.tree.level(at.leaf);
    const Lattice<Dim> p = new_mesh.lattice(at.leaf, at.corner);
    LeafId o = origin[at.leaf];

    // Where leaves were merged, or are as they were, the old leaf in this corner has the node too.
    if (old_mesh.tree.level(o) >= level) {
      if (at.corner != 0 && old_mesh.tree.level(o) > level) {
        Lattice<Dim> inside = p;
        for (int a = 0; a < Dim; ++a) inside[a] -= static_cast<std::uint32_t>((at.corner >> a) & 1);
        o = old_mesh.tree.leaf_at(inside);
      }
      to[i] = from[old_mesh.node(o, at.corner)];
      return;
    }
    const Lattice<Dim> lo = old_mesh.tree.lo(o);
    const Scalar<T> scale = 1 / static_cast<Scalar<T>>(old_mesh.tree.leaf_key[o].size());
    Vec<Dim, Scalar<T>> local{};
    for (int a = 0; a < Dim; ++a) local[a] = static_cast<Scalar<T>>(p[a] - lo[a]) * scale;
    to[i] = sample_in_leaf<T>(old_mesh, from, o, local);
  });
  constrain(to_, new_field);
}

namespace {

// A face field of the old mesh, asked for its mean over squares on the sides of old leaves.
template <int Dim, class T>
struct OldFaces {
  MeshView<Dim> mesh;
  View<const T> value;
  View<const Vec<Dim, T>> nodal;

  // The mean over the square that projecting cell (lo, level) onto a face gives, by the slope of
  // the nodal velocities along the face.
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

  // By how much the velocity across a leaf's side grows along axis b, from one end to the other.
  T rise(LeafId leaf, int side, int b) const {
    T sum = 0;
    for (int c = 0; c < child_count<Dim>; ++c) {
      if (((c >> (side / 2)) & 1) != side % 2) continue;
      const T u = nodal[mesh.node(leaf, c)][side / 2];
      sum += (c >> b) & 1 ? u : -u;
    }
    return sum * 2 / static_cast<T>(side_child_count<Dim>);
  }

  // The mean over the projection of cell (lo, level) onto a side of an old leaf that contains it.
  T on_side(LeafId leaf, int side, Lattice<Dim> lo, int level) const {
    const FaceId first = mesh.face(leaf, side);
    if (mesh.level(first) == mesh.tree.level(leaf)) return on_part(first, lo, level);

    // Smaller leaves stand on the other side: look at the cell of the square's size there.
    const Key<Dim> key = mesh.tree.leaf_key[leaf];
    const std::uint32_t start = mesh.tree.lo(key)[side / 2];
    lo[side / 2] = side % 2 == 1 ? start + key.size() : start - 1;
    const Cell across = mesh.tree.cell_at(lo, level);
    if (across.is_branch()) return mean_on_side<T>(mesh, value, across, side ^ 1);
    return on_part(mesh.face(across.leaf(), side ^ 1), lo, level);
  }
};

}  // namespace

template <int Dim>
template <class T>
void Transfer<Dim>::operator()(const FaceField<T>& old_field, FaceField<T>& new_field) const {
  new_field.resize(to_);
  NodeField<Vec<Dim, T>> nodal;
  if (refines_) nodal_velocity(from_, old_field, nodal);
  const OldFaces<Dim, T> old{from_.view(), old_field.view(), std::as_const(nodal).view()};
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
    const FaceId same = old.mesh.face(o, side);
    if (old_key == key && old.mesh.level(same) == level) {
      to[i] = old.value[same];
      return;
    }
    const Lattice<Dim> lo = new_mesh.tree.lo(key);

    // The leaf was merged from smaller ones: the face is a side of the cell that held them.
    if (old_key.level() > level) {
      const Cell cell = old.mesh.tree.cell_at(lo, level);
      to[i] = mean_on_side<T>(old.mesh, old.value, cell, side);
      return;
    }

    // The face lies on a side of the old leaf, or between two of them.
    const std::uint32_t plane = lo[axis] + (side % 2 == 1 ? key.size() : 0);
    const std::uint32_t depth = plane - old.mesh.tree.lo(old_key)[axis];
    if (depth == 0)
      to[i] = old.on_side(o, 2 * axis, lo, level);
    else if (depth == old_key.size())
      to[i] = old.on_side(o, 2 * axis + 1, lo, level);
    else {
      const T t = static_cast<T>(depth) / static_cast<T>(old_key.size());
      to[i] = old.on_side(o, 2 * axis, lo, level) * (1 - t) +
              old.on_side(o, 2 * axis + 1, lo, level) * t;
    }
  });
}

template class Transfer<2>;
template class Transfer<3>;

#define OCTAVO_INSTANTIATE(Dim, Place, T) \
  template void Transfer<Dim>::operator()(const Field<Place, T>&, Field<Place, T>&) const;
#define OCTAVO_INSTANTIATE_ALL(Dim)       \
  OCTAVO_INSTANTIATE(Dim, LeafId, float)  \
  OCTAVO_INSTANTIATE(Dim, LeafId, double) \
  OCTAVO_INSTANTIATE(Dim, FaceId, float)  \
  OCTAVO_INSTANTIATE(Dim, FaceId, double) \
  OCTAVO_INSTANTIATE(Dim, NodeId, float)  \
  OCTAVO_INSTANTIATE(Dim, NodeId, double) \
  OCTAVO_INSTANTIATE(Dim, NodeId, Vec2f)  \
  OCTAVO_INSTANTIATE(Dim, NodeId, Vec2d)  \
  OCTAVO_INSTANTIATE(Dim, NodeId, Vec3f)  \
  OCTAVO_INSTANTIATE(Dim, NodeId, Vec3d)
OCTAVO_INSTANTIATE_ALL(2)
OCTAVO_INSTANTIATE_ALL(3)

}  // namespace octavo
