#include "octavo/pressure/fragments.h"

#include <algorithm>

#include "octavo/pressure/face_measure.h"

namespace octavo {
namespace {

// A part without an open side has nothing to do with the levels above.
template <int Dim>
bool is_closed(const Fragment<Dim>& fragment) {
  return std::all_of(std::begin(fragment.side), std::end(fragment.side),
                     [](float open) { return open <= 0; });
}

// These are the members of a disconnected sibling block, whole or in parts, and which of them meet inside it.
template <int Dim>
class DisconnectedBlock {
 public:
  struct Member {
    std::uint32_t index;
    int slot;
    std::uint32_t part;
  };

  void add(std::uint32_t index, int slot) {
    members_.push_back({index, slot, static_cast<std::uint32_t>(members_.size())});
  }

  // Until parts are numbered, `part` is a member of the same part that comes before, or the member itself.
  void join(std::uint32_t p, std::uint32_t q) {
    p = first_of_part(position(p));
    q = first_of_part(position(q));
    members_[std::max(p, q)].part = std::min(p, q);
  }

  // Numbers the parts in the order of their first members; returns how many there are.
  std::uint32_t number_parts() {
    std::uint32_t parts = 0;
    for (std::uint32_t i = 0; i < members_.size(); ++i)
      members_[i].part = members_[i].part == i ? parts++ : members_[members_[i].part].part;
    return parts;
  }

  const std::vector<Member>& members() const { return members_; }

 private:
  std::uint32_t first_of_part(std::uint32_t i) const {
    while (members_[i].part != i) i = members_[i].part;
    return i;
  }
  std::uint32_t position(std::uint32_t index) const {
    std::uint32_t i = 0;
    while (i < members_.size() && members_[i].index != index) ++i;
    OCTAVO_ASSERT(i < members_.size());
    return i;
  }

