#pragma once

// The modified incomplete Cholesky factorisation without fill-in, MIC(0), is the preconditioner of Losasso
// 2004, section 4.2: A is replaced by (E + L) E^-1 (E + L^T), L the strict lower triangle of A and E diagonal,
// such that the row sums are those of A:
//
//   E_i = a_ii - sum_{k<i} a_ik / E_k * sum_{j>k} a_kj
//
// The matrix it factorises is that of losasso04, which has the same row sums as the other schemes and no positive
// entry off the diagonal, and for rows that a free surface cuts their M-matrix (cut_rows.h). It is serial, in the order of the leaves along the curve, and is kept for comparison.

#include "octavo/multigrid/sibling_blocks.h"
#include "octavo/pressure/cut_rows.h"

namespace octavo {

template <int Dim, class Real>
class IncompleteCholesky {
 public:
  void build(const PressureFaces<Dim, Real>& faces, const SiblingBlocksView<Dim>& sibling_blocks,
             const CutRowsView& cut_rows = {});

  // Sets z = M^-1 (scale * r) over cells.
  void apply(View<const double> r, double scale = 1);
  View<const double> correction() const { return z_.view(); }

  // Multiplies M with a vector over leaves, to compare row sums.
  void multiply(View<const double> v, View<double> out) const;

  std::size_t bytes() const {
    return first_.bytes() + column_.bytes() + value_.bytes() + pivot_.bytes() + cell_.bytes() +
           z_.bytes() + work_.bytes();
  }

 private:
  void factorize(const PressureFaces<Dim, Real>& faces, const CutRowsView& cut_rows);

  Buffer<std::uint32_t> first_;  // row i: entries [first_[i], first_[i+1]), columns below i
  Buffer<std::uint32_t> column_;
  Buffer<double> value_;      // entries of L, negative
  Buffer<double> pivot_;      // E; 0 for a leaf without equation
  Buffer<LevelCellId> cell_;  // of each leaf
  Buffer<double> z_, work_;
};

extern template class IncompleteCholesky<2, float>;
extern template class IncompleteCholesky<3, float>;
extern template class IncompleteCholesky<2, double>;
extern template class IncompleteCholesky<3, double>;

}  // namespace octavo
