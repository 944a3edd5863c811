#include "octavo/camera/frustum.h"

#include <algorithm>
#include <cmath>

namespace octavo {
namespace {

// This is how far a cube reaches from its centre along a direction, for an edge of 2.
double reach(const Vec3d& d) { return std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]); }

}  // namespace

Frustum::Frustum(const Camera& camera, double margin) : rays_(camera), position_(camera.position) {
  const double width = camera.resolution[0], height = camera.resolution[1], more = margin * width;
  forward_ = rays_.through(0.5 * width, 0.5 * height).direction;
  right_ = normalized(rays_.through(width, 0.5 * height).direction -
                      rays_.through(0, 0.5 * height).direction);
  down_ = cross(forward_, right_);
  auto corner = [&](double right, double down) {
    return rays_.through(right > 0 ? width + more : -more, down > 0 ? height + more : -more)
        .direction;
  };
  const std::array<Vec3d, 4> around{corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)};
  for (std::size_t side = 0; side < 4; ++side) {
    const Vec3d normal = normalized(cross(around[side], around[(side + 1) % 4]));
    inward_[side] = dot(normal, forward_) > 0 ? normal : normal * -1.0;
  }
  corner_ = dot(rays_.through(0, 0).direction, forward_);
}

bool Frustum::touches(const Region& region) const {
  const Vec3d to = region.center - position_;
  return std::all_of(inward_.begin(), inward_.end(),
                     [&](const Vec3d& n) { return dot(n, to) + region.half * reach(n) >= 0; });
}

double Frustum::nearest(const Region& region) const {
  double squares = 0;
  for (int a = 0; a < 3; ++a) {
    const double d = std::max(0.0, std::abs(region.center[a] - position_[a]) - region.half);
    squares += d * d;
  }
  return std::sqrt(squares);
}

// A point that is off by d is elsewhere in the picture by (right . d - x forward . d) / (depth + forward . d), if x
// is where the centre is, at depth 1.
std::optional<Box<2>> Frustum::place(const Region& region) const {
  const double nearest_depth = depth(region.center) - region.half * reach(forward_);
  Vec2d pixel{};
  if (!(nearest_depth > 0) || !rays_.place(region.center, pixel)) return {};
  const Vec3d to = (region.center - position_) / depth(region.center);
  const double scale = region.half / pixel_size(nearest_depth);
  const Vec2d off{scale * reach(right_ - forward_ * dot(to, right_)),
                  scale * reach(down_ - forward_ * dot(to, down_))};
  return Box<2>{pixel - off, pixel + off};
}

double Frustum::distance(const Region& region) const {
  const double ahead = depth(region.center) - region.half * reach(forward_);
  return std::max(ahead, corner_ * nearest(region));
}

}  // namespace octavo
