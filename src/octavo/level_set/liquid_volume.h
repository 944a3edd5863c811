#pragma once

// The volume of the liquid in each leaf and the area of its surface are those of the contour's mesh: the level set is
// linear on the tetrahedra of the leaf. Volumes of leaves sum up to what the mesh encloses, to rounding.

#include "octavo/level_set/surface_leaves.h"

namespace octavo {

template <int Dim, class Real>
class LiquidVolume {
 public:
  void measure(const SurfaceLeaves<Dim, Real>& surface);

  const LeafField<double>& in_leaves() const { return volume_; }              // m^3, in 2D m^2
  View<const double> area_in_surface_leaves() const { return area_.view(); }  // m^2, in 2D m
  double total() const { return total_; }
  double surface_area() const { return surface_area_; }  // without what is at walls
  std::size_t bytes() const { return volume_.bytes() + area_.bytes(); }

 private:
  LeafField<double> volume_;
  Buffer<double> area_;
  double total_ = 0, surface_area_ = 0;
};

// This is the part of a face that is wet, 0 to 1.
template <int Dim, class Real>
double wet_part(const Tetrahedra<Dim, Real>& tetrahedra, FaceId face) {
  double wet = 0;
  tetrahedra.for_each_on(face, [&](const auto& t, double area) { wet += inner_part(t) * area; });
  return wet / tetrahedra.mesh.area(face);
}

extern template class LiquidVolume<2, float>;
extern template class LiquidVolume<3, float>;
extern template class LiquidVolume<2, double>;
extern template class LiquidVolume<3, double>;

}  // namespace octavo
