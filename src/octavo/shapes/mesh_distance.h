#pragma once

// This measures how far a point is from a triangle mesh: distances are exact and found through a tree of boxes.
//
//   const MeshDistance bunny(read_triangle_mesh("bunny.ply"));
//   if (bunny.within(leaf.center, 0.87 * leaf.size)) ...    // cheaper than asking for the distance
//
// Points that come one after the other along a curve mostly have the same triangle nearest to them,
// and a search that starts with a good guess visits half as many boxes:
//
//   std::uint32_t nearest = 0;                              // any number; one for each thread
//   for (const Vec3d& p : points) f(bunny.distance(p, nearest));
//
// Queries are const and may come from many threads. A triangle takes 72 bytes, and about 62 for the boxes.

#include <memory>

#include "octavo/shapes/oriented_boxes.h"
#include "octavo/shapes/triangle_tree.h"

namespace octavo {

class MeshDistance {
 public:
  using Triangle = octavo::Triangle;

  // This throws InputError for a mesh without triangles.
  explicit MeshDistance(const TriangleMesh& mesh);
  explicit MeshDistance(std::shared_ptr<const TriangleTree> tree);

  // This is the distance to the nearest triangle, m, whichever side the point is on.
  double distance(const Vec3d& p) const;

  // This gives the same number. The search starts with the triangle `nearest` and leaves there the one that is.
  double distance(const Vec3d& p, std::uint32_t& nearest) const;

  // This tells whether some triangle is at most `radius` away.
  bool within(const Vec3d& p, double radius) const;

  const Box<3>& bounds() const { return tree_->bounds; }
  std::size_t triangle_count() const { return tree_->triangles.size(); }
  std::size_t bytes() const { return tree_->bytes() + boxes_.bytes(); }

 private:
  struct Nearest {
    double squared;
    std::uint32_t triangle;
  };
  Nearest search(const Vec3d& p, Nearest best, double enough) const;

  std::shared_ptr<const TriangleTree> tree_;
  OrientedBoxes boxes_;
};

}  // namespace octavo
