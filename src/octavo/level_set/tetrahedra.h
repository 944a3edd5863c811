#pragma once

// The box is cut into tetrahedra (in 2D triangles) that fit together on any octree, whatever the sizes of its
// leaves. On them the level set is linear, so that the surface of the liquid is closed.
//
// A face is cut in the same way by both its leaves: it has the finer one's size, and is a polygon with the nodes
// that hang on its edges. Without any, the diagonal from its lowest to its highest corner cuts it; else it is a fan
// of triangles around its centre. A leaf on whose sides and edges nothing hangs is cut into six tetrahedra around
// its diagonal (Freudenthal 1942, Kuhn 1960), which cut its sides in this very way; any other is the cone of its
// centre over the triangles of its faces. In 2D sides need no cutting.
//
//   +-------+---+---+
//   | \   / | / | / |
//   |   o---+---+---+   Something hangs on the large leaf: it is a cone, the small ones are not.
//   | /   \ | / | / |
//   +-------+---+---+
//
// Vertices are nodes, centres of faces, centres of leaves, numbered in this order, and a point `beyond` the walls
// with which the triangles on a wall make tetrahedra without a volume: then space has no border, and neither has
// the surface. It crosses the edge from a node to beyond at the node. The value at a centre is the mean of the corners.

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "octavo/level_set/cut_simplex.h"
#include "octavo/level_set/leaf_edge.h"

namespace octavo {

// The liquid is below zero of the level set, the air above; what is inside of solids is neither.
enum class Fluid : std::uint8_t { liquid, air };

// A value nearer to zero than this part of a leaf is zero: the surface passes through the node. Where it would touch
// itself there, it is kept apart from the node by the other part.
template <class Real>
inline constexpr double nearly_zero = std::is_same_v<Real, float> ? 1e-4 : 1e-9;
inline constexpr double kept_apart = 1e-3;

template <int Dim, class Real>
struct Tetrahedra {
  using Triangle = std::array<SimplexVertex, static_cast<std::size_t>(Dim)>;  // in 2D a segment

  static constexpr std::uint32_t beyond = 0xffffffffu;

  MeshView<Dim> mesh;
  View<const Real> phi;    // nodes: the level set, m
  View<const Real> solid;  // nodes: distance to solids, m, negative inside; empty if there are none
  View<const Real> level;  // nodes: raw() with zeros settled, which is what is cut
  Fluid fluid = Fluid::liquid;

  // This is negative in the fluid.
  Real raw(NodeId node) const {
    const Real value = fluid == Fluid::liquid ? phi[node] : -phi[node];
    return solid.size() == 0 ? value : std::max(value, -solid[node]);
  }

  SimplexVertex vertex(NodeId node) const { return {node.value, static_cast<double>(level[node])}; }
  SimplexVertex center(FaceId face) const;
  SimplexVertex center(LeafId leaf) const;

  bool is_node(std::uint32_t id) const { return id < mesh.node_count(); }
  SimplexVertex vertex_of(std::uint32_t id) const;
  Vec<Dim> position_of(std::uint32_t id) const;

  // This tells whether nothing hangs on the leaf's sides and edges.
  bool is_regular(LeafId leaf) const;

  // This calls f(simplex, volume) for the simplices of a leaf; whether it is regular is known by then.
  template <class F>
  void for_each_in(LeafId leaf, bool regular, F&& f) const;

  // This calls f(triangle, area) for the triangles of a face, whose normals point along its axis.
  template <class F>
  void for_each_on(FaceId face, F&& f) const;

  // This calls f(triangle, side) for those of a leaf on walls, whose normals point outwards.
  template <class F>
  void for_each_on_walls(LeafId leaf, F&& f) const;

  // This is the simplex between a triangle on a wall and beyond.
  static Simplex<Dim> outer_simplex(const Triangle& t) {
    if constexpr (Dim == 2)
      return {{{beyond, 1.0}, t[1], t[0]}};
    else
      return {{{beyond, 1.0}, t[0], t[2], t[1]}};
  }

 private:
  static constexpr int width = child_count<Dim>, side_width = side_child_count<Dim>;

