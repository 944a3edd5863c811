#pragma once

// A TriangleTree holds the triangles of a mesh in a tree of boxes, which distances and winding numbers
// search. A triangle takes 72 bytes, and about 20 for the boxes.

#include <cstdint>
#include <vector>

#include "octavo/base/buffer.h"
#include "octavo/shapes/box_tree.h"
#include "octavo/shapes/triangle_mesh.h"

namespace octavo {

// A Triangle is a corner and the edges that leave it.
struct Triangle {
  Vec3d corner, edge_1, edge_2;
};

// This is twice the area, along the normal; counter-clockwise corners are seen from where it points.
inline Vec3d area_normal(const Triangle& t) { return cross(t.edge_1, t.edge_2); }

// This is the squared distance of p from a triangle, which may be a segment or a point.
double squared_distance(const Vec3d& p, const Triangle& triangle);

// These are the triangles of a box, from `first` to before `last`.
struct TriangleRange {
  std::uint32_t first, last;
};

struct TriangleTree {
  // This throws InputError for a mesh without triangles, for vertices that are not finite, and for
  // triangles of vertices that do not exist.
  explicit TriangleTree(const TriangleMesh& mesh);

  // This tells what each box of the tree holds.
  std::vector<TriangleRange> ranges() const;

  std::size_t bytes() const { return triangles.bytes() + nodes.capacity() * sizeof(BoxNode); }

  Buffer<Triangle> triangles;  // in the order of the boxes
  std::vector<BoxNode> nodes;
  Box<3> bounds;
};

}  // namespace octavo
