#pragma once

// Obstacles on a mesh at one moment: what the pressure, the nodal velocities and advection need to know.
//
//   inside           nodes in a solid
//   clearance        of each leaf: no point of it is closer to a solid; not positive if one may reach in
//   open_area        of each face, 0 to 1 (cut), or 0 and 1 only (voxel: faces whose centre is inside)
//   solid_velocity   of each face that is not fully open, along its axis, if anything moves
//
// Solids has the first two, SolidFaces the others: a step needs the leaves and nodes of two meshes at a
// time, but the faces of one only.
//
// Distances are asked for only near solids: along the curve, leaves within the distance of the last
// answer need no new one.

#include <memory>
#include <vector>

#include "octavo/mesh/field.h"
#include "octavo/operators/sources.h"
#include "octavo/sim/smoke_parameters.h"

namespace octavo {

// Obstacles where they are at one time, and how they came there since another.
template <int Dim>
class PosedObstacles {
 public:
  PosedObstacles() = default;
  PosedObstacles(const std::vector<Obstacle<Dim>>& obstacles, double time, double before);

  bool empty() const { return items_.empty(); }

  struct Nearest {
    double distance;  // negative inside, m
    std::size_t index;
  };
  Nearest nearest(const Vec<Dim>& p) const;
  double distance(const Vec<Dim>& p) const { return nearest(p).distance; }
  Vec<Dim> velocity(std::size_t index, const Vec<Dim>& p) const {
    return items_[index].step.velocity_at_end(p);
  }
  // Away from the nearest solid; `step` is how far apart distances are compared.
  Vec<Dim> normal(const Vec<Dim>& p, double step) const;
  bool any_moves() const;
  double largest_speed() const;  // of any point of them, m/s; those without bounds do not count

  // Goes from `start` as far towards `end` as there is no solid. What is thinner than a 256th of the
  // path may be missed.
  Vec<Dim> march(const Vec<Dim>& start, const Vec<Dim>& end) const;

  // Whether a solid is between a point and another one, which is not in a solid. The obstacles are
  // PosedObstacles.
  static bool is_between(const void* obstacles, const Vec<Dim>& point, const Vec<Dim>& other);

 private:
  struct Item {
    Shape<Dim> shape;
    Pose<Dim> pose;
    RigidStep<Dim> step;
    Box<Dim> bounds;  // where it is now
    bool moves;
  };
  std::vector<Item> items_;
};

// Ends paths at solids.
template <int Dim>
struct SolidsInTheWay {
  const PosedObstacles<Dim>* obstacles = nullptr;
  View<const float> clearance;  // empty: nothing is in the way

  [[gnu::always_inline]] Vec<Dim> stop(LeafId leaf, const Vec<Dim>& near, const Vec<Dim>& start,
                                       const Vec<Dim>& end) const {
    if (clearance.size() == 0) return end;
    const double reach = std::max(length(start - near), length(end - near));
    return static_cast<double>(clearance[leaf]) > reach ? end : obstacles->march(start, end);
  }
};

template <int Dim, class Real>
class Solids {
 public:
  // `time` is that of the mesh's fields; obstacles have moved there from where they were `before`.
  void measure(const Mesh<Dim>& mesh, const std::vector<Obstacle<Dim>>& obstacles, double time,
               double before);

  bool any() const { return !posed_.empty(); }
  const PosedObstacles<Dim>& posed() const { return posed_; }
  SolidNodes<Dim> nodes() const {
    if (!any()) return {};
    return {inside_.view(), cut_.view(), &posed_, &PosedObstacles<Dim>::is_between};
  }
  SolidsInTheWay<Dim> in_the_way() const {
    if (!any()) return {};
    return {&posed_, clearance_.view()};
  }

  // Takes from nodal velocities in solids, and within a leaf's size of them, what would lead into them.
  void separate(const Mesh<Dim>& mesh, NodeField<Vec<Dim, Real>>& nodal) const;

  // Sets a nodal field to value(obstacle index) inside of solids.
  void fill(NodeField<Real>& field, const std::vector<Real>& values) const;

  std::size_t bytes() const {
    return inside_.bytes() + cut_.bytes() + clearance_.bytes() + distance_.bytes();
  }
  void swap(Solids& other) noexcept {
    std::swap(posed_, other.posed_);
    inside_.swap(other.inside_);
    cut_.swap(other.cut_);
    clearance_.swap(other.clearance_);
    distance_.swap(other.distance_);
    std::swap(layer_, other.layer_);
  }

 private:
  template <int, class>
  friend class SolidFaces;
  double measure_leaves(const MeshView<Dim>& mesh);
  void measure_nodes(const MeshView<Dim>& mesh, double band);
  void find_split_leaves(const MeshView<Dim>& mesh);

  PosedObstacles<Dim> posed_;
  NodeField<std::uint8_t> inside_;  // 0: no; else 1 + the obstacle's index, at most 255
  LeafField<Cut> cut_;
  LeafField<float> clearance_;
  NodeField<float> distance_;  // near solids only; else very far
  double layer_ = 0;           // size of the largest leaf with a surface in it
};

template <int Dim, class Real>
class SolidFaces {
 public:
  void measure(const Mesh<Dim>& mesh, const Solids<Dim, Real>& solids, ObstacleTreatment treatment);

  // Empty if there are no solids.
  View<const Real> open_area() const { return open_area_.view(); }
  void bound(FlowBoundary<Dim, Real>& boundary) const {
    boundary.open_area = open_area_.view();
    boundary.solid_velocity = solid_velocity_.view();
  }

  // Gives faces without an opening the solid's velocity.
  void impose(FaceField<Real>& velocity) const;

  std::size_t bytes() const { return open_area_.bytes() + solid_velocity_.bytes(); }

 private:
  Buffer<Real> open_area_, solid_velocity_;
};

}  // namespace octavo
