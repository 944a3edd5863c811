#pragma once

// Small scenes of water, with both numbers of dimensions.

#include "octavo/water/water.h"
#include "support/random_tree.h"

namespace octavo::test {

// The surface is in the finest leaves.
template <int Dim>
WaterParameters<Dim> pool_parameters(int finest) {
  WaterParameters<Dim> p;
  p.refinement.min_level = 2;
  p.refinement.max_level = finest;
  p.refinement.rules = {{.by = RefineBy::interface, .field = "liquid"}};
  p.walls[2 * (Dim - 1) + 1] = Wall::open;
  p.keep_volume = KeepVolume::off;
  return p;
}

// All is liquid below this height, m.
template <int Dim>
FlowStart<Dim> pool(double height) {
  FlowStart<Dim> start;
  start.values["liquid"] = [=](const Vec<Dim>& x) { return x[Dim - 1] - height; };
  return start;
}

template <int Dim>
FlowStart<Dim> ball(const Vec<Dim>& center, double radius) {
  FlowStart<Dim> start;
  start.values["liquid"] = [=](const Vec<Dim>& x) { return length(x - center) - radius; };
  return start;
}

// A column stands in a corner of the box.
template <int Dim>
FlowStart<Dim> column(double width, double height) {
  FlowStart<Dim> start;
  start.values["liquid"] = [=](const Vec<Dim>& x) {
    return std::max(x[0] - width, x[Dim - 1] - height);
  };
  return start;
}

// This is the middle of all liquid, m.
template <int Dim, class Real>
Vec<Dim> center_of_mass(const Water<Dim, Real>& water) {
  const MeshView<Dim> m = water.mesh().view();
  Vec<Dim> sum{};
  for (std::size_t i = 0; i < m.leaf_count(); ++i)
    sum += m.tree.center(LeafId(i)) * water.volume().in_leaves()[LeafId(i)];
  return sum / water.volume().total();
}

// This is the energy of all liquid over its density: of its motion, and of its height.
template <int Dim, class Real>
double energy(const Water<Dim, Real>& water) {
  const MeshView<Dim> m = water.mesh().view();
  const View<const Real> u = water.flow().velocity().view();
  double sum = 0;
  for (std::size_t i = 0; i < m.leaf_count(); ++i) {
    const LeafId leaf(i);
    const double v = water.volume().in_leaves()[leaf];
    if (v == 0) continue;
    double squares = 0;
    for (int side = 0; side < side_count<Dim>; ++side) {
      const auto s = static_cast<double>(mean_on_side<Real>(m, u, Cell::leaf(leaf), side));
      squares += s * s;
    }
    sum += v * (0.25 * squares + water.parameters().gravity * m.tree.center(leaf)[Dim - 1]);
  }
  return sum;
}

template <int Dim, class Real>
double fastest_in_liquid(const Water<Dim, Real>& water) {
  const MeshView<Dim> m = water.mesh().view();
  const View<const Real> u = water.flow().velocity().view();
  double fastest = 0;
  for (std::size_t i = 0; i < m.leaf_count(); ++i)
    for (int side = 0; side < side_count<Dim>; ++side)
      if (water.volume().in_leaves()[LeafId(i)] > 0)
        fastest = std::max(
            fastest,
            std::abs(static_cast<double>(mean_on_side<Real>(m, u, Cell::leaf(LeafId(i)), side))));
  return fastest;
}

}  // namespace octavo::test
