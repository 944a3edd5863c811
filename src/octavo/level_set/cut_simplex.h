#pragma once

// A simplex (a tetrahedron, in 2D a triangle) with a value at each vertex is cut where the linear function
// between them is zero. What is below zero is inside. Zero counts as outside.
//
// Simplices come with a positive orientation: seen from the first vertex of a tetrahedron, the others turn
// clockwise, so that det(v1 - v0, v2 - v0, v3 - v0) > 0; the vertices of a triangle turn to the left. The pieces
// of the cut are then oriented so that normals point outwards: (b - a) x (c - a) in 3D; in 2D the inside is on
// the left of the way from a to b.

#include <array>
#include <bit>
#include <cstdint>

namespace octavo {

struct SimplexVertex {
  std::uint32_t id;
  double value;

  constexpr bool is_inside() const { return value < 0; }
};

template <int Dim>
using Simplex = std::array<SimplexVertex, static_cast<std::size_t>(Dim) + 1>;

// This is the part of an edge that is inside.
constexpr double inner_part(double inside, double outside) { return inside / (inside - outside); }

// A SurfacePoint is where the surface crosses an edge of a simplex.
struct SurfacePoint {
  SimplexVertex inside, outside;

  constexpr double part() const { return inner_part(inside.value, outside.value); }
};

// These points are the corners of a piece of the surface: a triangle, in 2D a segment.
template <int Dim>
using SurfacePiece = std::array<SurfacePoint, static_cast<std::size_t>(Dim)>;

namespace detail {

// These orders of the vertices keep the orientation: one begins with a given vertex, or with a given pair, which
// is the set of its bits.
inline constexpr std::array<std::array<std::uint8_t, 4>, 4> order_from_vertex{
    {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 0, 1, 3}, {3, 0, 2, 1}}};
inline constexpr std::array<std::array<std::uint8_t, 4>, 13> order_from_pair{{{},
                                                                              {},
                                                                              {},
                                                                              {0, 1, 2, 3},
                                                                              {},
                                                                              {0, 2, 3, 1},
                                                                              {1, 2, 0, 3},
                                                                              {},
                                                                              {},
                                                                              {0, 3, 1, 2},
                                                                              {1, 3, 2, 0},
                                                                              {},
                                                                              {2, 3, 0, 1}}};

template <std::size_t Count>
constexpr unsigned inside_set(const std::array<SimplexVertex, Count>& v) {
  unsigned set = 0;
  for (std::size_t i = 0; i < Count; ++i) set |= static_cast<unsigned>(v[i].is_inside()) << i;
  return set;
}

}  // namespace detail

// This calls f(piece) for the pieces of the surface in a triangle or tetrahedron: none, one or two.
template <class F>
constexpr void for_each_piece(const Simplex<2>& v, F&& f) {
  const unsigned set = detail::inside_set(v);
  if (set == 0 || set == 7) return;
  const bool one_inside = (set & (set - 1)) == 0;
  const unsigned alone = one_inside ? set : 7 - set;
  const auto i = static_cast<std::size_t>(std::countr_zero(alone));
  const SimplexVertex &a = v[i], &b = v[(i + 1) % 3], &c = v[(i + 2) % 3];
  if (one_inside)
    f(SurfacePiece<2>{{{a, b}, {a, c}}});
  else
    f(SurfacePiece<2>{{{c, a}, {b, a}}});
}

template <class F>
constexpr void for_each_piece(const Simplex<3>& v, F&& f) {
  const unsigned set = detail::inside_set(v);
  if (set == 0 || set == 15) return;
  const bool one_inside = (set & (set - 1)) == 0;
  const unsigned others = 15 - set;
  if (one_inside || (others & (others - 1)) == 0) {
    const unsigned alone = one_inside ? set : others;
    const auto& o = detail::order_from_vertex[static_cast<std::size_t>(std::countr_zero(alone))];
    const SimplexVertex &a = v[o[0]], &b = v[o[1]], &c = v[o[2]], &d = v[o[3]];
    if (one_inside)
      f(SurfacePiece<3>{{{a, b}, {a, c}, {a, d}}});
    else
      f(SurfacePiece<3>{{{b, a}, {d, a}, {c, a}}});
    return;
  }
  const auto& o = detail::order_from_pair[set];
  const SimplexVertex &a = v[o[0]], &b = v[o[1]], &c = v[o[2]], &d = v[o[3]];
  f(SurfacePiece<3>{{{a, c}, {a, d}, {b, d}}});
  f(SurfacePiece<3>{{{a, c}, {b, d}, {b, c}}});
}

// This is the part of a segment, triangle or tetrahedron that is inside.
constexpr double inner_part(const std::array<SimplexVertex, 2>& v) {
  const unsigned set = detail::inside_set(v);
  if (set == 0 || set == 3) return set == 0 ? 0 : 1;
  return set == 1 ? inner_part(v[0].value, v[1].value) : inner_part(v[1].value, v[0].value);
}

// The vertex in the set, which is alone on its side, has this part of the simplex.
template <std::size_t Count>
constexpr double part_of_lone_vertex(const std::array<SimplexVertex, Count>& v, unsigned set) {
  const auto alone = static_cast<std::size_t>(std::countr_zero(set));
  double part = 1;
  for (std::size_t i = 0; i < Count; ++i)
    if (i != alone) part *= inner_part(v[alone].value, v[i].value);
  return part;
}

constexpr double inner_part(const std::array<SimplexVertex, 3>& v) {
  const unsigned set = detail::inside_set(v);
  if (set == 0 || set == 7) return set == 0 ? 0 : 1;
  const bool one_inside = (set & (set - 1)) == 0;
  const double part = part_of_lone_vertex(v, one_inside ? set : 7 - set);
  return one_inside ? part : 1 - part;
}

// With a, b inside and c, d outside, what is inside is a wedge of the tetrahedra (a, b, ac, ad), (b, ac, ad, bc),
// (b, ad, bc, bd); their volumes are determinants of barycentric coordinates.
constexpr double inner_part(const std::array<SimplexVertex, 4>& v) {
  const unsigned set = detail::inside_set(v);
  if (set == 0 || set == 15) return set == 0 ? 0 : 1;
  const unsigned others = 15 - set;
  const bool one_inside = (set & (set - 1)) == 0;
  if (one_inside || (others & (others - 1)) == 0) {
    const double part = part_of_lone_vertex(v, one_inside ? set : others);
    return one_inside ? part : 1 - part;
  }
  const auto& o = detail::order_from_pair[set];
  const double ac = inner_part(v[o[0]].value, v[o[2]].value);
  const double ad = inner_part(v[o[0]].value, v[o[3]].value);
  const double bc = inner_part(v[o[1]].value, v[o[2]].value);
  const double bd = inner_part(v[o[1]].value, v[o[3]].value);
  return ac * ad + (1 - ac) * ad * bc + (1 - ad) * bc * bd;
}

}  // namespace octavo
