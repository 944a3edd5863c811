#pragma once

// These criteria look at fields: they are functions of a leaf that exists, giving the levels wanted
// there. Make a LevelMap of one, or of the finest() of several, and it can be asked about any region.
//
//   VorticityAbove      |curl u| > value                          (Losasso 2004)
//   FieldBand           low < a field < high, "optical depth"     (Losasso 2004)
//   InterfaceBand       |a level set| < so many leaves            (Losasso 2004)
//   FieldDetail         second differences of a field > threshold (Shi, Yu 2004, equation 5)
//   VelocityVariation   second derivatives of velocity            (Bunlutangtum 2011, equation 1)
//
// What was refined is kept while the value is above a part `keep` of the threshold (or as said below), so
// that a grid does not flicker about it.

#include <algorithm>
#include <cmath>

#include "octavo/adapt/level_map.h"
#include "octavo/mesh/interpolate.h"

namespace octavo {

// This is what is wanted where a value is compared with a threshold.
inline WantedLevels wanted_above(double value, double threshold, double keep, int current,
                                 int level) {
  return WantedLevels::from(value > threshold ? level : 0,
                            value > keep * threshold ? std::min(current, level) : 0);
}

// These are the derivatives along all axes of a nodal field, multilinear in a leaf, at its centre.
template <class T, int Dim>
std::array<T, static_cast<std::size_t>(Dim)> leaf_gradient(const MeshView<Dim>& mesh,
                                                           View<const T> nodal, LeafId leaf) {
  std::array<T, static_cast<std::size_t>(Dim)> g{};
  for (int c = 0; c < child_count<Dim>; ++c) {
    const T v = nodal[mesh.node(leaf, c)];
    for (int a = 0; a < Dim; ++a) {
      T& sum = g[static_cast<std::size_t>(a)];
      sum = (c >> a) & 1 ? sum + v : sum - v;
    }
  }
  const double scale = 1 / (side_child_count<Dim> * mesh.tree.size(leaf));
  for (T& x : g) x = x * static_cast<Scalar<T>>(scale);
  return g;
}

template <int Dim, class Real>
struct VorticityAbove {
  MeshView<Dim> mesh;
  View<const Vec<Dim, Real>> velocity;  // nodes
  double value;                         // 1/s
  int level;
  double keep = 0.5;

  WantedLevels operator()(LeafId leaf) const {
    return wanted_above(magnitude(leaf), value, keep, mesh.tree.level(leaf), level);
  }
  double magnitude(LeafId leaf) const {
    const auto d = leaf_gradient(mesh, velocity, leaf);
    const auto z = static_cast<double>(d[0][1] - d[1][0]);
    if constexpr (Dim == 2) return std::abs(z);
    if constexpr (Dim == 3)
      return length(
          Vec3d{static_cast<double>(d[1][2] - d[2][1]), static_cast<double>(d[2][0] - d[0][2]), z});
  }
};

// Thin smoke cannot be seen and thick smoke hides what is inside of it. A leaf is in the band if the
// values at its corners reach into it.
template <int Dim, class Real>
struct FieldBand {
  MeshView<Dim> mesh;
  View<const Real> field;  // nodes
  double low, high;
  int level;
  double keep = 0.5;

  WantedLevels operator()(LeafId leaf) const {
    double least = HUGE_VAL, largest = -HUGE_VAL;
    for (int c = 0; c < child_count<Dim>; ++c) {
      const auto v = static_cast<double>(field[mesh.node(leaf, c)]);
      least = std::min(least, v);
      largest = std::max(largest, v);
    }
    const bool inside = largest > low && least < high;
    const bool nearly = largest > keep * low && least < (2 - keep) * high;
    return WantedLevels::from(inside ? level : 0,
                              nearly ? std::min(mesh.tree.level(leaf), level) : 0);
  }
};

// The interface of a level set is in leaves of a level, and so many of them to each side; the same holds for every
// coarser level, whose leaves are larger. What was refined is kept for a leaf's size more.
template <int Dim, class Real>
struct InterfaceBand {
  MeshView<Dim> mesh;
  View<const Real> level_set;  // nodes, m, negative inside
  double inside, outside;      // leaves
  int level;

