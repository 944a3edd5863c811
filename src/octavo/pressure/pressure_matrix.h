#pragma once

// This is the matrix of the pressure equation (operators/pressure_gradient.h) over the cells of sibling blocks;
// it also holds what the coarser levels of a multigrid need to know of it.
//
//   (A q)_i = sum_f c_f (q_i - q_j) + surfaces + large faces,   c_f = open area / distance
//
// Between cells of one size h the coefficient of a face is h^(Dim-2) times its *open fraction*: the
// part of the face with fluid on both sides. That holds for leaves, and for the branches of every
// coarser level if their faces take the mean of the fractions below, which is the discretisation of
// the same problem on the tree cut off at that level. So one number for each face of each cell
// describes all levels; and since nearly all of these numbers are 1, only the sibling blocks for which
// one is not (`blocks`) store any. Under a free surface branches may be full to a part; the fraction is
// then multiplied by how much nearer the centres of their liquid are (FaceMeasure::nearness).
//
// Large faces, where leaves of different sizes meet, are Hanging faces. What is stored for them are the
// parts w_C of the larger leaf's face that its smaller neighbours C cover.
//
// What a free surface cuts is Cut rows, and what is coupled to them; CutRowMatrix has their part of the product.

#include "octavo/pressure/cut_row_matrix.h"
#include "octavo/pressure/fragments.h"
#include "octavo/pressure/hanging_faces.h"

namespace octavo {

template <int Dim, class Real>
struct PressureMatrixView {
  static constexpr int width = child_count<Dim>;

  SiblingBlocksView<Dim> sibling_blocks;
  View<const std::uint8_t> leaves;  // which members are liquid leaves
  View<const std::uint8_t> active;  // which have liquid in them
  View<const double> diagonal;      // in units of h^(Dim-2), without hanging faces; 0: not a leaf
  // The same holds for all cells among those of their own size, with fractions as the multigrid has them.
  View<const float> coarse_diagonal;
  View<const std::uint32_t> block;  // none: all open
  View<const Real> fraction;        // by block_entry()

  const Real* block_of(std::size_t sibling_block) const {
    return block[sibling_block] == no_block
               ? nullptr
               : &fraction[std::size_t{block[sibling_block]} * block_size<Dim>];
  }

  // These are the members of a row's sibling block that are liquid leaves; a fragment's row has none.
  unsigned leaves_of(const HangingFaceRow<Dim, Real>& row) const {
    return row.is_fragment ? 0 : leaves[row.base / width];
  }

  // This tells whether a cell, or the index of a fragment, is a liquid leaf.
  bool is_leaf(LevelCellId level_cell) const {
    const std::size_t sibling_block = level_cell.value / width;
    return sibling_block < leaves.size() &&
           ((leaves[sibling_block] >> (level_cell.value % width)) & 1) != 0;
  }
};

template <int Dim, class Real>
class PressureMatrix {
 public:
  using MatrixView = PressureMatrixView<Dim, Real>;
  static constexpr int width = child_count<Dim>;

  // The mesh must outlive the matrix; the boundary's views are looked at only here.
  void build(const Mesh<Dim>& mesh, const FlowBoundary<Dim, Real>& boundary, PressureScheme scheme);

  // Sets out = A q over cells; both must be zero where there is no liquid leaf. Returns q . A q.
  double apply(View<const Real> q, View<double> out);

  // Gives the diagonal of A, hanging faces included.
  void full_diagonal(View<double> out) const;

  MatrixView view() const;
  const SiblingBlocks<Dim>& sibling_blocks() const { return sibling_blocks_; }
  const HangingFaces<Dim, Real>& hanging_faces() const { return hanging_faces_; }
  const Fragments<Dim>& fragments() const { return fragments_; }
  const CutRows<Dim, Real>& cut_rows() const { return cut_rows_; }
  CutRows<Dim, Real>& cut_rows() { return cut_rows_; }
  std::size_t level_cell_count() const { return leaves_.size() * width; }
  // Vectors have this size: they hold cells, then fragments.
  std::size_t vector_size() const { return level_cell_count() + fragments_.count(); }
  std::size_t liquid_leaves() const { return liquid_leaves_; }
  // This is what open walls and free surfaces add up to, outside of fragments; it is 0 if there are none.
  double surface_terms() const {
    return static_cast<double>(dirichlet_[sibling_blocks_.levels().front().begin]);
  }
  std::size_t bytes() const;

  static double full_coefficient(double size) { return Dim == 2 ? 1.0 : size; }

 private:
  double apply_hanging_faces(View<const Real> q, View<double> out);
  using Measure = FaceMeasure<Dim, Real>;
  struct Found;
  static constexpr std::size_t measure_block = 256;
  void resize(std::size_t sibling_blocks);
  void find_wet_leaves(const PressureFaces<Dim, Real>& faces);
  std::vector<DisconnectedFaces<Dim, Real>> measure_level(
      const Measure& measure, const SiblingLevel& level, std::vector<std::vector<Real>>& fractions);
  void measure_sibling_block(const Measure& measure, SiblingBlockId sibling_block, Found& found);
  void set_dry(const Measure& measure, SiblingBlockId sibling_block);
  void set_all_open(const Measure& measure, SiblingBlockId sibling_block, Found& found);
  void mark_dry_hanging_faces(const Measure& measure);
  void set_diagonals(const Measure& measure, SiblingBlockId sibling_block,
                     const SiblingBlockFaces<Dim, Real>& r);

  SiblingBlocks<Dim> sibling_blocks_;
  HangingFaces<Dim, Real> hanging_faces_;
  Fragments<Dim> fragments_;
  CutRows<Dim, Real> cut_rows_;
  CutRowMatrix<Dim, Real> cut_row_matrix_;
  Buffer<std::uint8_t> leaves_;
  Buffer<double> diagonal_;
  Buffer<float> coarse_diagonal_;
  Buffer<std::uint32_t> block_;
  Buffer<Real> fraction_;
  std::uint32_t block_total_ = 0;
  struct RowSum {
    double sum, squares;  // of weight * q, and of weight * q^2
  };
  Buffer<double> hanging_face_flow_;
  Buffer<RowSum> row_sum_;
  std::size_t liquid_leaves_ = 0;

  // Each sibling block has the open fraction of its sides, the surface terms of all members, the part of its
  // volume that is liquid, and a mask of which sides of which members are large faces.
  Buffer<float> side_fraction_, dirichlet_, filled_;
  Buffer<std::uint64_t> hanging_face_mask_;
  Buffer<std::uint8_t> active_;  // members with liquid in them
  Buffer<std::uint8_t> wet_;     // members that are leaves with liquid, closed in or not
};

extern template class PressureMatrix<2, float>;
extern template class PressureMatrix<3, float>;
extern template class PressureMatrix<2, double>;
extern template class PressureMatrix<3, double>;

}  // namespace octavo