  // This is a corner of a leaf on a side, given where it is along the other axes.
  static constexpr int side_corner(int side, int low_axis_end, int high_axis_end = 0) {
    const int axis = side / 2, u = axis == 0 ? 1 : 0, v = axis == Dim - 1 ? axis - 1 : Dim - 1;
    return side % 2 << axis | low_axis_end << u | (Dim == 3 ? high_axis_end << v : 0);
  }
  static Triangle flipped(Triangle t) {
    std::swap(t[Dim - 2], t[Dim - 1]);
    return t;
  }

  // A centre is never zero: the surface passes a little beside it.
  template <class Corner>
  SimplexVertex center(std::size_t id, int count, double size, Corner&& corner) const;

  template <class F>
  void for_each_on_square(FaceId face, F&& f) const;
  template <class F>
  void for_each_of_six(LeafId leaf, F&& f) const;
};

template <int Dim, class Real>
template <class Corner>
SimplexVertex Tetrahedra<Dim, Real>::center(std::size_t id, int count, double size,
                                            Corner&& corner) const {
  double sum = 0;
  bool all_inside = true;
  for (int i = 0; i < count; ++i) {
    const NodeId node = corner(i);
    sum += static_cast<double>(raw(node));
    all_inside = all_inside && level[node] < 0;
  }
  const double mean = sum / count, least = nearly_zero<Real> * size;
  return {static_cast<std::uint32_t>(id), std::abs(mean) > least ? mean
                                          : all_inside           ? -least
                                                                 : least};
}

template <int Dim, class Real>
SimplexVertex Tetrahedra<Dim, Real>::center(FaceId face) const {
  const auto fine = mesh.finer(face);
  return center(mesh.node_count() + face, side_width, mesh.size(face),
                [&](int i) { return mesh.node(fine.leaf, side_corner(fine.side, i & 1, i >> 1)); });
}

template <int Dim, class Real>
SimplexVertex Tetrahedra<Dim, Real>::center(LeafId leaf) const {
  return center(mesh.node_count() + mesh.face_count() + leaf, width, mesh.tree.size(leaf),
                [&](int i) { return mesh.node(leaf, i); });
}

template <int Dim, class Real>
SimplexVertex Tetrahedra<Dim, Real>::vertex_of(std::uint32_t id) const {
  const std::size_t nodes = mesh.node_count(), faces = mesh.face_count();
  if (id < nodes) return vertex(NodeId(id));
  return id < nodes + faces ? center(FaceId(id - nodes)) : center(LeafId(id - nodes - faces));
}

// Places are computed from integers, so that what is on a wall is on it exactly.
template <int Dim, class Real>
Vec<Dim> Tetrahedra<Dim, Real>::position_of(std::uint32_t id) const {
  const std::size_t nodes = mesh.node_count(), faces = mesh.face_count();
  if (id < nodes) return mesh.position(NodeId(id));
  auto between = [&](LeafId leaf, int low, int high) {
    const auto sum = mesh.lattice(leaf, low).template cast<double>() +
                     mesh.lattice(leaf, high).template cast<double>();
    return mesh.tree.domain.origin + sum * 0.5 * mesh.tree.domain.unit();
  };
  if (id >= nodes + faces) return between(LeafId(id - nodes - faces), 0, width - 1);
  const auto fine = mesh.finer(FaceId(id - nodes));
  return between(fine.leaf, side_corner(fine.side, 0, 0), side_corner(fine.side, 1, 1));
}

template <int Dim, class Real>
bool Tetrahedra<Dim, Real>::is_regular(LeafId leaf) const {
  const LeafSurroundings<Dim> around(mesh.around, leaf);
  for (int side = 0; side < side_count<Dim>; ++side)
    if (around.cell(side_direction<Dim>(side)).is_branch()) return false;
  if constexpr (Dim == 3)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < a; ++b)
        for (const int along : {power_of_3(a) + power_of_3(b), power_of_3(a) - power_of_3(b)})
          if (around.cell(center_direction<3> + along).is_branch() ||
              around.cell(center_direction<3> - along).is_branch())
            return false;
  return true;
}

