#include "octavo/shapes/triangle_tree.h"

#include <algorithm>
#include <cmath>

#include "octavo/base/timer.h"
#include "octavo/shapes/mesh_checks.h"

namespace octavo {

namespace {

double clamped_ratio(double numerator, double denominator) {
  return denominator > 0 ? std::clamp(numerator / denominator, 0.0, 1.0) : 0.0;
}

// This is the squared distance from a point, given relative to one end, to a segment.
double squared_distance_to_segment(const Vec3d& p, const Vec3d& edge) {
  const Vec3d d = p - edge * clamped_ratio(dot(p, edge), dot(edge, edge));
  return dot(d, d);
}

Triangle corners(const TriangleMesh& mesh, std::size_t i) {
  const auto& t = mesh.triangles[i];
  const Vec3d& p = mesh.vertices[t[0]];
  return {p, mesh.vertices[t[1]] - p, mesh.vertices[t[2]] - p};
}

BoxItem boxed(const TriangleMesh& mesh, std::size_t i) {
  const auto& t = mesh.triangles[i];
  const Vec3d &p = mesh.vertices[t[0]], &q = mesh.vertices[t[1]], &r = mesh.vertices[t[2]];
  return {{min(p, min(q, r)), max(p, max(q, r))}, static_cast<std::uint32_t>(i)};
}

}  // namespace

// If the point's foot in the plane lies inside the triangle, the distance is the height above the
// plane; else the nearest point is on an edge that has the foot on its outer side: these are the signs
// of three volumes, all multiplied by the length of the normal. A triangle without an area is its edges.
double squared_distance(const Vec3d& p, const Triangle& t) {
  const Vec3d d = p - t.corner;
  const Vec3d normal = area_normal(t);
  const double u = dot(cross(t.edge_1, d), normal);
  const double v = dot(cross(d, t.edge_2), normal);
  const double area = dot(normal, normal);
  const bool flat = !(area > 0);
  double nearest = HUGE_VAL;
  if (flat || u < 0) nearest = squared_distance_to_segment(d, t.edge_1);
  if (flat || v < 0) nearest = std::min(nearest, squared_distance_to_segment(d, t.edge_2));
  if (flat || u + v > area)
    nearest = std::min(nearest, squared_distance_to_segment(d - t.edge_1, t.edge_2 - t.edge_1));
  if (nearest < HUGE_VAL) return nearest;
  const double height = dot(d, normal);
  return height * height / area;
}

TriangleTree::TriangleTree(const TriangleMesh& mesh) {
  check_mesh(mesh);
  ScopedTimer timer("build box tree");
  std::vector<BoxItem> items(mesh.triangles.size());
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = boxed(mesh, i);
  bounds = bounds_of(items.data(), items.data() + items.size());
  nodes = build_box_tree(items);
  nodes.shrink_to_fit();
  triangles.resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) triangles[i] = corners(mesh, items[i].index);
}

// Halves stand behind their whole, so that going backwards meets them first.
std::vector<TriangleRange> TriangleTree::ranges() const {
  std::vector<TriangleRange> range(nodes.size());
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const BoxNode& node = nodes[i];
    range[i] = node.count > 0 ? TriangleRange{node.next, node.next + node.count}
                              : TriangleRange{range[i + 1].first, range[node.next].last};
  }
  return range;
}

}  // namespace octavo
