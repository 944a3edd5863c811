#include "octavo/sim/solids.h"

#include "octavo/operators/open_area.h"

namespace octavo {
namespace {

template <int Dim>
double half_diagonal(double size) {
  return 0.5 * size * std::sqrt(static_cast<double>(Dim));
}

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

// The box around a box that has been moved.
template <int Dim>
Box<Dim> moved_bounds(const Box<Dim>& box, const Pose<Dim>& pose) {
  Box<Dim> moved{Vec<Dim>::filled(HUGE_VAL), Vec<Dim>::filled(-HUGE_VAL)};
  for (int c = 0; c < child_count<Dim>; ++c) {
    Vec<Dim> p{};
    for (int a = 0; a < Dim; ++a) p[a] = (c >> a) & 1 ? box.hi[a] : box.lo[a];
    for (int a = 0; a < Dim; ++a)
      if (!std::isfinite(p[a])) return {Vec<Dim>::filled(-HUGE_VAL), Vec<Dim>::filled(HUGE_VAL)};
    p = pose.apply(p);
    moved = {min(moved.lo, p), max(moved.hi, p)};
  }
  return moved;
}

// The open part of a leaf's side, from the distances at its corners.
template <int Dim>
double open_part_of(const MeshView<Dim>& mesh, View<const float> distance, LeafId leaf, int side) {
  double corner[side_child_count<Dim>];
  int n = 0;
  for (int c = 0; c < child_count<Dim>; ++c)
    if (((c >> (side / 2)) & 1) == side % 2)
      corner[n++] = static_cast<double>(distance[mesh.node(leaf, c)]);
  if constexpr (Dim == 2)
    return open_part(corner[0], corner[1]);
  else
    return open_part(corner[0], corner[1], corner[2], corner[3]);
}

}  // namespace

template <int Dim>
PosedObstacles<Dim>::PosedObstacles(const std::vector<Obstacle<Dim>>& obstacles, double time,
                                    double before) {
  items_.reserve(obstacles.size());

  // At the beginning there is no step yet; then their velocities are those of the next moment.
  constexpr double moment = 1e-4;
  for (const Obstacle<Dim>& o : obstacles) {
    const Pose<Dim> now = o.motion.pose(time);
    const RigidStep<Dim> step = time > before
                                    ? RigidStep<Dim>(o.motion.pose(before), now, time - before)
                                    : RigidStep<Dim>(now, o.motion.pose(time + moment), moment);
    items_.push_back(
        {o.shape, now, step, moved_bounds(o.shape.bounds(), now), !o.motion.is_still()});
  }
}

template <int Dim>
auto PosedObstacles<Dim>::nearest(const Vec<Dim>& p) const -> Nearest {
  Nearest best{HUGE_VAL, 0};
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const double apart = distance_from(items_[i].bounds, p);
    if (apart > 0 && apart >= best.distance) continue;
    const double d = items_[i].shape(items_[i].pose.inverse(p));
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
  for (const Item& item : items_)
    for (int c = 0; item.moves && c < child_count<Dim>; ++c) {
      Vec<Dim> p{};
      for (int a = 0; a < Dim; ++a) p[a] = (c >> a) & 1 ? item.bounds.hi[a] : item.bounds.lo[a];
      const double speed = length(item.step.velocity_at_end(p));
      if (std::isfinite(speed)) largest = std::max(largest, speed);
    }
  return largest;
}

// As far at a time as there is nothing, but no less than a small part of the path, so that what slides
// along a surface gets on; then back to the surface, if it has been passed. A path that starts inside is
// free until it comes out: a solid may just have left the place.
template <int Dim>
Vec<Dim> PosedObstacles<Dim>::march(const Vec<Dim>& start, const Vec<Dim>& end) const {
  constexpr double least_part = 1.0 / 256;
  const double path = length(end - start), touch = 1e-9 * path;
  if (!(path > 0)) return end;
  auto free_at = [&](double part) { return distance(start + (end - start) * part); };
  bool outside = false;
  for (double part = 0, before = 0;; before = part) {
    const double free = free_at(part);
    if (free < -touch && outside) {
      for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (before + part);
        (free_at(middle) < 0 ? part : before) = middle;
      }
      return start + (end - start) * before;
    }
    outside = outside || free >= -touch;
    if (part == 1) return end;
    part = std::min(part + std::max(std::abs(free) / path, least_part), 1.0);
  }
}

