#pragma once

// A patch is what one node beside a surface knows of it: the point of the surface that is nearest, the normal there
// and how the normal turns. Distances from other points are measured to the circle (sphere) that touches the patch
// and is curved as the patch is in the direction of the point. With v = x - foot, a = n.v, t = v - a n and
// k = t.H t / t.t the signed distance is
//
//   d = (2 a + k |v|^2) / (1 + sqrt((1 + k a)^2 + k^2 |t|^2)),
//
// exact for planes at any distance, for spheres too but deep inside, and of third order in |t| for smooth surfaces.

#include <algorithm>
#include <cmath>

#include "octavo/base/vec.h"

namespace octavo {

// This is where entry (a, b), a <= b, of a symmetric matrix is kept.
template <int Dim>
constexpr std::size_t symmetric_index(int a, int b) {
  return static_cast<std::size_t>(a * Dim - a * (a - 1) / 2 + b - a);
}
template <int Dim>
inline constexpr std::size_t symmetric_count = Dim*(Dim + 1) / 2;

template <int Dim, class Real>
struct SymmetricMatrix {
  Real entry[symmetric_count<Dim>];

  constexpr Real& operator()(int a, int b) {
    return entry[symmetric_index<Dim>(std::min(a, b), std::max(a, b))];
  }
  constexpr Real operator()(int a, int b) const {
    return entry[symmetric_index<Dim>(std::min(a, b), std::max(a, b))];
  }
  constexpr Vec<Dim> operator*(const Vec<Dim>& v) const {
    Vec<Dim> r{};
    for (int a = 0; a < Dim; ++a)
      for (int b = 0; b < Dim; ++b) r[a] += static_cast<double>((*this)(a, b)) * v[b];
    return r;
  }
};

template <int Dim, class Real>
struct SurfacePatch {
  Vec<Dim> foot;                       // m
  Vec<Dim, Real> normal;               // of length one, out of the liquid
  SymmetricMatrix<Dim, Real> turning;  // how the normal changes along the surface, 1/m
  Real size;                           // edge of the largest leaf at the node, m

  struct Distance {
    double value;    // signed, m
    double aside;    // how far the point is from the line along the normal, m
    Vec<Dim> point;  // of the surface, as far as the patch knows
  };

  // Far to the side of a patch its curvature is not known well enough to count in full, nor towards the centre of the
  // circle, where small errors of it would become large.
  static constexpr double trusted = 4, focus = 0.5;

  constexpr Distance to(const Vec<Dim>& x) const {
    const Vec<Dim> n = normal.template cast<double>(), v = x - foot;
    const double a = dot(n, v);
    const Vec<Dim> t = v - n * a;
    const double t2 = dot(t, t), far = trusted * static_cast<double>(size);
    double k = t2 > 0 ? dot(t, turning * t) / t2 : 0.0;
    if (t2 > far * far) k *= far * far / t2;
    if (k * a < -focus) k = -focus / a;
    const double along = 1 + k * a, root = std::sqrt(along * along + k * k * t2);
    const double value = (2 * a + k * dot(v, v)) / (1 + root);
    const Vec<Dim> direction = root > 0 ? (n * along + t * k) / root : n;
    return {value, std::sqrt(t2), x - direction * value};
  }
};

// A Quadric is a level set about a node as far as second differences tell: value + slope.v + v.second v / 2.
template <int Dim>
struct Quadric {
  double value;
  Vec<Dim> slope;
  SymmetricMatrix<Dim, double> second;

  constexpr double at(const Vec<Dim>& v) const {
    return value + dot(slope, v) + 0.5 * dot(v, second * v);
  }
  constexpr Vec<Dim> slope_at(const Vec<Dim>& v) const { return slope + second * v; }

  // This is the point nearest to the node where the quadric is zero: again and again the nearest point of the plane
  // that it seems to be there (after Chopp, "Some improvements of the fast marching method", 2001).
  constexpr Vec<Dim> nearest_zero(const Vec<Dim>& start) const {
    Vec<Dim> p = start;
    for (int step = 0; step < 5; ++step) {
      const Vec<Dim> s = slope_at(p);
      const double s2 = dot(s, s);
      if (!(s2 > 0)) break;
      p = s * ((dot(p, s) - at(p)) / s2);
    }
    return p;
  }
};

}  // namespace octavo
