// This finds what is open between the parts of branches.

#include <algorithm>
#include <tuple>

#include "octavo/pressure/face_measure.h"

namespace octavo {

// The parts of two split neighbours share what is open between their members.
template <int Dim>
template <class Real>
std::vector<PartOverlap> Fragments<Dim>::overlaps_above(const FaceMeasure<Dim, Real>& measure,
                                                        const SplitBranch<Dim>& low,
                                                        int axis) const {
  std::vector<PartOverlap> found;
  const SiblingBlockId above = sibling_blocks_.neighbor_of(low.sibling_block, 2 * axis + 1);
  if (above == sibling_blocks_.nothing || !is_split(above)) return found;
  const SplitBranch<Dim>& high = split(above);
  for (int slot = 0; slot < width; ++slot)
    if (SiblingBlocksView<Dim>::is_outer(slot, 2 * axis + 1))
      measure.for_each_coupling(
          low.sibling_block, slot, 2 * axis + 1, [&](std::uint32_t p, std::uint32_t q, float open) {
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
  return found;
}

template <int Dim>
template <class Real>
void Fragments<Dim>::find_overlaps(const FaceMeasure<Dim, Real>& measure, IndexRange splits) {
  std::vector<std::vector<PartOverlap>> found((splits.end - splits.begin) * Dim);
  parallel_for("find overlaps", found.size(), [&](std::size_t i) {
    found[i] = overlaps_above(measure, split_[splits.begin + i / Dim], static_cast<int>(i % Dim));
  });
  for (std::size_t i = 0; i < found.size(); ++i) {
    SplitBranch<Dim>& low = split_[splits.begin + i / Dim];
    low.overlap[i % Dim] = static_cast<std::uint32_t>(overlap_.size());
    overlap_.insert(overlap_.end(), found[i].begin(), found[i].end());
    low.overlap[i % Dim + 1] = static_cast<std::uint32_t>(overlap_.size());
  }
}

// These are the links of the parts of a split branch, and those of neighbours that are not split to them.
template <int Dim>
template <class Real>
void Fragments<Dim>::find_links(const FaceMeasure<Dim, Real>& measure,
                                const SplitBranch<Dim>& branch,
                                std::vector<PartLink>& links) const {
  const LevelCellId cell = sibling_blocks_.parent[branch.sibling_block];
  const SiblingBlockId sibling_block = SiblingBlocksView<Dim>::sibling_block_of(cell);
  const int slot = SiblingBlocksView<Dim>::slot_of(cell);
  for (int side = 0; side < side_count<Dim>; ++side) {
    const bool both = measure.is_split(measure.member(measure.beside(sibling_block, slot, side)));
    measure.for_each_coupling(sibling_block, slot, side,
                              [&](std::uint32_t p, std::uint32_t q, float open) {
                                if (open <= 0 || (!is_fragment(p) && !is_fragment(q))) return;
                                links.push_back({p, q, open});
                                if (!both) links.push_back({q, p, open});
                              });
  }
}

template <int Dim>
template <class Real>
void Fragments<Dim>::meet_surface(const FaceMeasure<Dim, Real>& measure, int depth) {
  if (measure.cut_rows.empty()) return;
  const IndexRange range = level(depth).fragments;
  parallel_for("fragments at the surface", range.end - range.begin, [&](std::size_t i) {
    Fragment<Dim>& fragment = fragment_[range.begin + i];
    const SiblingBlockId sibling_block = SiblingBlocksView<Dim>::sibling_block_of(fragment.cell);
    const int slot = SiblingBlocksView<Dim>::slot_of(fragment.cell);
    for (int side = 0; side < side_count<Dim>; ++side) {
      const Cell across = measure.member(measure.beside(sibling_block, slot, side));
      const CutRow* row = measure.dry_row(across, side ^ 1);
      if (row == nullptr) continue;
      const auto open = static_cast<double>(fragment.side[side]);
      fragment.dirichlet += static_cast<float>(measure.dry_term(*row, across.leaf(), open));
      fragment.side[side] = 0;
    }
  });
}

template <int Dim>
template <class Real>
void Fragments<Dim>::link_parts(const FaceMeasure<Dim, Real>& measure, int depth) {
  Level& here = level(depth);
  if (here.splits.begin == here.splits.end) return;
  std::vector<std::vector<PartLink>> found(
      block_count(here.splits.end - here.splits.begin, disconnected_block));
  parallel_blocks(
      "link parts", here.splits.end - here.splits.begin,
      [&](std::size_t b, std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
          find_links(measure, split_[here.splits.begin + k], found[b]);
      },
      disconnected_block);
  std::vector<PartLink> links;
  for (const auto& block : found) links.insert(links.end(), block.begin(), block.end());
  std::sort(links.begin(), links.end(), [&](const PartLink& p, const PartLink& q) {
    return std::tuple(color(p.from), p.from, p.to) < std::tuple(color(q.from), q.from, q.to);
  });
  here.rows = {{{row_count(), row_count()}, {row_count(), row_count()}}};
  for (std::size_t i = 0; i < links.size(); ++i) {
    link_.push_back(links[i]);
    if (i + 1 < links.size() && links[i + 1].from == links[i].from) continue;
    row_begin_.push_back(static_cast<std::uint32_t>(link_.size()));
    here.rows[1].end = row_count();
    if (color(links[i].from) == 0) here.rows[0].end = here.rows[1].begin = row_count();
  }
}

#define OCTAVO_INSTANTIATE(Dim, Real)                                                     \
  template void Fragments<Dim>::find_overlaps(const FaceMeasure<Dim, Real>&, IndexRange); \
  template void Fragments<Dim>::meet_surface(const FaceMeasure<Dim, Real>&, int);         \
  template void Fragments<Dim>::link_parts(const FaceMeasure<Dim, Real>&, int);
OCTAVO_INSTANTIATE(2, float)
OCTAVO_INSTANTIATE(3, float)
OCTAVO_INSTANTIATE(2, double)
OCTAVO_INSTANTIATE(3, double)
#undef OCTAVO_INSTANTIATE

}  // namespace octavo
