#pragma once

// SurfaceLeaves are the leaves that the surface of the liquid passes through, and the values at nodes by which contour,
// volumes and bodies agree on where it does.
//
//   SurfaceLeaves<3, float> surface;
//   surface.build(mesh, phi, &solid);     // phi < 0 in the liquid; the solid's distance is negative inside
//   contour.build(surface);
//   volume.measure(surface);
//
// The surface is that of max(phi, -solid), linear on the tetrahedra of tetrahedra.h. Of values that are zero, or
// nearly, node_link.h says on which side of the surface they are, or that it passes through the node.

#include <vector>

#include "octavo/level_set/node_link.h"
#include "octavo/level_set/tetrahedra.h"
#include "octavo/mesh/field.h"

namespace octavo {

// This says what is in a leaf. One that is cut may still be all dry, or all wet, if something hangs on it.
enum class Filling : std::uint8_t { dry, cut, wet };

// This is a leaf that is cut, or wet and at a wall, and what is known of it.
struct SurfaceLeaf {
  LeafId leaf;
  bool is_cut, is_regular, is_at_wall;
  bool beside_open;   // a corner is in the other fluid
  bool beside_solid;  // a corner is in a solid
};

template <int Dim, class Real>
class SurfaceLeaves {
 public:
  // Mesh and fields must stay as they are as long as the result is used. Values that are not finite are a
  // SimulationError.
  void build(const Mesh<Dim>& mesh, const NodeField<Real>& phi,
             const NodeField<Real>* solid = nullptr, Fluid fluid = Fluid::liquid);
  void build(const Mesh<Dim>& mesh, NodeField<Real>&& phi, const NodeField<Real>* solid = nullptr,
             Fluid fluid = Fluid::liquid) = delete;

  const Mesh<Dim>& mesh() const { return *mesh_; }
  Tetrahedra<Dim, Real> tetrahedra() const {
    return {mesh_->view(), phi_, solid_, level_.view(), fluid_};
  }
  View<const SurfaceLeaf> leaves() const { return leaves_.view(); }  // along the curve
  View<const Filling> filling() const { return filling_.view(); }    // of each leaf of the mesh
  std::size_t bytes() const {
    return level_.bytes() + zero_.bytes() + filling_.bytes() + leaves_.bytes();
  }

 private:
  void find_levels();
  void settle_zeros();
  void fill_leaves();
  void mark_around_hanging_nodes();
  void list_leaves();

  const Mesh<Dim>* mesh_ = nullptr;
  View<const Real> phi_, solid_;
  Fluid fluid_ = Fluid::liquid;
  Buffer<Real> level_;
  Buffer<NodeId> zero_;  // nodes whose value is zero, or nearly
  Buffer<Filling> filling_;
  Buffer<SurfaceLeaf> leaves_;
};

extern template class SurfaceLeaves<2, float>;
extern template class SurfaceLeaves<3, float>;
extern template class SurfaceLeaves<2, double>;
extern template class SurfaceLeaves<3, double>;

}  // namespace octavo
