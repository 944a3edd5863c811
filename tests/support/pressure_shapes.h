#pragma once

// What the pressure solver is tested and measured on, as shapes: signed distances, negative inside,
// of a point and of the size h of the finest leaves, in which thin things are measured.

#include <cmath>

#include "octavo/mesh/mesh.h"

namespace octavo::shapes {

inline double ball(const Vec3d& x, double) { return length(x - Vec3d{0.5, 0.5, 0.4}) - 0.22; }
inline double drop(const Vec3d& x, double) { return length(x - Vec3d{0.5, 0.5, 0.5}) - 0.3; }

// A ball in the middle of a tube of 100 x 1 x 1 root cells.
inline double bead(const Vec3d& x, double) { return length(x - Vec3d{0.5, 0.005, 0.005}) - 0.003; }
inline Domain<3> tube() { return {.root_size = 0.01, .roots = {100, 1, 1}}; }

// Three plates one finest leaf thick that reach in from two sides by turns.
inline double plates(const Vec3d& x, double h) {
  double distance = 1;
  for (int k = 0; k < 3; ++k) {
    const double z = (std::floor((0.2 + 0.27 * k) / h) + 0.5) * h;
    const double beyond_end = k % 2 == 1 ? x[0] - 0.7 : 0.3 - x[0];
    distance = std::min(distance, std::max(std::abs(x[2] - z) - 0.5 * h, beyond_end));
  }
  return distance;
}

// 6 x 6 x 6 balls.
inline double many_balls(const Vec3d& x, double) {
  Vec3d y = x * 6.0;
  for (int a = 0; a < 3; ++a) y[a] -= std::floor(y[a]) + 0.5;
  return (length(y) - 0.3) / 6;
}

inline double pool(const Vec3d& x, double) {
  return x[2] - 0.5637 - 0.02 * std::sin(9 * x[0]) * std::cos(7 * x[1]);
}
inline double sheet(const Vec3d& x, double h) { return std::abs(pool(x, h)) - 1.3 * h; }

// The part of a face outside a solid, from 4 x 4 points.
template <class Solid>
double open_part(const MeshView<3>& mesh, FaceId face, Solid&& solid) {
  const int u = (mesh.axis(face) + 1) % 3, v = (mesh.axis(face) + 2) % 3;
  int outside = 0;
  for (int i = 0; i < 16; ++i) {
    Vec3d x = mesh.center(face);
    x[u] += mesh.size(face) * ((i % 4 + 0.5) / 4 - 0.5);
    x[v] += mesh.size(face) * ((i / 4 + 0.5) / 4 - 0.5);
    outside += solid(x) >= 0 ? 1 : 0;
  }
  return outside / 16.0;
}

// All or nothing: faces of leaves whose centre is in the solid are closed.
template <class Solid>
double open_voxel_face(const MeshView<3>& mesh, FaceId face, Solid&& solid) {
  auto is_solid = [&](LeafId leaf) { return !leaf.is_none() && solid(mesh.tree.center(leaf)) < 0; };
  return is_solid(mesh.face_leaf[face].low) || is_solid(mesh.face_leaf[face].high) ? 0.0 : 1.0;
}

// A component of a smooth velocity with divergence.
inline double stirring(const Vec3d& x, int axis) {
  return std::sin(3 * x[0] + axis) * std::cos(2 * x[1] + axis) + std::sin(2.5 * x[2]);
}

}  // namespace octavo::shapes
