#include "octavo/shapes/mesh_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "octavo/base/error.h"
#include "octavo/base/timer.h"

namespace octavo {

namespace {

double clamped_ratio(double numerator, double denominator) {
  return denominator > 0 ? std::clamp(numerator / denominator, 0.0, 1.0) : 0.0;
}

// From a point, given relative to one end, to a segment.
double squared_distance_to_segment(const Vec3d& p, const Vec3d& edge) {
  const Vec3d d = p - edge * clamped_ratio(dot(p, edge), dot(edge, edge));
  return dot(d, d);
}

double squared_distance(const Vec3d& p, const BoxNode& node) {
  double sum = 0;
  for (int a = 0; a < 3; ++a) {
    const double d = std::max({node.lo[a] - p[a], p[a] - node.hi[a], 0.0});
    sum += d * d;
  }
  return sum;
}

MeshDistance::Triangle corners(const TriangleMesh& mesh, std::size_t i) {
  const auto& t = mesh.triangles[i];
  const Vec3d& p = mesh.vertices[t[0]];
  return {p, mesh.vertices[t[1]] - p, mesh.vertices[t[2]] - p};
}

}  // namespace

// If the point's foot in the plane lies inside the triangle, the distance is the height above the
// plane; else the nearest point is on one of the three edges. The foot is inside if it is on the
// inner side of each edge: the signs of three volumes, all multiplied by the length of the normal.
double squared_distance(const Vec3d& p, const MeshDistance::Triangle& t) {
  const Vec3d d = p - t.corner;
  const Vec3d normal = cross(t.edge_1, t.edge_2);
  const double u = dot(cross(t.edge_1, d), normal);
  const double v = dot(cross(d, t.edge_2), normal);
  const double area = dot(normal, normal);
  if (area > 0 && u >= 0 && v >= 0 && u + v <= area) {
    const double height = dot(d, normal);
    return height * height / area;
  }
  return std::min({squared_distance_to_segment(d, t.edge_1),
                   squared_distance_to_segment(d, t.edge_2),
                   squared_distance_to_segment(d - t.edge_1, t.edge_2 - t.edge_1)});
}

MeshDistance::MeshDistance(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) throw InputError("a mesh without triangles has no distance");
  ScopedTimer timer("build box tree");
  std::vector<BoxItem> items(mesh.triangles.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Triangle t = corners(mesh, i);
    const Vec3d q = mesh.vertices[mesh.triangles[i][1]], r = mesh.vertices[mesh.triangles[i][2]];
    items[i] = {{min(t.corner, min(q, r)), max(t.corner, max(q, r))},
                static_cast<std::uint32_t>(i)};
  }
  bounds_ = bounds_of(items.data(), items.data() + items.size());
  nodes_ = build_box_tree(items);
  triangles_.resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) triangles_[i] = corners(mesh, items[i].index);
}

// Squared distance of the nearest triangle, or `limit` if none is nearer. Boxes are visited nearest
// first, the others wait on the stack; the search may end with any triangle not farther than
// `enough`.
double MeshDistance::search(const Vec3d& p, double limit, double enough) const {
  struct Waiting {
    std::uint32_t node;
    double squared;
  };
  Waiting stack[box_tree_depth];
  int waiting = 0;
  double best = limit;
  Waiting current{0, squared_distance(p, nodes_[0])};
  for (;;) {
    const BoxNode& node = nodes_[current.node];
    if (current.squared < best && node.count == 0) {
      Waiting near{current.node + 1, squared_distance(p, nodes_[current.node + 1])};
      Waiting far{node.next, squared_distance(p, nodes_[node.next])};
      if (far.squared < near.squared) std::swap(near, far);
      if (far.squared < best) stack[waiting++] = far;
      current = near;
      continue;
    }
    if (current.squared < best)
      for (std::uint32_t i = node.next; i < node.next + node.count; ++i)
        best = std::min(best, squared_distance(p, triangles_[i]));
    if (best <= enough || waiting == 0) return best;
    current = stack[--waiting];
  }
}

double MeshDistance::distance(const Vec3d& p) const {
  return std::sqrt(search(p, std::numeric_limits<double>::infinity(), 0.0));
}

bool MeshDistance::within(const Vec3d& p, double radius) const {
  if (!(radius >= 0)) return false;
  const double enough = radius * radius;
  return search(p, std::nextafter(enough, HUGE_VAL), enough) <= enough;
}

}  // namespace octavo
