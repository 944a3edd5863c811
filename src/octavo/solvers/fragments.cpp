#include "octavo/solvers/fragments.h"

#include <algorithm>
#include <numeric>

#include "octavo/solvers/face_measure.h"

namespace octavo {
namespace {

// The members of a torn family, whole or in parts, and which of them meet inside it.
template <int Dim>
struct TornFamily {
  struct Member {
    std::uint32_t index;
    int digit;
    std::uint32_t root;
  };
  std::vector<Member> members;

  std::uint32_t find(std::uint32_t i) const {
    while (members[i].root != i) i = members[i].root;
    return i;
  }
  std::uint32_t position(std::uint32_t index) const {
    std::uint32_t i = 0;
    while (members[i].index != index) ++i;
    return i;
  }
  void join(std::uint32_t p, std::uint32_t q) {
    p = find(p);
    q = find(q);
    members[std::max(p, q)].root = std::min(p, q);
  }
};

// A part without an open side has nothing to do with the levels above.
template <int Dim>
bool is_closed(const Fragment<Dim>& fragment) {
  return std::all_of(std::begin(fragment.side), std::end(fragment.side),
                     [](float open) { return open <= 0; });
}

}  // namespace

template <int Dim>
void Fragments<Dim>::clear(const FamiliesView<Dim>& families) {
  families_ = families;
  fragment_.clear();
  split_.clear();
  overlap_.clear();
  special_.clear();
  link_.clear();
  row_begin_.assign(1, 0);
  split_of_.resize(0);
  level_.fill({});
}

template <int Dim>
template <class Real>
void Fragments<Dim>::find_parts(const FaceMeasure<Dim, Real>& measure, int depth,
                                const std::vector<std::uint32_t>& torn) {
  if (torn.empty()) return;
  if (split_of_.empty()) {
    split_of_.resize(families_.family_count() + 1);
    const View<std::uint32_t> split_of = split_of_.view();
    parallel_for("nothing is split", split_of.size(), [=](std::size_t f) { split_of[f] = none; });
  }
  Level &here = level(depth), &above = level(depth - 1);
  here.special.begin = special_.size();
  above.fragments.begin = fragment_.size();
  above.splits.begin = split_.size();
  for (const std::uint32_t family : torn) find_parts_of(measure, depth, FamilyId(family));
  here.special.end = special_.size();
  above.fragments.end = fragment_.size();
  above.splits.end = split_.size();
  for (std::size_t s = above.splits.begin; s < above.splits.end; ++s)
    find_overlaps(measure, split_[s]);
}

template <int Dim>
template <class Real>
void Fragments<Dim>::find_parts_of(const FaceMeasure<Dim, Real>& measure, int depth,
                                   FamilyId family) {
  // The members: first parts, then fragments, which stand in the order of their cells.
  const FamilyFaces<Dim, Real> r = measure.template measure<false>(family);
  TornFamily<Dim> torn;
  auto add = [&](std::uint32_t index, int digit) {
    torn.members.push_back({index, digit, static_cast<std::uint32_t>(torn.members.size())});
  };
  for (int digit = 0; digit < width; ++digit)
    if ((r.active >> digit) & 1) add(FamiliesView<Dim>::place(family, digit), digit);
  const Range& fragments = level(depth).fragments;
  const auto by_cell = [](const Fragment<Dim>& f, std::uint32_t place) { return f.cell < place; };
  auto from = [&](std::size_t f) {
    return static_cast<std::uint32_t>(
        std::lower_bound(fragment_.begin() + static_cast<std::ptrdiff_t>(fragments.begin),
                         fragment_.begin() + static_cast<std::ptrdiff_t>(fragments.end),
                         static_cast<std::uint32_t>(f * width), by_cell) -
        fragment_.begin());
  };
  SpecialFamily<Dim> special{family, {}, from(family), from(std::size_t{family} + 1)};
  for (std::uint32_t k = special.fragment_begin; k < special.fragment_end; ++k)
    if (!is_closed(fragment_[k])) add(index(k), static_cast<int>(fragment_[k].cell % width));

  for (int digit = 0; digit < width; ++digit)
    for (int axis = 0; axis < Dim; ++axis)
      if (((digit >> axis) & 1) == 0)
        measure.for_each_coupling(family, digit, 2 * axis + 1,
                                  [&](std::uint32_t p, std::uint32_t q, float open) {
                                    if (open > 0) torn.join(torn.position(p), torn.position(q));
                                  });

  // Number the parts in the order of their first members, and add up what is known of them.
  std::vector<std::uint32_t> part(torn.members.size());
  std::uint32_t parts = 0;
  for (std::uint32_t i = 0; i < part.size(); ++i)
    part[i] = torn.find(i) == i ? parts++ : part[torn.find(i)];
  std::vector<Fragment<Dim>> sum(parts);
  const PlaceId cell = families_.parent[family];
  const auto first_fragment = static_cast<std::uint32_t>(fragment_.size());
  auto target = [&](std::uint32_t k) {
    return k == 0 ? cell.value : index(std::size_t{first_fragment} + k - 1);
  };
  SplitBranch<Dim> split{family, parts, first_fragment, {}, {}, {}};
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const int digit = torn.members[i].digit;
    const bool whole = !is_fragment(torn.members[i].index);
    const std::size_t k = whole ? 0 : fragment_of(torn.members[i].index);
    Fragment<Dim>& to = sum[part[i]];
    for (int side = 0; side < side_count<Dim>; ++side)
      if (FamiliesView<Dim>::is_outer(digit, side))
        to.side[side] += (whole ? r.side[side][digit] : fragment_[k].side[side]) /
                         static_cast<float>(side_child_count<Dim>);
    to.dirichlet += (whole ? static_cast<float>(r.dirichlet[digit]) : fragment_[k].dirichlet) /
                    static_cast<float>(Dim == 2 ? 2 : 4);
    if (whole) {
      split.part[digit] = static_cast<std::uint8_t>(part[i]);
      special.target[digit] = target(part[i]);
    } else {
      fragment_[k].parent = target(part[i]);
    }
  }
  for (int digit = 0; digit < width; ++digit)
    if (((r.active >> digit) & 1) == 0) special.target[digit] = cell;
  special_.push_back(special);

