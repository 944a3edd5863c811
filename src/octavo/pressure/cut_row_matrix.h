#pragma once

// This is the part of the pressure matrix that groups of rows add (cut_rows.h): B^T (X_g - diag) B as products with sparse
// rows over cells. What X has on its diagonal is in the matrix already: cut rows of one liquid leaf stand on its
// diagonal, the others are Hanging faces. *Bundles* are groups, and rows by themselves that are not cut but have
// another weight than one.

#include "octavo/multigrid/sibling_blocks.h"
#include "octavo/pressure/cut_rows.h"

namespace octavo {

template <int Dim, class Real>
class CutRowMatrix {
 public:
  void build(const PressureFaces<Dim, Real>& faces, const CutRowsView& rows,
             const SiblingBlocksView<Dim>& sibling_blocks);

  bool empty() const { return row_.empty(); }
  // Adds to out = A q over cells, and returns what is added to q . A q.
  double apply(View<const Real> q, View<double> out);
  void add_to_diagonal(View<double> diagonal) const;
  std::size_t bytes() const;

 private:
  // This is an entry of B.
  struct Entry {
    LevelCellId cell;
    std::uint32_t row;
    double area;  // positive for cells above the row
  };
  struct Row {
    CutRow row;
    double known;  // what the matrix has of it already, instead of X
    std::uint32_t bundle;
  };
  void list_bundles(const CutRowsView& rows);
  void list_entries(const PressureFaces<Dim, Real>& faces,
                    const SiblingBlocksView<Dim>& sibling_blocks);
  double coupling(const Row& p, const Row& q) const;

  Buffer<Row> row_;
  Buffer<std::uint32_t> bundle_;      // the first row of each, and one more
  Buffer<std::uint32_t> of_row_;      // the first entry of each row, and one more
  Buffer<Entry> entry_, cell_entry_;  // by rows; by cells
  Buffer<std::uint32_t> of_cell_;     // the first entry of each cell that has some, and one more
  Buffer<double> flow_;
};

extern template class CutRowMatrix<2, float>;
extern template class CutRowMatrix<3, float>;
extern template class CutRowMatrix<2, double>;
extern template class CutRowMatrix<3, double>;

}  // namespace octavo