  WantedLevels operator()(LeafId leaf) const {
    double least = HUGE_VAL, largest = -HUGE_VAL;
    for (int c = 0; c < child_count<Dim>; ++c) {
      const auto v = static_cast<double>(level_set[mesh.node(leaf, c)]);
      least = std::min(least, v);
      largest = std::max(largest, v);
    }
    const double distance = std::max({least, -largest, 0.0}), leaves = least > 0 ? outside : inside;
    return WantedLevels::from(finest_within(distance, leaves),
                              std::min(mesh.tree.level(leaf), finest_within(distance, leaves + 1)));
  }

 private:
  // This is the finest level so many of whose leaves reach as far as the distance.
  int finest_within(double distance, double leaves) const {
    int l = level;
    while (l > 0 && distance >= leaves * mesh.tree.domain.size(l)) --l;
    return l;
  }
};

// This is the value one leaf size from a corner outwards along an axis. Mostly a leaf of the same size is there,
// of which that is a corner: nothing has to be searched for.
template <int Dim, class T>
T value_beyond(const MeshView<Dim>& mesh, View<const T> nodal, LeafId leaf, int corner, int axis,
               LeafId across) {
  if (mesh.tree.level(across) == mesh.tree.level(leaf)) return nodal[mesh.node(across, corner)];
  const double h = mesh.tree.size(leaf);
  Vec<Dim> p = mesh.tree.domain.position(mesh.lattice(leaf, corner));
  p[axis] += (corner >> axis & 1) != 0 ? h : -h;
  return sample<T>(mesh, nodal, p);
}

// This is C = max |f(x + h e_a) + f(x - h e_a) - 2 f(x)| over the corners x and the axes a of a leaf of size h,
// where f is component(nodal value, a). Beside a wall there is no such difference across it.
template <int Dim, class T, class Component>
double second_difference(const MeshView<Dim>& mesh, View<const T> nodal, LeafId leaf,
                         Component&& component) {
  double largest = 0;
  for (int side = 0; side < side_count<Dim>; ++side) {
    const int a = side / 2, upper = side % 2;
    const FaceId face = mesh.first_face(leaf, side);
    if (!mesh.is_inner(face)) continue;
    const LeafId across = upper == 1 ? mesh.face_leaf[face].high : mesh.face_leaf[face].low;
    auto value = [&](int c) { return component(nodal[mesh.node(leaf, c)], a); };
    for (int c = 0; c < child_count<Dim>; ++c) {
      if ((c >> a & 1) != upper) continue;
      const double beyond = component(value_beyond(mesh, nodal, leaf, c, a, across), a);
      largest = std::max(largest, std::abs(beyond + value(c ^ (1 << a)) - 2 * value(c)));
    }
  }
  return largest;
}

// Shi and Yu split a leaf while C is above a threshold, and show that C is halved at least by each split
// of multilinear data, so that splitting ends after log2(C / threshold) levels: those are asked for at
// once. Of smooth data C is quartered, so that a leaf may go up a level only when C is below a quarter.
template <int Dim, class Real>
struct FieldDetail {
  MeshView<Dim> mesh;
  View<const Real> field;  // nodes
  double threshold;
  int level;

  WantedLevels operator()(LeafId leaf) const { return wanted(detail(leaf), mesh.tree.level(leaf)); }
  double detail(LeafId leaf) const {
    return second_difference(mesh, field, leaf,
                             [](Real value, int) { return static_cast<double>(value); });
  }
  WantedLevels wanted(double c, int current) const {
    if (!(c > 0)) return {};
    int finer = 0, coarser = 0;
    for (double t = threshold; t < c && finer < 32; t *= 2) ++finer;
    for (double t = 4 * c; t <= threshold && coarser < 32; t *= 4) ++coarser;
    return WantedLevels::from(finer > 0 ? std::min(level, current + finer) : 0,
                              std::min(level, current - coarser));
  }
};

template <int Dim, class Real>
struct VelocityVariation {
  MeshView<Dim> mesh;
  View<const Vec<Dim, Real>> velocity;  // nodes
  double value;                         // 1/(m s)
  int level;
  double keep = 0.5;

  WantedLevels operator()(LeafId leaf) const {
    const double h = mesh.tree.size(leaf);
    const double c = second_difference(mesh, velocity, leaf, [](const Vec<Dim, Real>& u, int axis) {
      return static_cast<double>(u[axis]);
    });
    return wanted_above(c / (h * h), value, keep, mesh.tree.level(leaf), level);
  }
};

}  // namespace octavo
