#include "octavo/obstacles/posed_obstacles.h"

namespace octavo {
namespace {

template <int Dim>
bool is_bounded(const Box<Dim>& box) {
  for (int a = 0; a < Dim; ++a)
    if (!std::isfinite(box.lo[a]) || !std::isfinite(box.hi[a])) return false;
  return true;
}

template <int Dim>
bool are_apart(const Box<Dim>& p, const Box<Dim>& q) {
  for (int a = 0; a < Dim; ++a)
    if (p.hi[a] < q.lo[a] || q.hi[a] < p.lo[a]) return true;
  return false;
}

}  // namespace

template <int Dim>
PosedObstacles<Dim>::PosedObstacles(const std::vector<Obstacle<Dim>>& obstacles,
                                    const Box<Dim>& domain, double time, double before)
    : domain_(domain), begin_(before), end_(time) {
  items_.reserve(obstacles.size());
  const double duration = time - before;

  // At the beginning there is no step yet; then their velocities are those of the next moment.
  constexpr double moment = 1e-4;
  for (const Obstacle<Dim>& o : obstacles) {
    std::array<Pose<Dim>, pieces + 1> poses;
    for (int k = 0; k <= pieces; ++k)
      poses[static_cast<std::size_t>(k)] =
          o.motion.pose(k == pieces ? time : before + duration * k / pieces);
    const Pose<Dim>& now = poses.back();
    const RigidStep<Dim> step = time > before
                                    ? RigidStep<Dim>(poses.front(), now, duration)
                                    : RigidStep<Dim>(now, o.motion.pose(time + moment), moment);
    items_.push_back({o.shape, poses, step, moved(o.shape, now).bounds(), !o.motion.is_still(),
                      o.temperature.has_value()});
  }
}

template <int Dim>
auto PosedObstacles<Dim>::nearest(const Vec<Dim>& p) const -> Nearest {
  Nearest best{HUGE_VAL, 0};
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const double apart = distance_to_box(p, items_[i].bounds);
    if (apart > 0 && apart >= best.distance) continue;
    const double d = items_[i].shape(items_[i].now().inverse(p));
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

// These are the corners of the box around the body, in its own frame; of a body
// without bounds, what is in the domain counts.
template <int Dim>
auto PosedObstacles<Dim>::corners(const Item& item) const
    -> std::array<Vec<Dim>, child_count<Dim>> {
  std::array<Vec<Dim>, child_count<Dim>> corner;
  const bool bounded = is_bounded(item.shape.bounds());
  for (int c = 0; c < child_count<Dim>; ++c)
    corner[static_cast<std::size_t>(c)] =
        bounded ? item.shape.bounds().corner(c) : item.now().inverse(domain_.corner(c));
  return corner;
}

// Distances between two poses are convex: the largest is at a corner.
template <int Dim>
double PosedObstacles<Dim>::largest_speed() const {
  double farthest = 0;
  for (const Item& item : items_)
    for (const Vec<Dim>& p : corners(item))
      for (std::size_t k = 0; item.moves && k < pieces; ++k)
        farthest = std::max(farthest, length(item.poses[k + 1].apply(p) - item.poses[k].apply(p)));
  return end_ > begin_ ? farthest * pieces / (end_ - begin_) : 0;
}

template <int Dim>
double PosedObstacles<Dim>::largest_shift() const {
  double farthest = 0;
  for (const Item& item : items_)
    for (const Vec<Dim>& p : corners(item))
      for (const Pose<Dim>& pose : item.poses)
        farthest = std::max(farthest, length(pose.apply(p) - item.poses.front().apply(p)));
  return farthest;
}

template <int Dim>
Vec<Dim> PosedObstacles<Dim>::SeenPath::at(double part) const {
  const auto n = static_cast<std::size_t>(count);
  const std::size_t k = std::min(static_cast<std::size_t>(part * count), n - 1);
  return corner[k] + (corner[k + 1] - corner[k]) * (part * count - static_cast<double>(k));
}

template <int Dim>
double PosedObstacles<Dim>::SeenPath::longest_piece() const {
  double longest = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
    longest = std::max(longest, length(corner[k + 1] - corner[k]));
  return longest;
}

template <int Dim>
Box<Dim> PosedObstacles<Dim>::SeenPath::bounds() const {
  Box<Dim> box{corner[0], corner[0]};
  for (std::size_t k = 1; k <= static_cast<std::size_t>(count); ++k)
    box = {min(box.lo, corner[k]), max(box.hi, corner[k])};
  return box;
}

template <int Dim>
auto PosedObstacles<Dim>::seen_from(const Item& item, const Vec<Dim>& start, const Vec<Dim>& end,
                                    TimeDirection direction) -> SeenPath {
  SeenPath path;
  path.count = item.moves && direction != TimeDirection::still ? pieces : 1;
  for (int k = 0; k <= path.count; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const Pose<Dim>& pose = path.count == 1                       ? item.now()
                            : direction == TimeDirection::forward ? item.poses[i]
                                                                  : item.poses[pieces - i];
    const Vec<Dim> p =
        k == path.count ? end : start + (end - start) * (static_cast<double>(k) / path.count);
    path.corner[i] = pose.inverse(p);
  }
  return path;
}

// This finds which part of a path is free. It goes as far at a time as there is nothing, but no less than a
// small part of the path, so that what slides along a surface gets on; then it goes back to the surface, if it
// has been passed. A path that starts inside is free until it comes out.
template <int Dim>
double PosedObstacles<Dim>::free_part(const Shape<Dim>& shape, const SeenPath& path) {
  constexpr double least_part = 1.0 / 256;
  const double longest = path.longest_piece() * path.count, touch = 1e-9 * longest;
  if (!(longest > 0) || are_apart(shape.bounds(), path.bounds())) return 1;
  auto free_at = [&](double part) { return shape(path.at(part)); };
  bool outside = false;
  for (double part = 0, before = 0;;) {
    const double free = free_at(part);
    if (free < -touch && outside) {
      for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (before + part);
        (free_at(middle) < 0 ? part : before) = middle;
      }
      return before;
    }
    outside = outside || free >= -touch;
    if (part == 1 || part + free / longest >= 1) return 1;  // nothing is as near as the end
    before = part;
    part = std::min(part + std::max(std::abs(free) / longest, least_part), 1.0);
  }
}

template <int Dim>
Vec<Dim> PosedObstacles<Dim>::march(const Vec<Dim>& start, const Vec<Dim>& end,
                                    TimeDirection direction) const {
  double least = 1;
  Vec<Dim> stop = end;
  for (const Item& item : items_) {
    const SeenPath path = seen_from(item, start, end, direction);
    const double part = free_part(item.shape, path);
    if (part >= least) continue;
    least = part;
    const Pose<Dim>& last = direction == TimeDirection::backward ? item.poses.front() : item.now();
    stop = last.apply(path.at(part));
  }
  return stop;
}

// The point may be a little inside by rounding.
template <int Dim>
bool PosedObstacles<Dim>::is_between(const void* obstacles, const Vec<Dim>& point,
                                     const Vec<Dim>& other) {
  const auto& self = *static_cast<const PosedObstacles*>(obstacles);
  const Vec<Dim> reached = self.march(other, point, TimeDirection::still);
  return length(reached - point) > 1e-3 * length(other - point);
}

template class PosedObstacles<2>;
template class PosedObstacles<3>;

}  // namespace octavo