  std::vector<Member> members_;
};

// This joins the members of a sibling block that meet in it.
template <int Dim, class Real>
void join_siblings(const FaceMeasure<Dim, Real>& measure, SiblingBlockId sibling_block,
                   DisconnectedBlock<Dim>& disconnected) {
  for (int slot = 0; slot < child_count<Dim>; ++slot)
    for (int axis = 0; axis < Dim; ++axis)
      if (SiblingBlocksView<Dim>::is_outer(slot, 2 * axis))
        measure.for_each_coupling(sibling_block, slot, 2 * axis + 1,
                                  [&](std::uint32_t p, std::uint32_t q, float open) {
                                    if (open > 0) disconnected.join(p, q);
                                  });
}

// This is what a member adds to the part it belongs to.
template <int Dim>
void add_member(int slot, const float (&side_of_member)[side_count<Dim>], float dirichlet,
                Fragment<Dim>& part) {
  for (int side = 0; side < side_count<Dim>; ++side)
    if (SiblingBlocksView<Dim>::is_outer(slot, side))
      part.side[side] += side_of_member[side] / static_cast<float>(side_child_count<Dim>);
  part.dirichlet += dirichlet / static_cast<float>(Dim == 2 ? 2 : 4);
}

}  // namespace

template <int Dim>
void Fragments<Dim>::clear(const SiblingBlocksView<Dim>& sibling_blocks) {
  sibling_blocks_ = sibling_blocks;
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
                                std::vector<DisconnectedFaces<Dim, Real>> disconnected) {
  if (disconnected.empty()) return;
  if (split_of_.empty()) {
    split_of_.resize(sibling_blocks_.sibling_block_count() + 1);
    const View<std::uint32_t> split_of = split_of_.view();
    parallel_for("nothing is split", split_of.size(), [=](std::size_t f) { split_of[f] = none; });
  }
  // They are put in the order of the branches' cells, so that fragments of one sibling block stand together.
  std::sort(disconnected.begin(), disconnected.end(), [&](const auto& p, const auto& q) {
    return sibling_blocks_.parent[p.sibling_block].value <
           sibling_blocks_.parent[q.sibling_block].value;
  });
  std::vector<std::vector<DisconnectedParts>> found(
      block_count(disconnected.size(), disconnected_block));
  parallel_blocks(
      "find parts", disconnected.size(),
      [&](std::size_t b, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          found[b].push_back(find_parts_of(measure, depth, disconnected[i]));
      },
      disconnected_block);

  Level &here = level(depth), &above = level(depth - 1);
  here.special.begin = special_.size();
  above.fragments.begin = fragment_.size();
  above.splits.begin = split_.size();
  for (const auto& block : found)
    for (const DisconnectedParts& parts : block) add_parts(measure, parts);
  here.special.end = special_.size();
  above.fragments.end = fragment_.size();
  above.splits.end = split_.size();
  find_overlaps(measure, above.splits);
}

// Fragments stand in the order of their cells.
template <int Dim>
IndexRange Fragments<Dim>::fragments_in(int depth, SiblingBlockId sibling_block) const {
  if (level(depth).fragments.begin == level(depth).fragments.end) return {};
  const auto begin = fragment_.begin() + static_cast<std::ptrdiff_t>(level(depth).fragments.begin);
  const auto end = fragment_.begin() + static_cast<std::ptrdiff_t>(level(depth).fragments.end);
  auto from = [&](std::size_t first_place) {
    return static_cast<std::size_t>(
        std::lower_bound(begin, end, first_place,
                         [](const Fragment<Dim>& f, std::size_t p) { return f.cell < p; }) -
        fragment_.begin());
  };
  return {from(std::size_t{sibling_block} * width), from((std::size_t{sibling_block} + 1) * width)};
}

// This finds the parts of one disconnected sibling block: of what each is made, and what is known of it.
template <int Dim>
struct Fragments<Dim>::DisconnectedParts {
  SiblingBlockId sibling_block;
  IndexRange fragments;      // members that are fragments
  std::uint8_t part[width];  // of the members that are first parts
  std::vector<std::uint32_t>
      of_fragment;                 // the part that each of the fragments belongs to, or none
  std::vector<Fragment<Dim>> sum;  // of each part: sides and surface terms
};

template <int Dim>
template <class Real>
typename Fragments<Dim>::DisconnectedParts Fragments<Dim>::find_parts_of(
    const FaceMeasure<Dim, Real>& measure, int depth,
    const DisconnectedFaces<Dim, Real>& disconnected_sibling_block) const {
  const auto& [sibling_block, r] = disconnected_sibling_block;
  DisconnectedParts found{sibling_block, fragments_in(depth, sibling_block), {}, {}, {}};
  DisconnectedBlock<Dim> disconnected;
  for (int slot = 0; slot < width; ++slot)
    if ((r.active >> slot) & 1)
      disconnected.add(SiblingBlocksView<Dim>::level_cell(sibling_block, slot), slot);
  for (std::size_t k = found.fragments.begin; k < found.fragments.end; ++k)
    if (!is_closed(fragment_[k]))
      disconnected.add(index(k), SiblingBlocksView<Dim>::slot_of(fragment_[k].cell));
  join_siblings(measure, sibling_block, disconnected);

  found.sum.resize(disconnected.number_parts());
  found.of_fragment.assign(found.fragments.end - found.fragments.begin, none);
  for (const auto& member : disconnected.members()) {
    Fragment<Dim>& part = found.sum[member.part];
    if (is_fragment(member.index)) {
      const Fragment<Dim>& fragment = fragment_[fragment_of(member.index)];
      found.of_fragment[fragment_of(member.index) - found.fragments.begin] = member.part;
      add_member(member.slot, fragment.side, fragment.dirichlet, part);
      continue;
    }
    float side[side_count<Dim>];
    for (int s = 0; s < side_count<Dim>; ++s) side[s] = static_cast<float>(r.side[s][member.slot]);
    add_member(member.slot, side, static_cast<float>(r.dirichlet[member.slot]), part);
    found.part[member.slot] = static_cast<std::uint8_t>(member.part);
  }
  return found;
}

// Numbers the parts. The first one has the branch's cell, the others are new fragments.
template <int Dim>
template <class Real>
void Fragments<Dim>::add_parts(const FaceMeasure<Dim, Real>& measure,
                               const DisconnectedParts& found) {
  const LevelCellId cell = sibling_blocks_.parent[found.sibling_block];
  const std::uint32_t first_part = cell.is_none() ? everything : cell.value;
  const auto parts = static_cast<std::uint32_t>(found.sum.size());
  const std::size_t first_fragment = fragment_.size();
  auto target = [&](std::uint32_t part) {
    return part == 0 ? first_part : index(first_fragment + part - 1);
  };
  SpecialSiblingBlock<Dim> special{found.sibling_block,
                                   {},
                                   static_cast<std::uint32_t>(found.fragments.begin),
                                   static_cast<std::uint32_t>(found.fragments.end)};
  for (int slot = 0; slot < width; ++slot) special.target[slot] = target(found.part[slot]);
  special_.push_back(special);
  for (std::size_t k = 0; k < found.of_fragment.size(); ++k)
    if (found.of_fragment[k] != none)
      fragment_[found.fragments.begin + k].parent = target(found.of_fragment[k]);

  measure.dirichlet[found.sibling_block] = found.sum[0].dirichlet;
  for (int side = 0; side < side_count<Dim>; ++side)
    measure.fraction_of(found.sibling_block, side) = found.sum[0].side[side];
  if (parts == 1) return;
  SplitBranch<Dim> split{
      found.sibling_block, parts, static_cast<std::uint32_t>(first_fragment), {}, {}, {}};
  std::copy(std::begin(found.part), std::end(found.part), split.part);
  for (int side = 0; side < side_count<Dim>; ++side)
    for (const Fragment<Dim>& s : found.sum) split.side[side] += s.side[side];
  split_of_[found.sibling_block] = static_cast<std::uint32_t>(split_.size());
  split_.push_back(split);
  for (std::uint32_t k = 1; k < parts; ++k) {
    fragment_.push_back(found.sum[k]);
    fragment_.back().cell = cell;
    fragment_.back().parent = none;
  }
}

template <int Dim>
std::size_t Fragments<Dim>::bytes() const {
  return fragment_.capacity() * sizeof(Fragment<Dim>) +
         split_.capacity() * sizeof(SplitBranch<Dim>) + overlap_.capacity() * sizeof(PartOverlap) +
         special_.capacity() * sizeof(SpecialSiblingBlock<Dim>) +
         link_.capacity() * sizeof(PartLink) + row_begin_.capacity() * sizeof(std::uint32_t) +
         split_of_.bytes();
}

#define OCTAVO_INSTANTIATE(Dim, Real)                                          \
  template void Fragments<Dim>::find_parts(const FaceMeasure<Dim, Real>&, int, \
                                           std::vector<DisconnectedFaces<Dim, Real>>);
OCTAVO_INSTANTIATE(2, float)
OCTAVO_INSTANTIATE(3, float)
OCTAVO_INSTANTIATE(2, double)
OCTAVO_INSTANTIATE(3, double)
#undef OCTAVO_INSTANTIATE
template class Fragments<2>;
template class Fragments<3>;

}  // namespace octavo
