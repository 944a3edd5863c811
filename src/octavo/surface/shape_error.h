#pragma once

// These measure the liquid that a level set bounds: its volume, as its contour has it, and the volume of where it is that
// another shape is not, or the other way round, by so many points along each edge of a leaf in which either surface is.

#include <cmath>

#include "octavo/level_set/liquid_volume.h"
#include "octavo/surface/leaf_level_set.h"

namespace octavo {

struct ShapeMeasure {
  double volume = 0, difference = 0;  // m^3, in 2D m^2
};

// distance(point) is the signed distance to the other shape; it may not change by more than 1 per metre.
template <int Dim, class Real, class Distance>
double shape_difference(const Mesh<Dim>& mesh, const NodeField<Real>& field,
                        const Distance& distance, int points = 6) {
  const MeshView<Dim> m = mesh.view();
  const View<const Real> phi = field.view();
  int count = 1;
  for (int a = 0; a < Dim; ++a) count *= points;
  return parallel_sum("shape difference", mesh.leaf_count(), [=, &distance](std::size_t i) {
    const LeafId leaf(i);
    const LeafLevelSet<Dim, Real> level_set(m, phi, leaf);
    const double volume = m.tree.volume(leaf), there = distance(m.tree.center(leaf));
    int wet = 0;
    for (int c = 0; c < child_count<Dim>; ++c) wet += level_set.corner[c] < 0 ? 1 : 0;
    if ((wet == 0 || wet == child_count<Dim>)&&std::abs(there) >
        0.5 * diagonal<Dim>(level_set.size))
      return (wet > 0) != (there < 0) ? volume : 0;
    const Vec<Dim> lo = m.tree.domain.position(m.tree.lo(leaf));
    int different = 0;
    for (int k = 0; k < count; ++k) {
      Vec<Dim> local{};
      for (int a = 0, rest = k; a < Dim; ++a, rest /= points)
        local[a] = (rest % points + 0.5) / points;
      const bool is_in = level_set.value(local) < 0;
      different += is_in != (distance(lo + local * level_set.size) < 0) ? 1 : 0;
    }
    return volume * different / count;
  });
}

template <int Dim, class Real>
double liquid_volume(const Mesh<Dim>& mesh, const NodeField<Real>& phi) {
  SurfaceLeaves<Dim, Real> surface;
  surface.build(mesh, phi);
  LiquidVolume<Dim, Real> volume;
  volume.measure(surface);
  return volume.total();
}

template <int Dim, class Real, class Distance>
ShapeMeasure measure_shape(const Mesh<Dim>& mesh, const NodeField<Real>& phi,
                           const Distance& distance) {
  return {liquid_volume(mesh, phi), shape_difference(mesh, phi, distance)};
}

}  // namespace octavo
