#pragma once

// These lead from velocity components on faces to velocity vectors on nodes, and so to any point.
//
// Losasso et al. 2004, section 3: a node takes the mean of the 2^(Dim-1) faces around it of each
// axis, "as long as the faces are all the same size. Otherwise, using the coarsest neighboring face
// as the scale, we compute temporary coarsened velocities on the other faces". So the mean is taken
// over squares of one size placed symmetrically around the node, and is exact for linear fields.
// Hanging nodes are constrained. On a wall only the squares inside the box count.
//
//   NodeField<Vec3f> u = nodal_velocity(mesh, face_velocity);
//   Vec3f at_point = sample(mesh.view(), std::as_const(u).view(), point);

#include "octavo/mesh/field.h"

namespace octavo {

// With weights (the part of each face that is open to the fluid) closed faces count for nothing, except
// around nodes that have no open one.
template <int Dim, class T>
void nodal_velocity(const Mesh<Dim>& mesh, const FaceField<T>& velocity,
                    NodeField<Vec<Dim, T>>& out, View<const T> weight = {});

// This does the same for the nodes that a part of a mesh owns; hanging ones are left at zero.
template <int Dim, class T>
void nodal_velocity(const MeshView<Dim>& mesh, View<const T> velocity, View<Vec<Dim, T>> out,
                    View<const T> weight = {});

template <int Dim, class T>
NodeField<Vec<Dim, T>> nodal_velocity(const Mesh<Dim>& mesh, const FaceField<T>& velocity) {
  NodeField<Vec<Dim, T>> out;
  nodal_velocity(mesh, velocity, out);
  return out;
}

// This is the mean, by area, of value(face) over one side of a cell: over a leaf's faces there, or over
// those of all leaves of a branch that touch the side.
template <class T, int Dim, class Value>
constexpr T mean_on_side_of(const MeshView<Dim>& mesh, Cell cell, int side, Value&& value) {
  T sum{};
  if (cell.is_branch()) {
    for (int c = 0; c < child_count<Dim>; ++c)
      if (((c >> (side / 2)) & 1) == side % 2)
        sum += mean_on_side_of<T>(mesh, mesh.tree.child_of(cell.branch(), c), side, value);
    return sum / static_cast<Scalar<T>>(side_child_count<Dim>);
  }
  const FaceRange faces = mesh.faces(cell.leaf(), side);
  if (faces.size() == 1) return value(faces.first);
  const int level = mesh.tree.level(cell.leaf());
  for (const FaceId f : faces)
    sum += value(f) /
           static_cast<Scalar<T>>(std::uint64_t{1} << ((Dim - 1) * (mesh.level(f) - level)));
  return sum;
}

template <class T, int Dim>
constexpr T mean_on_side(const MeshView<Dim>& mesh, View<const T> value, Cell cell, int side) {
  return mean_on_side_of<T>(mesh, cell, side, [=](FaceId f) { return value[f]; });
}

}  // namespace octavo
