// Joints seen from the smaller side.

#include "octavo/solvers/joint_geometry.h"

namespace octavo {

template <int Dim, class Real>
void Joints<Dim, Real>::clear() {
  rows_.fill({});
  found_.clear();
  found_total_ = 0;
}

template <int Dim, class Real>
void Joints<Dim, Real>::add_rows(int depth, std::vector<Row>&& rows) {
  if (rows.empty()) return;
  IndexRange& range = rows_[static_cast<std::size_t>(depth)];
  if (range.begin == range.end) range.begin = found_total_;
  found_total_ += rows.size();
  range.end = found_total_;
  found_.push_back(std::move(rows));
}

template <int Dim, class Real>
void Joints<Dim, Real>::add_fragments(const FaceMeasure<Dim, Real>& measure, int depth) {
  if (depth < 1) return;
  using Place = FamiliesView<Dim>;
  const auto& range = measure.fragments->level(depth).fragments;
  std::vector<Row> rows;
  for (std::size_t k = range.begin; k < range.end; ++k) {
    const Fragment<Dim>& fragment = measure.fragments->fragment(k);
    const FamilyId family = Place::family_of(fragment.cell);
    for (int side = 0; side < side_count<Dim>; ++side)
      if (fragment.side[side] > 0 && Place::is_outer(Place::slot_of(fragment.cell), side) &&
          measure.families.neighbor_of(family, side) == measure.families.nothing &&
          measure.is_active(measure.larger_leaf(family, side))) {
        Row row{measure.fragments->index(k), 0, static_cast<std::uint8_t>(side), true, false, {}};
        row.weight[0] = static_cast<Real>(fragment.side[side]);
        rows.push_back(row);
      }
  }
  add_rows(depth, std::move(rows));
}

template <int Dim, class Real>
FamilyId Joints<Dim, Real>::family_of(const FaceMeasure<Dim, Real>& measure, const Row& row) {
  if (!row.is_fragment) return FamilyId(row.base / child_count<Dim>);
  const Fragments<Dim>& fragments = *measure.fragments;
  return FamiliesView<Dim>::family_of(fragments.fragment(fragments.fragment_of(row.base)).cell);
}

// All rows in one array, and where those of each family begin.
template <int Dim, class Real>
void Joints<Dim, Real>::join_rows(const FaceMeasure<Dim, Real>& measure) {
  concatenate("join rows", found_, row_);
  found_.clear();
  const std::size_t families = measure.families.family_count() + 1;
  row_of_family_.resize(families);
  fragment_row_of_family_.resize(measure.fragments->count() > 0 ? families : 0);
  const View<std::uint32_t> first = row_of_family_.view(),
                            first_fragment = fragment_row_of_family_.view();
  parallel_for("no rows yet", first.size(), [=](std::size_t f) {
    first[f] = Across::none;
    if (first_fragment.size() > 0) first_fragment[f] = Across::none;
  });
  const View<const Row> row = row_.view();
  parallel_for("first rows", row.size(), [&](std::size_t r) {
    const FamilyId family = family_of(measure, row[r]);
    if (r > 0 && row[r - 1].is_fragment == row[r].is_fragment &&
        family_of(measure, row[r - 1]) == family)
      return;
    (row[r].is_fragment ? first_fragment : first)[family] = static_cast<std::uint32_t>(r);
  });
}

template class Joints<2, float>;
template class Joints<3, float>;
template class Joints<2, double>;
template class Joints<3, double>;

}  // namespace octavo
