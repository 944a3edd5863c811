// Joints seen from the smaller side.

#include <bit>

#include "octavo/solvers/joint_geometry.h"

namespace octavo {
namespace {

constexpr std::uint32_t no_joint = 0xffffffffu;
constexpr std::size_t row_block = 512;

// The joint across a side of a family, if a larger leaf is there.
template <int Dim>
struct JointLookup {
  MeshView<Dim> mesh;
  FamiliesView<Dim> families;
  View<const std::uint64_t> mask;
  View<const std::uint32_t> first;

  struct Found {
    std::uint32_t joint = no_joint;
    int depth = 0;
  };
  Found across(std::size_t family, int side) const {
    const Cell c = mesh.around.row[family * direction_count<Dim> +
                                   static_cast<std::size_t>(side_direction<Dim>(side))];
    if (!c.is_leaf()) return {};
    const PlaceId large = families.place(c.leaf());
    const std::size_t f = large.value / child_count<Dim>;
    const auto slot = static_cast<int>(large.value % child_count<Dim>);
    const int bit = slot * side_count<Dim> + (side ^ 1);
    if (((mask[f] >> bit) & 1) == 0) return {};
    const std::uint64_t below = mask[f] & ((std::uint64_t{1} << bit) - 1);
    return {first[f] + static_cast<std::uint32_t>(std::popcount(below)), mesh.tree.level(c.leaf())};
  }
};

// Rows and entries in the order in which they are found.
template <class Real>
struct RowList {
  std::vector<JointRow> rows;
  std::vector<JointEntry<Real>> entries;

  void begin_row(std::uint32_t index) {
    rows.push_back({PlaceId(index), static_cast<std::uint32_t>(entries.size())});
  }
};

template <int Dim, class Real>
struct RowFinder {
  using Place = FamiliesView<Dim>;
  const JointGeometry<Dim, Real>& geometry;
  JointLookup<Dim> lookup;
  View<const double> gamma;

  typename JointLookup<Dim>::Found across(FamilyId family, int side) const {
    const FamiliesView<Dim>& families = geometry.measure.families;
    if (families.neighbor_of(family, side) != families.nothing) return {};
    return lookup.across(family, side);
  }

  void add_family(FamilyId family, int depth, RowList<Real>& list) const {
    typename JointLookup<Dim>::Found found[side_count<Dim>];
    bool any = false;
    for (int side = 0; side < side_count<Dim>; ++side) {
      found[side] = across(family, side);
      any = any || found[side].joint != no_joint;
    }
    for (int slot = 0; any && slot < child_count<Dim>; ++slot) {
      const Cell c = geometry.measure.families.member(family, slot);
      add_row(Place::place(family, slot), slot, c, depth, found, list,
              [&](int side) { return geometry.open(c, side); });
    }
  }

  void add_fragment(std::size_t k, int depth, RowList<Real>& list) const {
    const Fragment<Dim>& fragment = geometry.measure.fragments->fragment(k);
    const FamilyId family(fragment.cell.value / child_count<Dim>);
    const auto slot = static_cast<int>(fragment.cell.value % child_count<Dim>);
    typename JointLookup<Dim>::Found found[side_count<Dim>];
    for (int side = 0; side < side_count<Dim>; ++side)
      if (fragment.side[side] > 0) found[side] = across(family, side);
    add_row(geometry.measure.fragments->index(k), slot,
            geometry.measure.families.member(family, slot), depth, found, list,
            [&](int side) { return static_cast<double>(fragment.side[side]); });
  }

 private:
  template <class Found, class Open>
  void add_row(std::uint32_t index, int slot, Cell c, int depth, const Found& found,
               RowList<Real>& list, Open&& open) const {
    bool begun = false;
    for (int side = 0; side < side_count<Dim>; ++side) {
      if (!Place::is_outer(slot, side) || found[side].joint == no_joint) continue;
      if (!begun) list.begin_row(index);
      begun = true;
      list.entries.push_back(
          {found[side].joint, geometry.weight(gamma[found[side].joint] > 0, c, side, open(side),
                                              depth, found[side].depth)});
    }
  }
};

}  // namespace

template <int Dim, class Real>
void Joints<Dim, Real>::build_rows(const FaceMeasure<Dim, Real>& measure,
                                   const Families<Dim>& families, View<const std::uint64_t> mask) {
  const JointGeometry<Dim, Real> geometry(measure);
  const RowFinder<Dim, Real> finder{
      geometry,
      {measure.faces.mesh, measure.families, mask, joint_of_family_.view()},
      gamma_.view()};

  // Families, level by level, in blocks; then fragments, which are few.
  std::vector<RowList<Real>> lists;
  std::vector<std::size_t> rows_before{0}, entries_before{0};
  auto append = [&](int depth, std::size_t which, std::size_t first_list) {
    for (std::size_t b = first_list; b < lists.size(); ++b) {
      rows_before.push_back(rows_before.back() + lists[b].rows.size());
      entries_before.push_back(entries_before.back() + lists[b].entries.size());
    }
    rows_[static_cast<std::size_t>(depth)][which] = {rows_before[first_list], rows_before.back()};
  };
  rows_.fill({});
  for (const FamilyLevel& level : families.levels()) {
    if (level.depth < 1) continue;
    const std::size_t first = lists.size();
    lists.resize(first + block_count(level.end - level.begin, row_block));
    parallel_blocks(
        "list joint rows", level.end - level.begin,
        [&](std::size_t b, std::size_t begin, std::size_t end) {
          for (std::size_t f = level.begin + begin; f < level.begin + end; ++f)
            finder.add_family(FamilyId(f), level.depth, lists[first + b]);
        },
        row_block);
    append(level.depth, 0, first);
  }
  for (int depth = 1; depth <= max_level; ++depth) {
    const auto& range = measure.fragments->level(depth).fragments;
    if (range.begin == range.end) continue;
    lists.emplace_back();
    for (std::size_t k = range.begin; k < range.end; ++k)
      finder.add_fragment(k, depth, lists.back());
    append(depth, 1, lists.size() - 1);
  }

  row_.resize(rows_before.back() + 1);
  entry_.resize(entries_before.back());
  const View<JointRow> row = row_.view();
  const View<JointEntry<Real>> entry = entry_.view();
  row[rows_before.back()] = {PlaceId::none(), static_cast<std::uint32_t>(entries_before.back())};
  parallel_blocks(
      "join joint rows", lists.size(),
      [&](std::size_t b, std::size_t, std::size_t) {
        std::size_t r = rows_before[b];
        for (const JointRow& from : lists[b].rows)
          row[r++] = {from.place, from.first + static_cast<std::uint32_t>(entries_before[b])};
        std::copy(lists[b].entries.begin(), lists[b].entries.end(),
                  entry.begin() + entries_before[b]);
      },
      1);
}

template class Joints<2, float>;
template class Joints<3, float>;
template class Joints<2, double>;
template class Joints<3, double>;

}  // namespace octavo
