#include "octavo/draw/cut_solid.h"

namespace octavo {
namespace {

std::optional<CutHit> entry(const Ray& ray, const Box<3>& box) {
  CutHit hit{-std::numeric_limits<double>::infinity(), 0, 0};
  double end = std::numeric_limits<double>::infinity();
  for (int a = 0; a < 3; ++a) {
    const double origin = ray.origin[a], direction = ray.direction[a];
    if (direction == 0) {
      if (!(origin >= box.lo[a] && origin <= box.hi[a])) return {};
      continue;
    }
    const double near = direction > 0 ? box.lo[a] : box.hi[a];
    const double far = direction > 0 ? box.hi[a] : box.lo[a];
    const double begin = (near - origin) / direction;
    if (begin > hit.distance) hit = {begin, a, near};
    end = std::min(end, (far - origin) / direction);
  }
  if (!(hit.distance > 0) || !(end > hit.distance)) return {};
  return hit;
}

}  // namespace

// Axis by axis, what is beyond the ends of the removed part is split off; of the rest nothing is left.
CutSolid::CutSolid(Box<3> box, const Box<3>& removed) {
  for (int a = 0; a < 3; ++a) {
    if (!(removed.lo[a] < box.hi[a] && removed.hi[a] > box.lo[a])) break;
    if (removed.lo[a] > box.lo[a]) {
      pieces_.push_back(box);
      pieces_.back().hi[a] = box.lo[a] = removed.lo[a];
    }
    if (removed.hi[a] < box.hi[a]) {
      pieces_.push_back(box);
      pieces_.back().lo[a] = box.hi[a] = removed.hi[a];
    }
    if (a == 2) return;
  }
  pieces_.push_back(box);
}

std::optional<CutHit> CutSolid::first_hit(const Ray& ray) const {
  std::optional<CutHit> first;
  for (const Box<3>& piece : pieces_)
    if (const auto hit = entry(ray, piece); hit && (!first || hit->distance < first->distance))
      first = hit;
  return first;
}

}  // namespace octavo
