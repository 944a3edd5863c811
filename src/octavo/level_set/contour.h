#pragma once

// The contour is the surface of the liquid as a closed mesh: marching tetrahedra (Doi, Koide 1991) on the tetrahedra of
// tetrahedra.h, which leave no cracks where sizes meet. It ends at no wall: caps that lie exactly on the walls close it.
//
// It is an oriented manifold: each edge has two triangles that pass it in opposite directions, and the triangles around
// a vertex form one ring; in 2D, each vertex begins one segment and ends another. Normals point outwards; in 2D the
// liquid is on the left of a segment. No triangle has two corners at one place. A vertex belongs to an edge of the
// tetrahedra, and vertices are numbered in the order of these edges, hence the same for any number of threads.
//
//   Contour<3, float> contour;
//   contour.build(surface);
//   contour.normals(surface, normal);
//
// Triangles of caps come last. Their vertices inside of caps have the wall's normal, those where the surface meets the
// wall have the surface's: to keep the edge sharp, give triangles of caps their own plane's normal (surface_mesh()).

#include <array>
#include <vector>

#include "octavo/level_set/surface_leaves.h"
#include "octavo/shapes/surface_mesh.h"

namespace octavo {

// A vertex is known by the ends of its edge, the smaller one first; a node on the surface is both.
class EdgeKey {
 public:
  EdgeKey() = default;
  constexpr EdgeKey(std::uint32_t low, std::uint32_t high)
      : bits_(std::uint64_t{low} << 32 | high) {}

  constexpr std::uint32_t low() const { return static_cast<std::uint32_t>(bits_ >> 32); }
  constexpr std::uint32_t high() const { return static_cast<std::uint32_t>(bits_); }
  friend constexpr bool operator==(EdgeKey p, EdgeKey q) { return p.bits_ == q.bits_; }
  friend constexpr bool operator<(EdgeKey p, EdgeKey q) { return p.bits_ < q.bits_; }

 private:
  std::uint64_t bits_;
};

template <int Dim, class Real>
class Contour {
 public:
  using Triangle = std::array<std::uint32_t, static_cast<std::size_t>(Dim)>;  // in 2D a segment

  void build(const SurfaceLeaves<Dim, Real>& surface);

  View<const Vec<Dim>> vertices() const { return vertices_.view(); }
  View<const Triangle> triangles() const { return triangles_.view(); }
  std::size_t cap_begin() const { return cap_begin_; }  // triangles from here on are caps

  // These are the unit normals of vertices: of the level set, or of the solid where that bounds the liquid, by
  // differences over a leaf to both sides. They are zero where the level set has no slope.
  void normals(const SurfaceLeaves<Dim, Real>& surface, Buffer<Vec<Dim, float>>& out) const;

  // These are the values of a nodal field of that mesh at the vertices.
  template <class T>
  void sample(const SurfaceLeaves<Dim, Real>& surface, const NodeField<T>& field,
              Buffer<T>& out) const;

  std::size_t bytes() const {
    return vertices_.bytes() + triangles_.bytes() + key_.bytes() + corner_.bytes() +
           number_.bytes();
  }

 private:
  struct Corner {
    EdgeKey key;
    std::uint32_t place;  // among the keys of all blocks
  };
  struct Part;

  void march(const SurfaceLeaves<Dim, Real>& surface, std::vector<Part>& parts) const;
  void number_vertices(const std::vector<Part>& parts);
  void place_vertices(const SurfaceLeaves<Dim, Real>& surface);
  void collect_triangles(const std::vector<Part>& parts);

  Buffer<Vec<Dim>> vertices_;
  Buffer<Triangle> triangles_;
  std::size_t cap_begin_ = 0;
  Buffer<EdgeKey> key_;           // of each vertex
  Buffer<Corner> corner_;         // those of all blocks, sorted
  Buffer<std::uint32_t> number_;  // of the vertex at each place
};

// This is the mesh as renderers want it: triangles of caps have vertices of their own, so that edges at walls are sharp.
template <class Real>
SurfaceMesh surface_mesh(const Contour<3, Real>& contour, View<const Vec3f> normals,
                         View<const Vec<3, Real>> velocities = {});

extern template class Contour<2, float>;
extern template class Contour<3, float>;
extern template class Contour<2, double>;
extern template class Contour<3, double>;

}  // namespace octavo
