#pragma once

// This is a multigrid over the sibling blocks of an octree, as a preconditioner.
//
// Level m is the tree cut off at depth m: the branches of that depth are cells, larger leaves are
// what they are. A correction is constant on each cell (prolongation by injection, restriction its
// transpose); the operator is the pressure matrix discretised on the cut tree, hanging faces included. Only
// the cells of depth m itself are relaxed, larger leaves wait for their own level, so that every
// cell of the tree is visited by one level and a cycle costs O(leaves) on any tree.
//
// Cells of one depth are coloured by the parity of their position. Red-black Gauss-Seidel with
// over-relaxation is then a map over sibling blocks, the same for any number of threads; downward red
// first, upward black first, so that the cycle is symmetric. The flow through a hanging face couples more
// cells than two colours can tell apart; it is computed once before a level is relaxed, and its
// change in between is bounded by a diagonal term.
//
// Local smoothing on adaptive grids is due to McCormick 1989; distance-weighted coarse coefficients and
// aggregation on the tree are this project's own (see docs/architecture.md).

#include "octavo/multigrid/cycle.h"
#include "octavo/multigrid/short_float.h"
#include "octavo/pressure/pressure_matrix.h"

namespace octavo {

template <int Dim, class Real>
class Multigrid {
 public:
  static constexpr int width = child_count<Dim>;

  // The matrix must outlive the multigrid.
  void build(const PressureMatrix<Dim, Real>& matrix);

  // Sets z = B (scale * r) over cells, with B symmetric, positive definite on the liquid leaves. r must be zero
  // where there is none; z is what is left in correction(), meaningful at liquid leaves. The scale keeps r
  // within the range of a float.
  void apply(View<const double> r, double scale = 1);
  View<const float> correction() const { return x_.view(); }
  std::size_t bytes() const;

 private:
  struct LevelView;
  static constexpr float over_relaxation = 1.15f;
  // This part of a hanging face's diagonal stands for it while relaxing. The whole of it would bound the
  // hanging face; the smoother converges with half.
  static constexpr double hanging_face_damping = 0.5;

  LevelView level_view(const SiblingLevel& level);
  void descend(std::size_t level);
  void ascend(std::size_t level);
  void relax(std::size_t level, bool upward);
  void relax_sibling_blocks(const SiblingLevel& level, int color, bool from_zero);
  void restrict_residual(std::size_t level);
  void prolong(std::size_t level);

  template <class F>
  void for_each_hanging_face(int depth, F&& f);
  template <class F>
  void add_flow(int depth, bool keep_b, F&& inflow);
  void add_hanging_faces_to_diagonal(const SiblingLevel& level);
  void meet_hanging_faces_downward(std::size_t level);
  void leave_hanging_faces_downward(std::size_t level);
  void meet_hanging_faces_upward(std::size_t level);
  void leave_hanging_faces_upward(std::size_t level);

  void set_up_fragments();
  void add_links(const SiblingLevel& level, int color);
  void remove_links(const SiblingLevel& level, int color);
  void relax_fragments(const SiblingLevel& level, int color, bool from_zero);
  void restrict_special(const SiblingLevel& level);
  void prolong_special(const SiblingLevel& level);

  const PressureMatrix<Dim, Real>* matrix_ = nullptr;
  Buffer<float> x_, b_, inverse_diagonal_;
  Buffer<ShortFloat> fraction_;  // the matrix's, shortened
  // Each hanging face has the flow at the current depth, that of all depths so far, and, upward, the pressure
  // of the larger leaf less that of the smaller leaves that are done.
  Buffer<float> flow_, flow_so_far_, rise_;
  // Each row has the diagonal terms for each unit of weight and the sum of weight * x; each sibling block or
  // fragment has, at its first row, the right-hand side without hanging faces.
  Buffer<float> row_diagonal_, row_sum_, row_b_;
  Buffer<float> link_b_;  // of each row of links: the right-hand side without them
  // These are the sibling blocks' parents, with none for special ones; the buffer is empty without fragments.
  Buffer<LevelCellId> parent_;
};

extern template class Multigrid<2, float>;
extern template class Multigrid<3, float>;
extern template class Multigrid<2, double>;
extern template class Multigrid<3, double>;

}  // namespace octavo
