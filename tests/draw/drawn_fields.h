#pragma once

// Trees and fields to draw.
//
//   const Octree<3> tree = test::uniform_tree<3>(3);
//   const Mesh<3> mesh(tree);
//   const NodeField<float> field = test::nodal(mesh, [](const Vec3d& p) { return p[0]; });
//   LeafPicture<3> picture = test::picture_of(mesh, field);

#include <utility>

#include "octavo/draw/leaf_colors.h"

namespace octavo::test {

// The unit cube in leaves of one level.
template <int Dim>
Octree<Dim> uniform_tree(int level) {
  return Octree<Dim>::build({}, [=](const Leaf<Dim>& l) { return l.level < level; });
}

// f(position) at each node.
template <int Dim, class F>
NodeField<float> nodal(const Mesh<Dim>& mesh, F&& f) {
  NodeField<float> field(mesh);
  for (std::size_t i = 0; i < field.size(); ++i)
    field[NodeId(i)] = static_cast<float>(f(mesh.view().position(NodeId(i))));
  return field;
}

// The field as colours; mesh and field must outlive it.
template <int Dim>
LeafPicture<Dim> picture_of(const Mesh<Dim>& mesh, const NodeField<float>& field,
                            ColorMap map = ColorMap::viridis) {
  LeafPicture<Dim> picture{mesh.tree().view()};
  picture.field = {.title = "f", .nodes = field.view(), .mesh = mesh.view(), .map = map};
  return picture;
}

// The same for values of leaves.
template <int Dim>
LeafPicture<Dim> picture_of(const Octree<Dim>& tree, const std::vector<float>& value) {
  LeafPicture<Dim> picture{tree.view()};
  picture.field = {.title = "value", .leaves = {value.data(), value.size()}};
  return picture;
}

}  // namespace octavo::test
