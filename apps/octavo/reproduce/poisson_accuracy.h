#pragma once

// This measures how well a pressure whose exact value is known is found by the projection.
//
//   p = cos(pi x) cos(2 pi y) cos(pi z) in the closed unit box
//
// u* on a face is the exact mean of dp/dn over it, so that with dt = rho = 1 the projection has
// nothing to leave over: its pressure is p, up to a constant and the error of the scheme.

#include <array>
#include <cstddef>
#include <vector>

#include "octavo/operators/pressure_scheme.h"

namespace octavo {

// It holds mean and largest error. Pressures are compared at the centres of leaves, weighted by
// volume, after the mean error is removed. Gradients are compared with dp/dn at the centre of what
// has one gradient, a face (losasso04) or a large face (the others), weighted by area * distance.
struct AccuracyRow {
  std::size_t leaves = 0;
  double p_l1 = 0, p_linf = 0;        // Pa
  double grad_l1 = 0, grad_linf = 0;  // Pa/m
};

struct AccuracySeries {
  PressureScheme scheme;
  std::vector<AccuracyRow> rows;  // each on the tree of the row before, all leaves split once
};

struct AccuracyReport {
  int jump = 0;  // largest difference in level of leaves that share a face
  std::vector<AccuracySeries> series;
};

// These schemes are compared: losasso04 with each choice of Delta, losasso06, losasso06s.
std::vector<PressureScheme> accuracy_schemes();

// It is the number of leaves of the tree whose cells were halved `refinements` times.
double accuracy_leaves(int refinements);

AccuracyReport measure_accuracy(int refinements);

}  // namespace octavo
