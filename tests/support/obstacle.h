#pragma once

// A cylinder (2D) or sphere (3D) in a uniform flow, with its exact potential flow,
//
//   u = U - grad p,     p = -U x R^2 / r^2   (2D),      p = -U x R^3 / (2 r^3)   (3D),
//
// the exact open areas of faces around it, and a tree with jumps of sizes away from it.

#include <algorithm>
#include <cmath>

#include "support/random_tree.h"

namespace octavo::test {

inline constexpr double radius = 0.7, speed = 1.5;

template <int Dim>
struct Obstacle {
  static constexpr double strength =
      speed * (Dim == 2 ? radius * radius : 0.5 * radius * radius * radius);

  static Vec<Dim> from_center(const Vec<Dim>& x) {
    Vec<Dim> r = x;
    for (int a = 0; a < Dim; ++a) r[a] -= 0.03 - 0.08 * a;
    return r;
  }
  static double distance(const Vec<Dim>& x) { return length(from_center(x)) - radius; }
  static double pressure(const Vec<Dim>& x) {
    const Vec<Dim> r = from_center(x);
    return -strength * r[0] / std::pow(length(r), Dim);
  }
  // A component of the exact velocity.
  static double velocity(const Vec<Dim>& x, int axis) {
    const Vec<Dim> r = from_center(x);
    const double d = length(r);
    return (axis == 0 ? speed + strength / std::pow(d, Dim) : 0) -
           strength * Dim * r[0] * r[axis] / std::pow(d, Dim + 2);
  }
};

// The part of a segment of length h about x that is within c of zero.
inline double covered(double x, double h, double c) {
  return std::max(0.0, std::min(x + 0.5 * h, c) - std::max(x - 0.5 * h, -c));
}

// The area of a disc about zero between the axes and a corner (x, y), of any signs.
inline double corner_area(double x, double y, double disc) {
  if (x < 0) return -corner_area(-x, y, disc);
  if (y < 0) return -corner_area(x, -y, disc);
  x = std::min(x, disc);
  y = std::min(y, disc);
  if (x * x + y * y <= disc * disc) return x * y;
  auto under_arc = [=](double t) {
    return 0.5 * (t * std::sqrt(disc * disc - t * t) + disc * disc * std::asin(t / disc));
  };
  const double meet = std::sqrt(disc * disc - y * y);
  return y * meet + under_arc(x) - under_arc(meet);
}

// The part of a face that the obstacle covers, exactly.
template <int Dim>
double covered_fraction(const Vec<Dim>& center, double h, int axis) {
  const Vec<Dim> r = Obstacle<Dim>::from_center(center);
  const double square = radius * radius - r[axis] * r[axis];
  if (square <= 0) return 0;
  const double disc = std::sqrt(square), x = r[(axis + 1) % Dim];
  if constexpr (Dim == 2) {
    return covered(x, h, disc) / h;
  } else {
    const double y = r[(axis + 2) % Dim], x0 = x - 0.5 * h, x1 = x + 0.5 * h, y0 = y - 0.5 * h,
                 y1 = y + 0.5 * h;
    return (corner_area(x1, y1, disc) - corner_area(x0, y1, disc) - corner_area(x1, y0, disc) +
            corner_area(x0, y0, disc)) /
           (h * h);
  }
}

// The part outside. What is left of a covered face by rounding is nothing.
template <int Dim>
double open_fraction(const Vec<Dim>& center, double h, int axis) {
  const double open = 1 - covered_fraction(center, h, axis);
  return open < 1e-12 ? 0 : std::min(open, 1.0);
}

// The finest leaves at the obstacle; elsewhere patches an eighth (3D: a quarter) as large as the
// leaves around them.
template <int Dim>
Octree<Dim> tree_around() {
  Domain<Dim> domain;
  domain.origin = Vec<Dim>::filled(-2.0);
  domain.root_size = 4;
  const int coarsest = Dim == 2 ? 3 : 2, finest = Dim == 2 ? 6 : 4;
  const Random random(5);
  return Octree<Dim>::build(domain, [=](const Leaf<Dim>& l) {
    if (l.level < coarsest) return true;
    if (l.level >= finest) return false;
    if (std::abs(Obstacle<Dim>::distance(l.center)) < l.size) return true;
    if (l.level == coarsest) return cell_noise(random, l) < 0.08;
    Leaf<Dim> above = l;  // the leaf of the coarsest level that this one is in
    while (above.level > coarsest) {
      above.size *= 2;
      --above.level;
    }
    for (int a = 0; a < Dim; ++a)
      above.center[a] = (std::floor(l.center[a] / above.size) + 0.5) * above.size;
    return std::abs(Obstacle<Dim>::distance(above.center)) >= above.size;
  });
}

}  // namespace octavo::test
