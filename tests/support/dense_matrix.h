#pragma once

// Small dense matrices, for what can be said of an operator only when all of it is known.

#include <algorithm>
#include <cmath>
#include <vector>

namespace octavo::test {

struct DenseMatrix {
  std::size_t n;
  std::vector<double> value = std::vector<double>(n * n, 0.0);

  explicit DenseMatrix(std::size_t size) : n(size) {}
  double& operator()(std::size_t i, std::size_t j) { return value[i * n + j]; }
  double operator()(std::size_t i, std::size_t j) const { return value[i * n + j]; }

  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) y[i] += (*this)(i, j) * x[j];
    return y;
  }
  DenseMatrix transposed() const {
    DenseMatrix t(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) t(j, i) = (*this)(i, j);
    return t;
  }
  // The largest |a_ij - a_ji|.
  double asymmetry() const {
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        worst = std::max(worst, std::abs((*this)(i, j) - (*this)(j, i)));
    return worst;
  }
};

// d_i a_ij d_j
inline DenseMatrix scaled(DenseMatrix a, const std::vector<double>& d) {
  for (std::size_t i = 0; i < a.n; ++i)
    for (std::size_t j = 0; j < a.n; ++j) a(i, j) *= d[i] * d[j];
  return a;
}

// The eigenvalues of a symmetric matrix, in rising order: Jacobi's rotations, cyclic by rows.
inline std::vector<double> eigenvalues(DenseMatrix a) {
  const std::size_t n = a.n;
  for (int sweep = 0; sweep < 30; ++sweep) {
    double outside = 0, all = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        all += a(i, j) * a(i, j);
        if (i != j) outside += a(i, j) * a(i, j);
      }
    if (outside <= 1e-32 * all) break;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        if (a(p, q) == 0) continue;
        const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::hypot(theta, 1.0));
        const double c = 1 / std::hypot(t, 1.0), s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const double x = a(k, p), y = a(k, q);
          a(k, p) = c * x - s * y;
          a(k, q) = s * x + c * y;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double x = a(p, k), y = a(q, k);
          a(p, k) = c * x - s * y;
          a(q, k) = s * x + c * y;
        }
      }
  }
  std::vector<double> lambda(n);
  for (std::size_t i = 0; i < n; ++i) lambda[i] = a(i, i);
  std::sort(lambda.begin(), lambda.end());
  return lambda;
}

// The largest singular value, from below: power iteration with A^T A.
inline double operator_norm(const DenseMatrix& a, int iterations = 300) {
  const DenseMatrix t = a.transposed();
  std::vector<double> x(a.n);
  for (std::size_t i = 0; i < a.n; ++i) x[i] = 1 + 0.5 * std::sin(static_cast<double>(7 * i + 1));
  double norm = 0;
  for (int k = 0; k < iterations; ++k) {
    double squares = 0;
    for (const double v : x) squares += v * v;
    if (squares == 0) return 0;
    for (double& v : x) v /= std::sqrt(squares);
    const std::vector<double> y = a.times(x);
    double image = 0;
    for (const double v : y) image += v * v;
    norm = std::sqrt(image);
    x = t.times(y);
  }
  return norm;
}

}  // namespace octavo::test
