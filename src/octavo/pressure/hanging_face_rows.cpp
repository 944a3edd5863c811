// Here hanging faces are seen from the smaller side.

#include "octavo/pressure/hanging_face_geometry.h"

namespace octavo {

template <int Dim, class Real>
void HangingFaces<Dim, Real>::clear() {
  rows_.fill({});
  found_.clear();
  found_total_ = 0;
}

template <int Dim, class Real>
void HangingFaces<Dim, Real>::add_rows(int depth, std::vector<Row>&& rows) {
  if (rows.empty()) return;
  IndexRange& range = rows_[static_cast<std::size_t>(depth)];
  if (range.begin == range.end) range.begin = found_total_;
  found_total_ += rows.size();
  range.end = found_total_;
  found_.push_back(std::move(rows));
}

template <int Dim, class Real>
void HangingFaces<Dim, Real>::add_fragments(const FaceMeasure<Dim, Real>& measure, int depth) {
  if (depth < 1) return;
  using Blocks = SiblingBlocksView<Dim>;
  const auto& range = measure.fragments->level(depth).fragments;
  std::vector<Row> rows;
  for (std::size_t k = range.begin; k < range.end; ++k) {
    const Fragment<Dim>& fragment = measure.fragments->fragment(k);
    const SiblingBlockId sibling_block = Blocks::sibling_block_of(fragment.cell);
    for (int side = 0; side < side_count<Dim>; ++side)
      if (fragment.side[side] > 0 && Blocks::is_outer(Blocks::slot_of(fragment.cell), side) &&
          measure.sibling_blocks.neighbor_of(sibling_block, side) ==
              measure.sibling_blocks.nothing &&
          measure.meets_hanging_face(sibling_block, side)) {
        Row row{measure.fragments->index(k), 0, static_cast<std::uint8_t>(side), true, false, {}};
        row.weight[0] = static_cast<Real>(fragment.side[side]);
        rows.push_back(row);
      }
  }
  add_rows(depth, std::move(rows));
}

template <int Dim, class Real>
SiblingBlockId HangingFaces<Dim, Real>::sibling_block_of(const FaceMeasure<Dim, Real>& measure,
                                                         const Row& row) {
  if (!row.is_fragment) return SiblingBlockId(row.base / child_count<Dim>);
  const Fragments<Dim>& fragments = *measure.fragments;
  return SiblingBlocksView<Dim>::sibling_block_of(
      fragments.fragment(fragments.fragment_of(row.base)).cell);
}

// This puts all rows into one array and finds where those of each sibling block begin.
template <int Dim, class Real>
void HangingFaces<Dim, Real>::join_rows(const FaceMeasure<Dim, Real>& measure) {
  concatenate("join rows", found_, row_);
  found_.clear();
  const std::size_t sibling_blocks = measure.sibling_blocks.sibling_block_count() + 1;
  row_of_sibling_block_.resize(sibling_blocks);
  fragment_row_of_sibling_block_.resize(measure.fragments->count() > 0 ? sibling_blocks : 0);
  const View<std::uint32_t> first = row_of_sibling_block_.view(),
                            first_fragment = fragment_row_of_sibling_block_.view();
  parallel_for("no rows yet", first.size(), [=](std::size_t f) {
    first[f] = Across::none;
    if (first_fragment.size() > 0) first_fragment[f] = Across::none;
  });
  const View<const Row> row = row_.view();
  parallel_for("first rows", row.size(), [&](std::size_t r) {
    const SiblingBlockId sibling_block = sibling_block_of(measure, row[r]);
    if (r > 0 && row[r - 1].is_fragment == row[r].is_fragment &&
        sibling_block_of(measure, row[r - 1]) == sibling_block)
      return;
    (row[r].is_fragment ? first_fragment : first)[sibling_block] = static_cast<std::uint32_t>(r);
  });
}

template class HangingFaces<2, float>;
template class HangingFaces<3, float>;
template class HangingFaces<2, double>;
template class HangingFaces<3, double>;

}  // namespace octavo
