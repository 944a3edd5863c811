#include "octavo/mesh/nodal_velocity.h"

#include "octavo/mesh/interpolate.h"
#include "octavo/tree/surroundings.h"

namespace octavo {
namespace {

// These are the leaves that touch a node, by octant, with their levels (-1 outside). All leaves around a node of a
// part of a mesh are in it, or ghosts.
template <int Dim>
struct NodeLeaves {
  LeafId leaf[child_count<Dim>];
  int level[child_count<Dim>];
  bool hanging = false, all_equal = true, complete = true;

  NodeLeaves(const MeshView<Dim>& mesh, NodeId node) {
    const auto at = mesh.corner_of(node);
    const LeafSurroundings<Dim> self(mesh.around, at.leaf);
    const CornerSurroundings<Dim> corner(mesh.tree, self, at.corner);
    for (int o = 0; o < child_count<Dim>; ++o) {
      leaf[o] = corner.leaf(o);
      level[o] = leaf[o].is_here() ? mesh.tree.level(leaf[o]) : -1;
      complete = complete && !leaf[o].is_elsewhere();
      hanging = hanging || (level[o] >= 0 && level[o] < corner.corner_level());
      all_equal = all_equal && level[o] == level[0];
    }
  }
};

// This is the face of an axis between octant o below and the octant above it, as a side of the coarser
// leaf: what meets smaller leaves there counts as one face, whose parts may share one velocity.
template <int Dim>
struct QuadrantFace {
  LeafId leaf;
  int side, level;  // level -1: no leaf on either side

  QuadrantFace(const NodeLeaves<Dim>& around, int low, int axis) {
    const int high = low | 1 << axis;
    const bool both = around.level[low] >= 0 && around.level[high] >= 0;
    const bool use_low = both ? around.level[low] <= around.level[high] : around.level[low] >= 0;
    leaf = around.leaf[use_low ? low : high];
    level = around.level[use_low ? low : high];
    side = 2 * axis + (use_low ? 1 : 0);
  }
};

// A Weighed holds velocity times weight, and weight.
template <class T>
using Weighed = Vec<2, T>;

template <class T, int Dim, class Value>
auto component_at(const MeshView<Dim>& mesh, const NodeLeaves<Dim>& around, int axis,
                  Value&& value) {
  using V = decltype(value(FaceId()));
  V sum{};
  if (around.all_equal) {
    for (int low = 0; low < child_count<Dim>; ++low)
      if (((low >> axis) & 1) == 0) sum += value(mesh.first_face(around.leaf[low], 2 * axis + 1));
    return sum / static_cast<T>(side_child_count<Dim>);
  }

  // The coarsest face around the node sets the scale.
  int scale = max_level;
  for (int low = 0; low < child_count<Dim>; ++low)
    if (((low >> axis) & 1) == 0) {
      const QuadrantFace<Dim> q(around, low, axis);
      if (q.level >= 0) scale = std::min(scale, q.level);
    }

  int count = 0;
  for (int low = 0; low < child_count<Dim>; ++low) {
    if (((low >> axis) & 1) != 0) continue;
    const QuadrantFace<Dim> q(around, low, axis);
    if (q.level < 0) continue;
    ++count;
    Cell cell = Cell::leaf(q.leaf);
    if (q.level > scale) {
      BranchId b = mesh.tree.leaf_parent[q.leaf];
      for (int l = q.level - 1; l > scale; --l) b = mesh.tree.branch_parent[b];
      cell = Cell::branch(b);
    }
    sum += mean_on_side_of<V>(mesh, cell, q.side, value);
  }
  return sum / static_cast<T>(count);
}

// This is the mean by weight; around nodes that have none it is the plain one.
template <class T, int Dim>
T weighed_component_at(const MeshView<Dim>& mesh, View<const T> u, View<const T> weight,
                       const NodeLeaves<Dim>& around, int axis) {
  const Weighed<T> mean = component_at<T>(mesh, around, axis, [=](FaceId f) {
    return Weighed<T>{u[f] * weight[f], weight[f]};
  });
  if (mean[1] > 0) return mean[0] / mean[1];
  return component_at<T>(mesh, around, axis, [=](FaceId f) { return u[f]; });
}

}  // namespace

template <int Dim, class T>
void nodal_velocity(const Mesh<Dim>& m, const FaceField<T>& velocity, NodeField<Vec<Dim, T>>& out,
                    View<const T> weight) {
  OCTAVO_CHECK(velocity.belongs_to(m));
  OCTAVO_CHECK(weight.size() == 0 || weight.size() == m.face_count());
  out.resize(m);
  nodal_velocity(m.view(), velocity.view(), out.view(), weight);
  constrain(m, out);
}

template <int Dim, class T>
void nodal_velocity(const MeshView<Dim>& mesh, View<const T> u, View<Vec<Dim, T>> nodal,
                    View<const T> weight) {
  parallel_for("nodal velocity", mesh.node_count(), [=](std::size_t i) {
    if (!mesh.is_owned(NodeId(i))) return;
    const NodeLeaves<Dim> around(mesh, NodeId(i));
    OCTAVO_CHECK(around.complete);
    Vec<Dim, T> value{};
    if (!around.hanging)
      for (int a = 0; a < Dim; ++a)
        value[a] = weight.size() > 0
                       ? weighed_component_at<T>(mesh, u, weight, around, a)
                       : component_at<T>(mesh, around, a, [=](FaceId f) { return u[f]; });
    nodal[i] = value;
  });
}

template void nodal_velocity(const MeshView<2>&, View<const float>, View<Vec<2, float>>,
                             View<const float>);
template void nodal_velocity(const MeshView<2>&, View<const double>, View<Vec<2, double>>,
                             View<const double>);
template void nodal_velocity(const MeshView<3>&, View<const float>, View<Vec<3, float>>,
                             View<const float>);
template void nodal_velocity(const MeshView<3>&, View<const double>, View<Vec<3, double>>,
                             View<const double>);
template void nodal_velocity(const Mesh<2>&, const FaceField<float>&, NodeField<Vec2f>&,
                             View<const float>);
template void nodal_velocity(const Mesh<3>&, const FaceField<float>&, NodeField<Vec3f>&,
                             View<const float>);
template void nodal_velocity(const Mesh<2>&, const FaceField<double>&, NodeField<Vec2d>&,
                             View<const double>);
template void nodal_velocity(const Mesh<3>&, const FaceField<double>&, NodeField<Vec3d>&,
                             View<const double>);

}  // namespace octavo
