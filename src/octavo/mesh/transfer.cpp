#include "octavo/mesh/transfer.h"

#include "octavo/mesh/interpolate.h"

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
  OCTAVO_CHECK(old_field.belongs_to(from_));
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
  OCTAVO_CHECK(old_field.belongs_to(from_));
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

template class Transfer<2>;
template class Transfer<3>;

#define OCTAVO_INSTANTIATE(Dim, Place, T) \
  template void Transfer<Dim>::operator()(const Field<Place, T>&, Field<Place, T>&) const;
#define OCTAVO_INSTANTIATE_ALL(Dim)       \
  OCTAVO_INSTANTIATE(Dim, LeafId, float)  \
  OCTAVO_INSTANTIATE(Dim, LeafId, double) \
  OCTAVO_INSTANTIATE(Dim, NodeId, float)  \
  OCTAVO_INSTANTIATE(Dim, NodeId, double) \
  OCTAVO_INSTANTIATE(Dim, NodeId, Vec2f)  \
  OCTAVO_INSTANTIATE(Dim, NodeId, Vec2d)  \
  OCTAVO_INSTANTIATE(Dim, NodeId, Vec3f)  \
  OCTAVO_INSTANTIATE(Dim, NodeId, Vec3d)
OCTAVO_INSTANTIATE_ALL(2)
OCTAVO_INSTANTIATE_ALL(3)

}  // namespace octavo
