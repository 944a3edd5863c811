#pragma once

// Level sets to cut meshes with, and what a closed mesh must be.

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <string>
#include <vector>

#include "octavo/mesh/hanging_nodes.h"
#include "support/random_tree.h"

namespace octavo::test {

template <int Dim, class Real, class F>
NodeField<Real> nodal(const Mesh<Dim>& mesh, F&& f) {
  NodeField<Real> field(mesh);
  const MeshView<Dim> m = mesh.view();
  for (std::size_t i = 0; i < m.node_count(); ++i)
    field[NodeId(i)] = static_cast<Real>(f(NodeId(i), m.position(NodeId(i))));
  return field;
}

// Kinds of level sets, by number: a ball; a plane; noise; noise of a few values, zero among them; a ball whose
// surface passes through nodes; noise of values that are nearly zero, or zero. Hanging nodes are constrained.
inline constexpr int level_set_kinds = 6;

template <int Dim, class Real>
NodeField<Real> random_level_set(const Mesh<Dim>& mesh, std::uint64_t seed, int kind) {
  const Random random(seed * 131 + 7);
  const Domain<Dim>& domain = mesh.tree().domain();
  const Box<Dim> box = domain.box();
  Vec<Dim> at{}, normal{};
  for (int a = 0; a < Dim; ++a) {
    const auto axis = static_cast<std::uint32_t>(a);
    at[a] = box.lo[a] + box.size()[a] * random.uniform(1, axis);
    normal[a] = random.uniform(2, axis) - 0.5;
  }
  normal = normal / length(normal);
  const double radius = (0.2 + 0.5 * random.uniform(3)) * domain.root_size;
  const Vec<Dim> corner = mesh.view().position(NodeId(seed % mesh.node_count()));
  auto field = nodal<Dim, Real>(mesh, [&](NodeId i, const Vec<Dim>& x) {
    const double h = mesh.view().tree.size(mesh.view().corner_of(i).leaf);
    switch (kind) {
      case 0:
        return length(x - at) - radius;
      case 1:
        return dot(x - at, normal);
      case 2:
        return h * (random.uniform(i, 4) - 0.5);
      case 3:
        return h * (random.below(3, i, 5) - 1);
      case 4:
        return std::abs(x[0] - corner[0]) + std::abs(x[Dim - 1] - corner[Dim - 1]) -
               0.5 * domain.root_size;
      default:
        return h * (random.uniform(i, 6) - 0.5) * (random.below(2, i, 7) == 0 ? 1e-8 : 1) *
               random.below(2, i, 8);
    }
  });
  constrain(mesh, field);
  return field;
}

// This says what is wrong with a mesh as a closed oriented manifold; it is empty if nothing is.
inline std::string manifold_breach(std::size_t vertices,
                                   const std::vector<std::array<std::uint32_t, 2>>& segments) {
  std::vector<int> begins(vertices, 0), ends(vertices, 0);
  for (const auto& s : segments) {
    if (s[0] == s[1]) return "a segment is a point";
    ++begins[s[0]];
    ++ends[s[1]];
  }
  for (std::size_t v = 0; v < vertices; ++v)
    if (begins[v] != 1 || ends[v] != 1) return "a vertex is not between two segments";
  return {};
}

// The corner of a triangle at a vertex, between two edges.
struct Wedge {
  std::uint32_t vertex, from, to;
  friend auto operator<=>(const Wedge&, const Wedge&) = default;
};

inline std::string manifold_breach(std::size_t vertices,
                                   const std::vector<std::array<std::uint32_t, 3>>& triangles) {
  // Each edge is passed once in each direction. Around a vertex, edges across lead from `from` to `to`.
  std::vector<Wedge> wedges;
  for (const auto& t : triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      if (t[i] == t[(i + 1) % 3]) return "a triangle has two corners that are one";
      wedges.push_back({t[i], t[(i + 1) % 3], t[(i + 2) % 3]});
    }
  std::sort(wedges.begin(), wedges.end());
  auto wedge = [&](std::uint32_t vertex, std::uint32_t from) {
    return std::lower_bound(wedges.begin(), wedges.end(), Wedge{vertex, from, 0});
  };
  std::size_t seen = 0, at_vertices = 0;
  for (auto w = wedges.begin(); w != wedges.end();) {
    const auto first = w;
    std::size_t ring = 0, here = 0;
    for (; w != wedges.end() && w->vertex == first->vertex; ++w, ++here) {
      if (w != first && w->from == (w - 1)->from) return "an edge is passed twice in one direction";
      const auto back = wedge(w->from, w->vertex);
      if (back == wedges.end() || back->vertex != w->from || back->from != w->vertex)
        return "an edge has one triangle only";
      const auto next = wedge(w->vertex, w->to);
      if (next != wedges.end() && *next == Wedge{w->vertex, w->to, w->from})
        return "two triangles have the same corners";
    }
    auto next = first;
    do {
      next = wedge(first->vertex, next->to);
      if (next == wedges.end() || next->vertex != first->vertex || ++ring > here)
        return "triangles around a vertex do not close";
    } while (next != first);
    if (ring != here) return "a vertex has several rings of triangles";
    seen += here;
    ++at_vertices;
  }
  if (at_vertices != vertices) return "a vertex has no triangle";
  return seen == wedges.size() ? "" : "a triangle is left over";
}

// What a closed mesh encloses, and its own size.
inline double enclosed(const std::array<Vec2d, 2>& p) {
  return 0.5 * (p[0][0] * p[1][1] - p[0][1] * p[1][0]);
}
inline double enclosed(const std::array<Vec3d, 3>& p) { return dot(p[0], cross(p[1], p[2])) / 6; }
inline double area(const std::array<Vec2d, 2>& p) { return length(p[1] - p[0]); }
inline double area(const std::array<Vec3d, 3>& p) {
  return 0.5 * length(cross(p[1] - p[0], p[2] - p[0]));
}

template <class Contour>
struct MeshFacts {
  std::string breach;
  double volume = 0, area = 0, cap_area = 0, smallest = 1e300;
  long euler = 0;
};

template <int Dim, class Contour>
MeshFacts<Contour> facts(const Contour& contour, const Vec<Dim>& origin) {
  MeshFacts<Contour> f;
  using Triangle = typename Contour::Triangle;
  const std::vector<Triangle> triangles(contour.triangles().begin(), contour.triangles().end());
  const std::size_t vertices = contour.vertices().size();
  f.breach = manifold_breach(vertices, triangles);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    std::array<Vec<Dim>, Dim> p;
    for (std::size_t k = 0; k < Dim; ++k) p[k] = contour.vertices()[triangles[i][k]] - origin;
    f.volume += enclosed(p);
    f.smallest = std::min(f.smallest, area(p));
    (i < contour.cap_begin() ? f.area : f.cap_area) += area(p);
  }
  const auto triangle_count = static_cast<long>(triangles.size());
  f.euler = static_cast<long>(vertices) - (Dim == 2 ? triangle_count : triangle_count / 2);
  return f;
}

}  // namespace octavo::test
