#include "octavo/sim/posed_obstacles.h"

namespace octavo {
namespace {

// How far a point is outside of a box.
template <int Dim>
double distance_from(const Box<Dim>& box, const Vec<Dim>& p) {
  double sum = 0;
  for (int a = 0; a < Dim; ++a) {
    const double d = std::max({box.lo[a] - p[a], p[a] - box.hi[a], 0.0});
    sum += d * d;
  }
  return std::sqrt(sum);
}

template <int Dim>
Vec<Dim> corner_of_box(const Box<Dim>& box, int corner) {
  Vec<Dim> p{};
  for (int a = 0; a < Dim; ++a) p[a] = (corner >> a) & 1 ? box.hi[a] : box.lo[a];
  return p;
}

template <int Dim>
bool is_bounded(const Box<Dim>& box) {
  for (int a = 0; a < Dim; ++a)
    if (!std::isfinite(box.lo[a]) || !std::isfinite(box.hi[a])) return false;
  return true;
}

// The box around a box that has been moved.
template <int Dim>
Box<Dim> moved_bounds(const Box<Dim>& box, const Pose<Dim>& pose) {
  if (!is_bounded(box)) return {Vec<Dim>::filled(-HUGE_VAL), Vec<Dim>::filled(HUGE_VAL)};
  Box<Dim> moved{Vec<Dim>::filled(HUGE_VAL), Vec<Dim>::filled(-HUGE_VAL)};
  for (int c = 0; c < child_count<Dim>; ++c) {
    const Vec<Dim> p = pose.apply(corner_of_box(box, c));
    moved = {min(moved.lo, p), max(moved.hi, p)};
  }
  return moved;
}

// Whether all points of a straight path are outside of a box, by one of its sides.
template <int Dim>
bool passes_by(const Box<Dim>& box, const Vec<Dim>& start, const Vec<Dim>& end) {
  for (int a = 0; a < Dim; ++a)
    if (std::max(start[a], end[a]) < box.lo[a] || std::min(start[a], end[a]) > box.hi[a])
      return true;
  return false;
}

// Which part of a path is free: as far at a time as there is nothing, but no less than a small part of the
// path, so that what slides along a surface gets on; then back to the surface, if it has been passed. A
// path that starts inside is free until it comes out.
template <int Dim>
double free_part(const Shape<Dim>& shape, const Vec<Dim>& start, const Vec<Dim>& end) {
  constexpr double least_part = 1.0 / 256;
  const double path = length(end - start), touch = 1e-9 * path;
  if (!(path > 0) || passes_by(shape.bounds(), start, end)) return 1;
  auto free_at = [&](double part) { return shape(start + (end - start) * part); };
  bool outside = false;
  for (double part = 0, before = 0;; before = part) {
    const double free = free_at(part);
    if (free < -touch && outside) {
      for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (before + part);
        (free_at(middle) < 0 ? part : before) = middle;
      }
      return before;
    }
    outside = outside || free >= -touch;
    if (part == 1) return 1;
    part = std::min(part + std::max(std::abs(free) / path, least_part), 1.0);
  }
}

}  // namespace

template <int Dim>
PosedObstacles<Dim>::PosedObstacles(const std::vector<Obstacle<Dim>>& obstacles,
                                    const Box<Dim>& domain, double time, double before)
    : domain_(domain), duration_(time - before) {
  items_.reserve(obstacles.size());

  // At the beginning there is no step yet; then their velocities are those of the next moment.
  constexpr double moment = 1e-4;
  for (const Obstacle<Dim>& o : obstacles) {
    const Pose<Dim> now = o.motion.pose(time), then = o.motion.pose(before);
    const RigidStep<Dim> step = time > before
                                    ? RigidStep<Dim>(then, now, time - before)
                                    : RigidStep<Dim>(now, o.motion.pose(time + moment), moment);
    items_.push_back(
        {o.shape, then, now, step, moved_bounds(o.shape.bounds(), now), !o.motion.is_still()});
  }
}

template <int Dim>
auto PosedObstacles<Dim>::nearest(const Vec<Dim>& p) const -> Nearest {
  Nearest best{HUGE_VAL, 0};
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const double apart = distance_from(items_[i].bounds, p);
    if (apart > 0 && apart >= best.distance) continue;
    const double d = items_[i].shape(items_[i].now.inverse(p));
    if (d < best.distance) best = {d, i};
  }
  return best;
}

template <int Dim>
Vec<Dim> PosedObstacles<Dim>::normal(const Vec<Dim>& p, double step) const {
  Vec<Dim> n{};
  for (int a = 0; a < Dim; ++a) {
    Vec<Dim> q = p, r = p;
    q[a] += step;
    r[a] -= step;
    n[a] = distance(q) - distance(r);
  }
  const double l = length(n);
  return l > 0 ? n / l : Vec<Dim>{};
}

template <int Dim>
bool PosedObstacles<Dim>::any_moves() const {
  return std::any_of(items_.begin(), items_.end(), [](const Item& i) { return i.moves; });
}

// Speeds are convex: the largest is at a corner of the bounds.
template <int Dim>
double PosedObstacles<Dim>::largest_speed() const {
  double largest = 0;
  for (const Item& item : items_) {
    if (!item.moves) continue;
    const Box<Dim>& box = is_bounded(item.bounds) ? item.bounds : domain_;
    for (int c = 0; c < child_count<Dim>; ++c)
      largest = std::max(largest, length(item.step.velocity_at_end(corner_of_box(box, c))));
  }
  return largest;
}

template <int Dim>
Vec<Dim> PosedObstacles<Dim>::march(const Vec<Dim>& start, const Vec<Dim>& end,
                                    Passage passage) const {
  double least = 1;
  Vec<Dim> stop = end;
  for (const Item& item : items_) {
    const Pose<Dim>& first = passage == Passage::on ? item.before : item.now;
    const Pose<Dim>& last = passage == Passage::back ? item.before : item.now;
    const Vec<Dim> from = first.inverse(start), to = last.inverse(end);
    const double part = free_part(item.shape, from, to);
    if (part >= least) continue;
    least = part;
    stop = last.apply(from + (to - from) * part);
  }
  return stop;
}

// The point may be a little inside by rounding; the other one is not.
template <int Dim>
bool PosedObstacles<Dim>::is_between(const void* obstacles, const Vec<Dim>& point,
                                     const Vec<Dim>& other) {
  const auto& self = *static_cast<const PosedObstacles*>(obstacles);
  const Vec<Dim> reached = self.march(other, point, Passage::still);
  return length(reached - point) > 1e-3 * length(other - point);
}

template class PosedObstacles<2>;
template class PosedObstacles<3>;

}  // namespace octavo
