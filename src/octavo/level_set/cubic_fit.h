#pragma once

// A polynomial of third degree about a point, fitted to scattered values by weighted least squares: the normal equations,
// solved by Cholesky's factorisation. Places are given in units of the reach of the fit, so that all numbers are near 1.

#include <array>
#include <cmath>
#include <cstddef>

#include "octavo/base/vec.h"

namespace octavo {

template <int Dim>
class CubicFit {
 public:
  static constexpr std::size_t count = Dim == 2 ? 10 : 20;

  // This adds a value at a place less than 1 away from the centre.
  constexpr void add(const Vec<Dim>& place, double value, double weight) {
    const std::array<double, count> term = terms(place);
    for (std::size_t i = 0; i < count; ++i) {
      const double t = weight * term[i];
      for (std::size_t j = 0; j <= i; ++j) matrix_[i][j] += t * term[j];
      solution_[i] += t * value;
    }
    ++added_;
  }

  // This finds the coefficients and tells whether the values were enough for that.
  bool solve() {
    if (added_ < count) return false;
    for (std::size_t i = 0; i < count; ++i) {
      const double before = matrix_[i][i];
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = matrix_[i][j];
        for (std::size_t k = 0; k < j; ++k) sum -= matrix_[i][k] * matrix_[j][k];
        if (i != j) {
          matrix_[i][j] = sum / matrix_[j][j];
          continue;
        }
        if (!(sum > 1e-9 * before)) return false;
        matrix_[i][i] = std::sqrt(sum);
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < i; ++k) solution_[i] -= matrix_[i][k] * solution_[k];
      solution_[i] /= matrix_[i][i];
    }
    for (std::size_t i = count; i-- > 0;) {
      for (std::size_t k = i + 1; k < count; ++k) solution_[i] -= matrix_[k][i] * solution_[k];
      solution_[i] /= matrix_[i][i];
    }
    return true;
  }

  // These are the value and derivatives at the centre.
  constexpr double value() const { return solution_[0]; }
  constexpr double slope(int a) const { return solution_[1 + static_cast<std::size_t>(a)]; }
  constexpr double second(int a, int b) const {
    const double c = solution_[second_index(a < b ? a : b, a < b ? b : a)];
    return a == b ? 2 * c : c;
  }

 private:
  static constexpr std::size_t second_index(int a, int b) {
    std::size_t index = 1 + Dim;
    for (int p = 0; p < Dim; ++p)
      for (int q = p; q < Dim; ++q, ++index)
        if (p == a && q == b) return index;
    return index;
  }

  // 1, x_a, x_a x_b, x_a x_b x_c with a <= b <= c, in this order.
  static constexpr std::array<double, count> terms(const Vec<Dim>& x) {
    std::array<double, count> term{};
    std::size_t at = 0;
    term[at++] = 1;
    for (int a = 0; a < Dim; ++a) term[at++] = x[a];
    for (int a = 0; a < Dim; ++a)
      for (int b = a; b < Dim; ++b) term[at++] = x[a] * x[b];
    for (int a = 0; a < Dim; ++a)
      for (int b = a; b < Dim; ++b)
        for (int c = b; c < Dim; ++c) term[at++] = x[a] * x[b] * x[c];
    return term;
  }

  double matrix_[count][count] = {};
  double solution_[count] = {};
  std::size_t added_ = 0;
};

}  // namespace octavo
