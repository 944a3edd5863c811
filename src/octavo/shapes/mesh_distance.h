#pragma once

// How far a point is from a triangle mesh: exact distances through a tree of boxes.
//
//   const MeshDistance bunny(read_triangle_mesh("bunny.ply"));
//   if (bunny.within(leaf.center, 0.87 * leaf.size)) ...    // cheaper than asking for the distance
//
// Queries are const and may come from many threads. Bytes per triangle: 72, and about 24 for the
// boxes.

#include <vector>

#include "octavo/base/buffer.h"
#include "octavo/io/triangle_mesh.h"
#include "octavo/shapes/box_tree.h"

namespace octavo {

class MeshDistance {
 public:
  // A corner and the edges that leave it.
  struct Triangle {
    Vec3d corner, edge_1, edge_2;
  };

  // Throws InputError for a mesh without triangles.
  explicit MeshDistance(const TriangleMesh& mesh);

  // To the nearest triangle, m, whichever side the point is on.
  double distance(const Vec3d& p) const;

  // Is some triangle at most `radius` away?
  bool within(const Vec3d& p, double radius) const;

  const Box<3>& bounds() const { return bounds_; }
  std::size_t triangle_count() const { return triangles_.size(); }
  std::size_t bytes() const { return triangles_.bytes() + nodes_.capacity() * sizeof(BoxNode); }

 private:
  double search(const Vec3d& p, double limit, double enough) const;

  Buffer<Triangle> triangles_;  // in the order of the boxes
  std::vector<BoxNode> nodes_;
  Box<3> bounds_;
};

// Squared distance of p from a triangle, which may be a segment or a point.
double squared_distance(const Vec3d& p, const MeshDistance::Triangle& triangle);

}  // namespace octavo
