#pragma once

// This finds the rows at a surface, and for those that need one, partners; cut_rows.h says what for.

#include "octavo/pressure/cut_rows.h"

namespace octavo {

// A judge measures rows and says which cannot stand by themselves.
template <int Dim, class Real>
class RowJudge {
 public:
  // Larger weights are rounding, or as good as that.
  static constexpr double largest_weight = 1e4;

  explicit RowJudge(const PressureFaces<Dim, Real>& faces);

  const PressureFaces<Dim, Real>& faces() const { return faces_; }
  RowMeasure measure_by_level_set(const FaceRange& row) const;
  RowMeasure measure_by_height(const FaceRange& row) const;

  // Rows that are cut are measured by the level set. Others can be wrong beside solids only, and are measured by
  // height there.
  RowMeasure measure(const FaceRange& row) const;
  bool is_degenerate(const RowMeasure& r) const;  // if it is cut
  bool is_seed(const RowMeasure& r) const;

 private:
  // Unevenly open rows that are cut do without a partner if their weight is of that size.
  static constexpr double least_even_weight = 0.2, largest_even_weight = 5;
  static constexpr double rounding = 1e-12;  // of a slope

  PressureFaces<Dim, Real> faces_;
  Vec<Dim> up_;
  bool has_height_;
};

// Partners that are not in the list of rows, groups of rows and partners (partner i has the index rows.size() + i),
// and seeds that have none.
struct CutRowGroups {
  std::vector<CutRow> partners;
  std::vector<std::uint32_t> group, member;  // as in CutRowsView
  std::vector<std::uint32_t> alone;
};

// `rows` are all rows that are cut or seeds, in the order of their faces, and `seeds` are indices of them.
template <int Dim, class Real>
CutRowGroups group_rows(const RowJudge<Dim, Real>& judge, const CutRowsView& rows,
                        const std::vector<std::uint32_t>& seeds);

}  // namespace octavo