// The point may be a little inside by rounding; the other one is not.
template <int Dim>
bool PosedObstacles<Dim>::is_between(const void* obstacles, const Vec<Dim>& point,
                                     const Vec<Dim>& other) {
  const auto& self = *static_cast<const PosedObstacles*>(obstacles);
  return length(self.march(other, point) - point) > 1e-3 * length(other - point);
}

template <int Dim, class Real>
void Solids<Dim, Real>::measure(const Mesh<Dim>& mesh, const std::vector<Obstacle<Dim>>& obstacles,
                                double time, double before) {
  posed_ = PosedObstacles<Dim>(obstacles, time, before);
  if (!any()) return;
  clearance_.resize(mesh);
  cut_.resize(mesh);
  distance_.resize(mesh);
  inside_.resize(mesh);
  const MeshView<Dim> m = mesh.view();
  const double largest = measure_leaves(m);
  layer_ = 2 * largest / std::sqrt(static_cast<double>(Dim));
  measure_nodes(m, 2 * largest);
  find_split_leaves(m);
}

// Returns half the diagonal of the largest leaf that the surface of a solid may pass through.
template <int Dim, class Real>
double Solids<Dim, Real>::measure_leaves(const MeshView<Dim>& mesh) {
  const View<float> clearance = clearance_.view();
  const View<Cut> cut = cut_.view();
  constexpr std::size_t block = 1024;
  std::vector<double> largest(block_count(mesh.leaf_count(), block), 0.0);
  parallel_blocks(
      "solids: leaves", mesh.leaf_count(),
      [&](std::size_t b, std::size_t begin, std::size_t end) {
        Vec<Dim> asked{};
        double answer = -1;  // the ball around `asked` in which there is no solid
        for (std::size_t i = begin; i < end; ++i) {
          const Vec<Dim> c = mesh.tree.center(LeafId(i));
          const double r = half_diagonal<Dim>(mesh.tree.size(LeafId(i)));
          double free = answer > 0 ? answer - length(c - asked) - r : -1;
          if (free <= 0) {
            answer = posed_.distance(c);
            asked = c;
            free = answer - r;
          }
          clearance[i] = static_cast<float>(free * (1 - 1e-6));
          cut[i] = free <= 0 ? Cut::cut : Cut::none;
          if (free <= 0 && answer >= -r) largest[b] = std::max(largest[b], r);
        }
      },
      block);
  return *std::max_element(largest.begin(), largest.end());
}

// A node whose leaf is clear by more than `band` is no corner of any leaf with a solid's surface in it.
template <int Dim, class Real>
void Solids<Dim, Real>::measure_nodes(const MeshView<Dim>& mesh, double band) {
  const View<const float> clearance = std::as_const(clearance_).view();
  const View<std::uint8_t> inside = inside_.view();
  const View<float> distance = distance_.view();
  parallel_for("solids: nodes", mesh.node_count(), [&](std::size_t i) {
    const NodeId node(i);
    const auto free = static_cast<double>(clearance[mesh.corner_of(node).leaf]);
    inside[i] = 0;
    distance[i] = std::numeric_limits<float>::max();
    if (free > band) return;
    const auto nearest = posed_.nearest(mesh.position(node));
    distance[i] = static_cast<float>(nearest.distance);
    if (nearest.distance < 0)
      inside[i] = static_cast<std::uint8_t>(1 + std::min(nearest.index, std::size_t{254}));
  });
}

// A leaf is split if not all of its corners outside can be seen from the one farthest from the solid. Two
// points can see each other if together they are farther from it than from each other.
template <int Dim, class Real>
void Solids<Dim, Real>::find_split_leaves(const MeshView<Dim>& mesh) {
  const View<const std::uint8_t> inside = std::as_const(inside_).view();
  const View<const float> distance = std::as_const(distance_).view();
  const View<Cut> cut = cut_.view();
  parallel_for("solids: split leaves", mesh.leaf_count(), [&](std::size_t i) {
    if (cut[i] == Cut::none) return;
    const LeafId leaf(i);
    auto free = [&](int c) { return static_cast<double>(distance[mesh.node(leaf, c)]); };
    auto position = [&](int c) { return mesh.tree.domain.position(mesh.lattice(leaf, c)); };
    int best = 0;
    for (int c = 1; c < child_count<Dim>; ++c)
      if (free(c) > free(best)) best = c;
    if (free(best) <= 0) return;
    for (int c = 0; c < child_count<Dim>; ++c) {
      if (c == best || inside[mesh.node(leaf, c)] != 0) continue;
      if (free(c) + free(best) >= length(position(c) - position(best))) continue;
      if (PosedObstacles<Dim>::is_between(&posed_, position(c), position(best))) {
        cut[i] = Cut::split;
        return;
      }
    }
  });
}

