#pragma once

// Posed obstacles are where they are at one time, and know how they came there since another.

#include <array>
#include <vector>

#include "octavo/mesh/field.h"
#include "octavo/obstacles/obstacle.h"

namespace octavo {

// While something goes along a path, obstacles stand where they are at the end of the step; or the path goes
// back through the step, or on through it, and they move meanwhile.
enum class TimeDirection { still, backward, forward };

template <int Dim>
class PosedObstacles {
 public:
  PosedObstacles() = default;
  // Of obstacles without bounds, what is in the domain counts for speeds.
  PosedObstacles(const std::vector<Obstacle<Dim>>& obstacles, const Box<Dim>& domain, double time,
                 double before);

  bool empty() const { return items_.empty(); }
  double begin() const { return begin_; }  // of the step, s
  double end() const { return end_; }

  struct Nearest {
    double distance;  // negative inside, m
    std::size_t index;
  };
  Nearest nearest(const Vec<Dim>& p) const;
  double distance(const Vec<Dim>& p) const { return nearest(p).distance; }
  Vec<Dim> velocity(std::size_t index, const Vec<Dim>& p) const {
    return items_[index].step.velocity_at_end(p);
  }
  // The normal points away from the nearest solid; `step` is how far apart distances are compared.
  Vec<Dim> normal(const Vec<Dim>& p, double step) const;
  bool heats(std::size_t index) const { return items_[index].heats; }
  bool any_moves() const;
  double largest_speed() const;  // of any point of them at any time of the step, m/s
  double largest_shift() const;  // from where it was at the beginning of the step, m

  // Goes from `start` as far towards `end` as there is no solid. What is thinner than a 256th of the
  // path may be missed. Beside a solid that moves, a path is followed as seen from it; what meets the
  // solid has been beside that point of it from the beginning of the step, or will be until its end.
  Vec<Dim> march(const Vec<Dim>& start, const Vec<Dim>& end, TimeDirection direction) const;

  // This tells whether a solid is between a point and another one; if that other one is inside of a solid, it
  // is about another solid. The obstacles are PosedObstacles.
  static bool is_between(const void* obstacles, const Vec<Dim>& point, const Vec<Dim>& other);
  static double distance_from(const void* obstacles, const Vec<Dim>& point) {
    return static_cast<const PosedObstacles*>(obstacles)->distance(point);
  }

 private:
  // Motion is followed in so many straight pieces.
  static constexpr int pieces = 8;
  struct Item {
    Shape<Dim> shape;
    std::array<Pose<Dim>, pieces + 1> poses;  // from the beginning of the step to its end, now
    RigidStep<Dim> step;
    Box<Dim> bounds;  // where it is now
    bool moves, heats;

    const Pose<Dim>& now() const { return poses.back(); }
  };
  // This is a path as a solid sees it.
  struct SeenPath {
    std::array<Vec<Dim>, pieces + 1> corner;
    int count = 1;

    Vec<Dim> at(double part) const;
    double longest_piece() const;
    Box<Dim> bounds() const;
  };
  static SeenPath seen_from(const Item& item, const Vec<Dim>& start, const Vec<Dim>& end,
                            TimeDirection direction);
  static double free_part(const Shape<Dim>& shape, const SeenPath& path);
  std::array<Vec<Dim>, child_count<Dim>> corners(const Item& item) const;

  std::vector<Item> items_;
  Box<Dim> domain_{};
  double begin_ = 0, end_ = 0;  // of the step, s
};

// Ends paths at solids.
template <int Dim>
struct SolidsInTheWay {
  const PosedObstacles<Dim>* obstacles = nullptr;  // at the end of the step
  View<const float> clearance;                     // at its beginning; empty: nothing is in the way
  double shift = 0;  // by how much solids come closer within the step, m
  bool moving = false;

  [[gnu::always_inline]] Vec<Dim> stop(LeafId leaf, const Vec<Dim>& near, const Vec<Dim>& start,
                                       const Vec<Dim>& end, double dt) const {
    if (clearance.size() == 0) return end;
    const double reach = std::max(length(start - near), length(end - near)) + shift;
    if (static_cast<double>(clearance[leaf]) > reach) return end;
    const TimeDirection moved = dt > 0 ? TimeDirection::backward : TimeDirection::forward;
    return obstacles->march(start, end, moving ? moved : TimeDirection::still);
  }

  // This moves a point away from a solid that it is nearer to than the gap: rounded, it would be inside and could go
  // on through it. One that is deeper inside than that stays there.
  Vec<Dim> keep_off(LeafId leaf, const Vec<Dim>& near, const Vec<Dim>& point, double gap) const {
    if (clearance.size() == 0) return point;
    if (static_cast<double>(clearance[leaf]) > length(point - near) + shift + gap) return point;
    const double distance = obstacles->distance(point);
    if (distance >= gap || distance < -gap) return point;
    return point + obstacles->normal(point, gap) * (gap - distance);
  }
};

}  // namespace octavo