// The six tetrahedra are the ways from the lowest corner to the highest, along one axis after the other.
template <int Dim, class Real>
template <class F>
void Tetrahedra<Dim, Real>::for_each_of_six(LeafId leaf, F&& f) const {
  std::array<SimplexVertex, width> v;
  for (int c = 0; c < width; ++c) v[static_cast<std::size_t>(c)] = vertex(mesh.node(leaf, c));
  const double h = mesh.tree.size(leaf);
  if constexpr (Dim == 2) {
    f(Simplex<2>{v[0], v[1], v[3]}, 0.5 * h * h);
    f(Simplex<2>{v[0], v[3], v[2]}, 0.5 * h * h);
  } else {
    const double volume = h * h * h / 6;
    for (std::size_t a = 1, b = 2; a < 8; a *= 2, b = b == 4 ? 1 : 2 * b) {
      const std::size_t c = 7 - a - b;
      f(Simplex<3>{v[0], v[a], v[a + b], v[7]}, volume);
      f(Simplex<3>{v[0], v[a + c], v[a], v[7]}, volume);
    }
  }
}

template <int Dim, class Real>
template <class F>
void Tetrahedra<Dim, Real>::for_each_in(LeafId leaf, bool regular, F&& f) const {
  if (regular) return for_each_of_six(leaf, f);
  const SimplexVertex top = center(leaf);
  const double height_part = 0.5 * mesh.tree.size(leaf) / Dim;
  for (int side = 0; side < side_count<Dim>; ++side)
    for (const FaceId face : mesh.faces(leaf, side))
      for_each_on(face, [&](const Triangle& triangle, double area) {
        const Triangle t = side % 2 == 1 ? triangle : flipped(triangle);
        Simplex<Dim> cone{top};
        std::copy(t.begin(), t.end(), cone.begin() + 1);
        f(cone, area * height_part);
      });
}

template <int Dim, class Real>
template <class F>
void Tetrahedra<Dim, Real>::for_each_on(FaceId face, F&& f) const {
  if constexpr (Dim == 3) {
    for_each_on_square(face, f);
  } else {
    const auto fine = mesh.finer(face);
    const Triangle segment{vertex(mesh.node(fine.leaf, side_corner(fine.side, 0))),
                           vertex(mesh.node(fine.leaf, side_corner(fine.side, 1)))};
    f(mesh.axis(face) == 0 ? segment : flipped(segment), mesh.size(face));
  }
}

// The square is passed around to the left, as seen against the face's axis.
template <int Dim, class Real>
template <class F>
void Tetrahedra<Dim, Real>::for_each_on_square(FaceId face, F&& f) const {
  const auto fine = mesh.finer(face);
  const int axis = fine.side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
  const LeafSurroundings<3> around(mesh.around, fine.leaf);
  const std::array<LeafEdge, 4> edge{
      LeafEdge(around, fine.side, 2 * v, u), LeafEdge(around, fine.side, 2 * u + 1, v),
      LeafEdge(around, fine.side, 2 * v + 1, u), LeafEdge(around, fine.side, 2 * u, v)};
  const int base = fine.side % 2 << axis;
  const std::array<NodeId, 4> corner{
      mesh.node(fine.leaf, base), mesh.node(fine.leaf, base | 1 << u),
      mesh.node(fine.leaf, base | 1 << u | 1 << v), mesh.node(fine.leaf, base | 1 << v)};
  const double h = mesh.size(face);
  if (std::none_of(edge.begin(), edge.end(), [](const LeafEdge& e) { return e.is_cut(); })) {
    const SimplexVertex low = vertex(corner[0]), high = vertex(corner[2]);
    f(Triangle{low, vertex(corner[1]), high}, 0.5 * h * h);
    f(Triangle{low, high, vertex(corner[3])}, 0.5 * h * h);
    return;
  }
  const SimplexVertex middle = center(face);
  for (std::size_t e = 0; e < 4; ++e)
    for_each_segment(mesh, edge[e], corner[e], corner[(e + 1) % 4], e >= 2, h,
                     [&](NodeId from, NodeId to, double length) {
                       f(Triangle{middle, vertex(from), vertex(to)}, 0.25 * h * length);
                     });
}

template <int Dim, class Real>
template <class F>
void Tetrahedra<Dim, Real>::for_each_on_walls(LeafId leaf, F&& f) const {
  for (int side = 0; side < side_count<Dim>; ++side) {
    const FaceId face = mesh.first_face(leaf, side);
    if (!mesh.is_wall(face)) continue;
    for_each_on(face, [&](const Triangle& t, double) { f(side % 2 == 1 ? t : flipped(t), side); });
  }
}

}  // namespace octavo