template <int Dim, class Real>
void SolidFaces<Dim, Real>::measure(const Mesh<Dim>& m, const Solids<Dim, Real>& solids,
                                    ObstacleTreatment treatment) {
  const PosedObstacles<Dim>& posed = solids.posed();
  const bool moves = posed.any_moves();
  open_area_.resize(solids.any() ? m.face_count() : 0);
  solid_velocity_.resize(moves ? m.face_count() : 0);
  const MeshView<Dim> mesh = m.view();
  const View<const Cut> cut = solids.cut_.view();
  const View<const float> distance = solids.distance_.view();
  const View<Real> open = open_area_.view(), speed = solid_velocity_.view();
  parallel_for("solids: faces", open.size(), [&](std::size_t i) {
    const FaceId face(i);
    open[i] = 1;
    if (moves) speed[i] = 0;
    const auto [leaf, side] = mesh.finer(face);
    if (cut[leaf] == Cut::none) return;
    const double part = treatment == ObstacleTreatment::cut
                            ? open_part_of(mesh, distance, leaf, side)
                            : static_cast<double>(posed.distance(mesh.center(face)) >= 0);
    open[i] = static_cast<Real>(part);
    if (part >= 1 || !moves) return;
    const Vec<Dim> c = mesh.center(face);
    speed[i] = static_cast<Real>(posed.velocity(posed.nearest(c).index, c)[side / 2]);
  });
}

template <int Dim, class Real>
void SolidFaces<Dim, Real>::impose(FaceField<Real>& velocity) const {
  const View<const Real> open = open_area_.view(), speed = solid_velocity_.view();
  const View<Real> u = velocity.view();
  parallel_for("solids: impose", open.size(), [=](std::size_t i) {
    if (open[i] <= FlowBoundary<Dim, Real>::least_opening)
      u[i] = speed.size() > 0 ? speed[i] : Real{0};
  });
}

template <int Dim, class Real>
void Solids<Dim, Real>::separate(const Mesh<Dim>& mesh, NodeField<Vec<Dim, Real>>& nodal) const {
  if (!any()) return;
  const MeshView<Dim> m = mesh.view();
  const View<const std::uint8_t> inside = inside_.view();
  const View<const float> distance = distance_.view();
  const View<Vec<Dim, Real>> u = nodal.view();
  parallel_for("solids: separate", mesh.node_count(), [&](std::size_t i) {
    if (static_cast<double>(distance[i]) > layer_) return;
    const Vec<Dim> p = m.position(NodeId(i));
    const Vec<Dim> n = posed_.normal(p, 0.25 * layer_);
    const Vec<Dim> now = u[i].template cast<double>();
    const Vec<Dim> solid = posed_.velocity(posed_.nearest(p).index, p);
    const double into = dot(solid - now, n);
    if (into <= 0) return;

    // All of it inside, and outside the less the farther away.
    const double part =
        inside[i] != 0 ? 1.0 : std::max(0.0, 1.0 - static_cast<double>(distance[i]) / layer_);
    u[i] = (now + n * (into * part)).template cast<Real>();
  });
  constrain(mesh, nodal);
}

template <int Dim, class Real>
void Solids<Dim, Real>::fill(NodeField<Real>& field, const std::vector<Real>& values) const {
  if (!any()) return;
  const View<const std::uint8_t> inside = inside_.view();
  const View<Real> f = field.view();
  parallel_for("solids: fill", f.size(), [&](std::size_t i) {
    if (inside[i] != 0) f[i] = values[std::min(std::size_t{inside[i]} - 1, values.size() - 1)];
  });
}

template class PosedObstacles<2>;
template class PosedObstacles<3>;
template class Solids<2, float>;
template class Solids<3, float>;
template class Solids<2, double>;
template class Solids<3, double>;
template class SolidFaces<2, float>;
template class SolidFaces<3, float>;
template class SolidFaces<2, double>;
template class SolidFaces<3, double>;

}  // namespace octavo
