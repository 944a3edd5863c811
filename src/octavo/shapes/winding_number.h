#pragma once

// The winding number says how often a mesh goes around a point (Jacobson, Kavan, Sorkine-Hornung 2013):
// it is the sum of the solid angles of its triangles as seen from p, with signs, over 4 pi. A closed
// surface whose normals point outwards gives 1 inside and 0 outside, one turned inside out -1 and 0;
// through a hole in it the number changes smoothly, so that the inside of surfaces that are not quite
// closed is where it is above one half.
//
// Solid angles are summed exactly near the point; what is farther than twice its own reach counts as
// one dipole at its centre (Barill, Dickson, Schmidt, Levin, Jacobson 2018, first order), which
// makes the number wrong by less than 0.07 on a sphere, by most just above its surface.
//
//   const WindingNumber around(read_triangle_mesh("bunny.ply"));
//   const bool inside = std::abs(around(p)) > 0.5;
//
// Queries are const and may come from many threads. A triangle takes about 35 bytes beside the tree.

#include <memory>
#include <vector>

#include "octavo/shapes/triangle_tree.h"

namespace octavo {

class WindingNumber {
 public:
  // This throws InputError for a mesh without triangles.
  explicit WindingNumber(const TriangleMesh& mesh);
  explicit WindingNumber(std::shared_ptr<const TriangleTree> tree);

  double operator()(const Vec3d& p) const;

  // This is the sum over all triangles, which the above approximates.
  double exact(const Vec3d& p) const;

  std::size_t bytes() const { return dipoles_.capacity() * sizeof(Dipole); }

 private:
  // A Dipole is a box of the tree, seen from afar. It has 56 bytes.
  struct Dipole {
    Vec3d center;  // of the area
    Vec3d area_normal;
    double squared_reach;  // no triangle of the box goes farther from the centre
  };
  Dipole dipole(const TriangleRange& range) const;

  std::shared_ptr<const TriangleTree> tree_;
  std::vector<Dipole> dipoles_;  // one for each box of the tree
};

// The angle is between -2 pi and 2 pi, positive if p is behind the triangle; it is zero for points in its plane.
double solid_angle(const Vec3d& p, const Triangle& triangle);

}  // namespace octavo
