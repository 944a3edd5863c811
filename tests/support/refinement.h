#pragma once

// An exact solution and a loop over resolution: trees whose leaves are split again and again, and the
// order at which an error falls.

#include <cmath>
#include <vector>

#include "octavo/tree/octree.h"

namespace octavo::test {

// Every leaf split once: the same tree, twice as fine everywhere.
template <int Dim>
Octree<Dim> split_leaves(const Octree<Dim>& tree) {
  Buffer<Key<Dim>> keys(tree.leaf_count() * child_count<Dim>);
  std::size_t next = 0;
  for (const Key<Dim> key : tree.keys())
    for (int c = 0; c < child_count<Dim>; ++c) keys[next++] = key.child(c);
  return Octree<Dim>(tree.domain(), std::move(keys));
}

// Calls measure(tree) on the tree and on what `refinements` splits of all leaves make of it.
template <int Dim, class Measure>
auto refine_and_measure(Octree<Dim> tree, int refinements, Measure&& measure) {
  std::vector<decltype(measure(tree))> errors{measure(tree)};
  for (int i = 0; i < refinements; ++i) {
    tree = split_leaves(tree);
    errors.push_back(measure(tree));
  }
  return errors;
}

// How many times an error halves when sizes do: over the last step, or from the first on average.
inline double order(double coarse, double fine) { return std::log2(coarse / fine); }
template <class E, class Member>
double last_order(const std::vector<E>& e, Member member) {
  return order(e[e.size() - 2].*member, e.back().*member);
}
template <class E, class Member>
double mean_order(const std::vector<E>& e, Member member) {
  return order(e.front().*member, e.back().*member) / static_cast<double>(e.size() - 1);
}

// Abscissae and weights on [-1/2, 1/2]: exact for polynomials of degree nine.
struct GaussPoint {
  double x, weight;
};
inline constexpr GaussPoint gauss_points[] = {{0.0, 0.28444444444444444},
                                              {-0.26923465505284155, 0.23931433524968324},
                                              {0.26923465505284155, 0.23931433524968324},
                                              {-0.45308992296933200, 0.11846344252809454},
                                              {0.45308992296933200, 0.11846344252809454}};

// The mean of f over a face: a square (in 2D a segment) of edge `size` across an axis.
template <int Dim, class F>
double face_mean(const Vec<Dim>& center, double size, int axis, F&& f) {
  double sum = 0;
  for (const GaussPoint& p : gauss_points) {
    Vec<Dim> x = center;
    x[(axis + 1) % Dim] += size * p.x;
    if constexpr (Dim == 2) {
      sum += p.weight * f(x);
    } else {
      const double along = x[(axis + 2) % Dim];
      for (const GaussPoint& q : gauss_points) {
        x[(axis + 2) % Dim] = along + size * q.x;
        sum += p.weight * q.weight * f(x);
      }
    }
  }
  return sum;
}

}  // namespace octavo::test
