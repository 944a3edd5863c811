#pragma once

// This is what the pressure, the nodal velocities and advection need to know of obstacles on a mesh at one moment:
//
//   inside           nodes in a solid
//   clearance        of each leaf: no point of it is closer to a solid; not positive if one may reach in
//   open_area        of each face, 0 to 1 (cut), or 0 where it intersects a solid and else 1 (voxel)
//   solid_velocity   of each face that is not fully open, along its axis, if anything moves
//
// Solids has the first two, SolidFaces the others: a step needs the leaves and nodes of two meshes at a
// time, but the faces of one only.
//
// Distances are asked for only near solids: along the curve, leaves within the distance of the last
// answer need no new one.

#include <vector>

#include "octavo/mesh/field.h"
#include "octavo/obstacles/posed_obstacles.h"
#include "octavo/operators/flow_boundary.h"
#include "octavo/operators/sampled_fields.h"

namespace octavo {

template <int Dim, class Real>
class Solids {
 public:
  // Measures obstacles where they are at the time of the mesh's fields.
  void measure(const Mesh<Dim>& mesh, const PosedObstacles<Dim>& obstacles);

  bool any() const { return !posed_.empty(); }
  const PosedObstacles<Dim>& posed() const { return posed_; }
  SolidNodes<Dim> nodes() const {
    if (!any()) return {};
    return {inside_.view(), cut_.view(), &posed_, &PosedObstacles<Dim>::is_between};
  }
  // This ends paths from this moment to that of `next`, which may be the same.
  SolidsInTheWay<Dim> in_the_way(const Solids& next) const {
    if (!any()) return {};
    const bool moving = &next != this && next.posed_.any_moves();
    return {&next.posed_, clearance_.view(), moving ? next.posed_.largest_shift() : 0.0, moving};
  }

  // Gives the signed distance to solids at nodes near them; elsewhere it is some large number.
  void distance(const Mesh<Dim>& mesh, NodeField<Real>& out) const;

  // Takes from nodal velocities in solids, and in leaves that they reach into, what would lead in.
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
    std::swap(widest_, other.widest_);
  }

 private:
  template <int, class>
  friend class SolidFaces;
  double measure_leaves(const MeshView<Dim>& mesh);
  void measure_nodes(const MeshView<Dim>& mesh, double band);
  void find_split_leaves(const MeshView<Dim>& mesh);

  PosedObstacles<Dim> posed_;
  NodeField<SolidMark> inside_;
  LeafField<Cut> cut_;
  LeafField<float> clearance_;
  NodeField<float> distance_;  // near solids only; else very far
  double widest_ = 0;          // diagonal of the largest leaf with a surface in it, m
};

template <int Dim, class Real>
class SolidFaces {
 public:
  void measure(const Mesh<Dim>& mesh, const Solids<Dim, Real>& solids, ObstacleTreatment treatment);

  // The view is empty if there are no solids.
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