  measure.dirichlet[family] = sum[0].dirichlet;
  for (int side = 0; side < side_count<Dim>; ++side) {
    measure.fraction_of(family, side) = sum[0].side[side];
    for (const Fragment<Dim>& s : sum) split.side[side] += s.side[side];
  }
  if (parts == 1) return;
  for (std::uint32_t k = 1; k < parts; ++k) {
    sum[k].cell = cell;
    sum[k].parent = none;
    fragment_.push_back(sum[k]);
  }
  split_of_[family] = static_cast<std::uint32_t>(split_.size());
  split_.push_back(split);
}

template <int Dim>
std::uint32_t Fragments<Dim>::part_of(const SplitBranch<Dim>& s, std::uint32_t member) const {
  if (!is_fragment(member)) return s.part[member % width];
  const std::uint32_t parent = fragment_[fragment_of(member)].parent;
  return is_fragment(parent)
             ? static_cast<std::uint32_t>(fragment_of(parent)) - s.first_fragment + 1
             : 0;
}

// Between the parts of two split neighbours: what is open between their members.
template <int Dim>
template <class Real>
void Fragments<Dim>::find_overlaps(const FaceMeasure<Dim, Real>& measure, SplitBranch<Dim>& low) {
  for (int axis = 0; axis < Dim; ++axis) {
    low.overlap[axis] = static_cast<std::uint32_t>(overlap_.size());
    const FamilyId above = families_.neighbor_of(low.family, 2 * axis + 1);
    if (above == families_.nothing || !is_split(above)) continue;
    const SplitBranch<Dim>& high = split(above);
    std::vector<PartOverlap> found;
    for (int digit = 0; digit < width; ++digit)
      if ((digit >> axis) & 1)
        measure.for_each_coupling(
            low.family, digit, 2 * axis + 1, [&](std::uint32_t p, std::uint32_t q, float open) {
              if (open <= 0) return;
              const std::uint32_t i = part_of(low, p), j = part_of(high, q);
              const auto same = std::find_if(found.begin(), found.end(), [=](const PartOverlap& o) {
                return o.low == i && o.high == j;
              });
              const float share = open / static_cast<float>(side_child_count<Dim>);
              if (same == found.end())
                found.push_back({i, j, share});
              else
                same->open += share;
            });
    overlap_.insert(overlap_.end(), found.begin(), found.end());
  }
  low.overlap[Dim] = static_cast<std::uint32_t>(overlap_.size());
}

template <int Dim>
template <class Real>
void Fragments<Dim>::link_parts(const FaceMeasure<Dim, Real>& measure, int depth) {
  Level& here = level(depth);
  here.rows = {row_count(), row_count()};
  if (here.splits.begin == here.splits.end) return;
  std::vector<PartLink> links;
  for (std::size_t k = here.splits.begin; k < here.splits.end; ++k) {
    const PlaceId cell = families_.parent[split_[k].family];
    const FamilyId family(cell.value / width);
    const int digit = static_cast<int>(cell.value % width);
    for (int side = 0; side < side_count<Dim>; ++side) {
      const bool both = measure.is_split(measure.member(measure.beside(family, digit, side)));
      measure.for_each_coupling(family, digit, side,
                                [&](std::uint32_t p, std::uint32_t q, float open) {
                                  if (open <= 0 || (!is_fragment(p) && !is_fragment(q))) return;
                                  links.push_back({p, q, open});
                                  if (!both) links.push_back({q, p, open});
                                });
    }
  }
  std::sort(links.begin(), links.end(), [](const PartLink& p, const PartLink& q) {
    return p.from != q.from ? p.from < q.from : p.to < q.to;
  });
  for (std::size_t i = 0; i < links.size(); ++i) {
    link_.push_back(links[i]);
    if (i + 1 == links.size() || links[i + 1].from != links[i].from)
      row_begin_.push_back(static_cast<std::uint32_t>(link_.size()));
  }
  here.rows.end = row_count();
}

template <int Dim>
std::size_t Fragments<Dim>::bytes() const {
  return fragment_.capacity() * sizeof(Fragment<Dim>) +
         split_.capacity() * sizeof(SplitBranch<Dim>) + overlap_.capacity() * sizeof(PartOverlap) +
         special_.capacity() * sizeof(SpecialFamily<Dim>) + link_.capacity() * sizeof(PartLink) +
         row_begin_.capacity() * sizeof(std::uint32_t) + split_of_.bytes();
}

#define OCTAVO_INSTANTIATE(Dim, Real)                                          \
  template void Fragments<Dim>::find_parts(const FaceMeasure<Dim, Real>&, int, \
                                           const std::vector<std::uint32_t>&); \
  template void Fragments<Dim>::link_parts(const FaceMeasure<Dim, Real>&, int);
OCTAVO_INSTANTIATE(2, float)
OCTAVO_INSTANTIATE(3, float)
OCTAVO_INSTANTIATE(2, double)
OCTAVO_INSTANTIATE(3, double)
#undef OCTAVO_INSTANTIATE
template class Fragments<2>;
template class Fragments<3>;

}  // namespace octavo
