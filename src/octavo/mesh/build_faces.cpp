// This numbers the faces of a mesh.
//
// A leaf owns, side by side, the faces it shares with smaller leaves and with the wall, and on its
// high sides those it shares with equals. So every contact is owned once, by the leaf that sees all
// parts of it, and the parts of a large face are numbered together. Counting owned faces and a scan
// give every leaf its first number; then the owner writes the face and tells the leaf on the other
// side.

#include "octavo/mesh/mesh.h"
#include "octavo/tree/surroundings.h"

namespace octavo {
namespace {

template <int Dim>
std::uint32_t count_on_side(const OctreeView<Dim>& tree, Cell cell, int side) {
  std::uint32_t count = 0;
  for_each_on_side(tree, cell, side, [&](LeafId) { ++count; });
  return count;
}

// This counts how many faces of a side belong to the leaf, given the cell across it.
template <int Dim>
std::uint32_t owned_faces(const OctreeView<Dim>& tree, Cell across, int level, int side) {
  if (across.is_outside()) return 1;
  if (across.is_branch()) return count_on_side(tree, across, side ^ 1);
  return side % 2 == 1 && tree.level(across.leaf()) == level ? 1 : 0;
}

}  // namespace

template <int Dim>
void Mesh<Dim>::build_faces() {
  const ColleaguesView<Dim> around = colleagues_.view(*tree_);
  const OctreeView<Dim> tree = around.tree;
  const std::size_t n = tree.leaf_count();
  count_.resize(n);
  const View<std::uint32_t> first = count_.view();
  parallel_for("count faces", n, [=](std::size_t i) {
    const LeafSurroundings<Dim> leaf(around, LeafId(i));
    std::uint32_t count = 0;
    for (int side = 0; side < side_count<Dim>; ++side)
      count += owned_faces(tree, leaf.cell(side_direction<Dim>(side)), leaf.level(), side);
    first[i] = count;
  });
  const std::size_t total = exclusive_scan("number faces", first);
  if (total >= Id<FaceTag>::none_value) throw InputError("the mesh has too many faces: {}", total);

  face_leaf_.resize(total);
  face_info_.resize(total);
  leaf_face_.resize(n * side_count<Dim>);
  const View<FaceLeaves> face_leaf = face_leaf_.view();
  const View<std::uint8_t> face_info = face_info_.view();
  const View<FaceId> leaf_face = leaf_face_.view();
  parallel_for("write faces", n, [=](std::size_t i) {
    const LeafSurroundings<Dim> leaf(around, LeafId(i));
    std::uint32_t next = first[i];
    for (int side = 0; side < side_count<Dim>; ++side) {
      const Cell across = leaf.cell(side_direction<Dim>(side));
      const std::uint32_t count = owned_faces(tree, across, leaf.level(), side);
      if (count == 0) continue;  // the leaf across writes it
      const auto mine = i * side_count<Dim> + static_cast<std::size_t>(side);
      const std::uint32_t end = next + count;
      leaf_face[mine] = FaceId(next);
      auto write = [&](LeafId other, int level) {
        face_leaf[next] =
            side % 2 == 1 ? FaceLeaves{LeafId(i), other} : FaceLeaves{other, LeafId(i)};
        face_info[next] = MeshView<Dim>::pack_face(side / 2, level, next + 1 == end);
        if (!other.is_none())
          leaf_face[std::size_t{other} * side_count<Dim> + static_cast<std::size_t>(side ^ 1)] =
              FaceId(next);
        ++next;
      };
      if (across.is_outside())
        write(LeafId::none(), leaf.level());
      else
        for_each_on_side(tree, across, side ^ 1,
                         [&](LeafId other) { write(other, tree.level(other)); });
    }
  });
}

template void Mesh<2>::build_faces();
template void Mesh<3>::build_faces();

}  // namespace octavo
