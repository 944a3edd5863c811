#pragma once

// This is a box from which a part is cut, as rays meet it.
//
//   const CutSolid solid(box, removed);
//   if (const auto hit = solid.first_hit(ray)) ...

#include <optional>
#include <vector>

#include "octavo/camera/ray.h"

namespace octavo {

// It is where a ray enters a solid: the distance along it, and the plane across an axis that it goes through.
struct CutHit {
  double distance;  // m
  int axis;
  double position;  // of the plane, m
};

// What is left is a union of boxes that do not overlap, at most two for each axis.
class CutSolid {
 public:
  CutSolid(Box<3> box, const Box<3>& removed);

  const std::vector<Box<3>>& pieces() const { return pieces_; }

  // It is none if the ray does not meet the solid, or begins inside of it.
  std::optional<CutHit> first_hit(const Ray& ray) const;

 private:
  std::vector<Box<3>> pieces_;
};

}  // namespace octavo
