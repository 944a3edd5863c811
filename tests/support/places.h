#pragma once

// Solvers work on vectors over the cells of sibling blocks; tests speak of leaves.

#include <utility>
#include <vector>

#include "octavo/pressure/pressure_matrix.h"

namespace octavo::test {

// A vector over leaves as one over cells (of `size` values: there may be more than cells), and back.
template <class To, int Dim>
Buffer<To> to_places(const SiblingBlocksView<Dim>& sibling_blocks, std::size_t size,
                     const std::vector<double>& leaves) {
  Buffer<To> cells(size);
  for (To& value : cells) value = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    cells[sibling_blocks.level_cell(LeafId(i))] = static_cast<To>(leaves[i]);
  return cells;
}

template <int Dim, class From>
std::vector<double> to_leaves(const SiblingBlocksView<Dim>& sibling_blocks,
                              View<const From> cells) {
  std::vector<double> leaves(sibling_blocks.tree.leaf_count());
  for (std::size_t i = 0; i < leaves.size(); ++i)
    leaves[i] = static_cast<double>(cells[sibling_blocks.level_cell(LeafId(i))]);
  return leaves;
}

// The leaves that have an equation.
template <int Dim, class Real>
std::vector<bool> equations(const PressureMatrix<Dim, Real>& matrix) {
  const PressureMatrixView<Dim, Real> m = matrix.view();
  std::vector<bool> has(m.sibling_blocks.tree.leaf_count());
  for (std::size_t i = 0; i < has.size(); ++i)
    has[i] = m.is_leaf(m.sibling_blocks.level_cell(LeafId(i)));
  return has;
}

// A q over leaves, and q . A q; q is taken to be zero where there is no equation.
template <int Dim, class Real>
std::pair<std::vector<double>, double> apply(PressureMatrix<Dim, Real>& matrix,
                                             std::vector<double> q) {
  const SiblingBlocksView<Dim> sibling_blocks = matrix.sibling_blocks().view();
  const std::vector<bool> has_equation = equations(matrix);
  for (std::size_t i = 0; i < q.size(); ++i)
    if (!has_equation[i]) q[i] = 0;
  const Buffer<Real> in = to_places<Real>(sibling_blocks, matrix.vector_size(), q);
  Buffer<double> out(matrix.vector_size());
  for (double& value : out) value = 0;
  const double energy = matrix.apply(in.view(), out.view());
  return {to_leaves<Dim, double>(sibling_blocks, out.view()), energy};
}

// The diagonal of A over leaves.
template <int Dim, class Real>
std::vector<double> diagonal(const PressureMatrix<Dim, Real>& matrix) {
  Buffer<double> out(matrix.vector_size());
  matrix.full_diagonal(out.view());
  return to_leaves<Dim, double>(matrix.sibling_blocks().view(), out.view());
}

}  // namespace octavo::test
