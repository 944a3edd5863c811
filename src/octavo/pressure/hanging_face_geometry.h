#pragma once

#include "octavo/pressure/hanging_faces.h"

namespace octavo {

// This says who is across a large face, and with which weight.
template <int Dim, class Real>
struct HangingFaces<Dim, Real>::Across {
  using Blocks = SiblingBlocksView<Dim>;
  static constexpr std::uint32_t none = 0xffffffffu;

  const FaceMeasure<Dim, Real>& measure;
  View<const std::uint32_t> block, row_of_sibling_block, fragment_row_of_sibling_block;
  View<const Real> fraction;
  View<const Row> row;
  std::array<double, max_level + 1> size, area;

  Across(const FaceMeasure<Dim, Real>& m, View<const std::uint32_t> blocks,
         View<const Real> fractions, View<const std::uint32_t> first,
         View<const std::uint32_t> first_fragment, View<const Row> rows)
      : measure(m),
        block(blocks),
        row_of_sibling_block(first),
        fragment_row_of_sibling_block(first_fragment),
        fraction(fractions),
        row(rows) {
    for (int depth = 0; depth <= max_level; ++depth) {
      const auto d = static_cast<std::size_t>(depth);
      size[d] = m.sibling_blocks.tree.domain.size(depth);
      area[d] = Dim == 2 ? size[d] : size[d] * size[d];
    }
  }

  // This is the branch across a large face, which is a sibling block of smaller cells.
  SiblingBlockId sibling_block(const HangingFace& hanging_face) const {
    return SiblingBlockId(
        measure
            .member(measure.beside(Blocks::sibling_block_of(hanging_face.large),
                                   Blocks::slot_of(hanging_face.large), hanging_face.side))
            .branch()
            .value);
  }

  // Calls f(sibling block) for the sibling blocks that have members of a depth in a large face. `at` is the depth
  // of the members of the first sibling block, `side` the one they turn to the face.
  template <class F>
  void for_each_sibling_block(SiblingBlockId first, int at, int side, int depth, F&& f) const {
    if (at == depth) return f(first);
    for_each_branch(first, side,
                    [&](SiblingBlockId b) { for_each_sibling_block(b, at + 1, side, depth, f); });
  }
  template <class F>
  void for_each_branch(SiblingBlockId sibling_block, int side, F&& f) const {
    for_each_in(
        Blocks::on_side(side) & ~unsigned{measure.sibling_blocks.leaf_members[sibling_block]},
        [&](int slot) {
          f(SiblingBlockId(measure.sibling_blocks.member(sibling_block, slot).branch().value));
        });
  }
  // Calls f(row) for the rows that a hanging face has at a depth.
  template <class F>
  void for_each_row(const HangingFace& hanging_face, int depth, F&& f) const {
    const int side = hanging_face.side ^ 1;
    for_each_sibling_block(sibling_block(hanging_face), hanging_face.depth + 1, side, depth,
                           [&](SiblingBlockId b) { for_each_row_of(b, side, f); });
  }

  // Calls f(row) for the rows of all depths, in another order; returns their largest depth.
  template <class F>
  int for_each_row_of_any_depth(const HangingFace& hanging_face, F&& f) const {
    return for_each_row_below(sibling_block(hanging_face), hanging_face.depth + 1,
                              hanging_face.side ^ 1, f);
  }

  // These are the members of a row that are leaves.
  unsigned leaf_members(const Row& r) const {
    return r.is_fragment ? 0 : measure.sibling_blocks.leaf_members[r.base / child_count<Dim>];
  }

  // This tells whether everything across is open and full of liquid, which is soon seen.
  bool is_all_open(SiblingBlockId b, int side) const {
    bool open = block[b] == no_block &&
                (measure.active[b] & Blocks::on_side(side)) == Blocks::on_side(side) &&
                measure.fraction_of(b, side) == 1;
    if (open)
      for_each_branch(b, side, [&](SiblingBlockId c) { open = open && is_all_open(c, side); });
    return open;
  }
  // This tells whether the leaves of a row can be reached from each other through open faces between them.
  bool is_in_one_piece(const Row& r) const {
    unsigned leaves = 0;
    for (int slot = 0; slot < child_count<Dim>; ++slot)
      leaves |= (r.weight[slot] > 0 ? 1u : 0u) << slot;
    const std::uint32_t b = block[r.base / child_count<Dim>];
    std::array<unsigned, Dim> passable{};
    for (int axis = 0; axis < Dim; ++axis)
      if (axis != r.side / 2) passable[static_cast<std::size_t>(axis)] = passable_along(b, axis);
    return Blocks::is_connected(leaves, passable);
  }
  // From these members one gets to their siblings along an axis.
  unsigned passable_along(std::uint32_t b, int axis) const {
    if (b == no_block) return Blocks::all_members;
    unsigned set = 0;
    for (int slot = 0; slot < child_count<Dim>; ++slot)
      if (fraction[block_entry<Dim>(b, slot, axis, false)] > 0) set |= 1u << slot;
    return set;
  }

  bool is_whole(const HangingFace& hanging_face, View<const std::uint32_t> rows) const {
    if (!measure.faces.scheme.whole_faces()) return false;
    if (measure.faces.has_cut_rows() && measure.faces.boundary.has_solids())
      return measure.faces.is_whole(faces_of(hanging_face));
    const SiblingBlockId b = sibling_block(hanging_face);
    const int side = hanging_face.side ^ 1;
    if ((Blocks::on_side(side) & ~unsigned{measure.sibling_blocks.leaf_members[b]}) == 0)
      return is_in_one_piece(row[rows[0]]);
    if (is_all_open(b, side)) return true;
    return measure.faces.is_whole(faces_of(hanging_face));
  }
  FaceRange faces_of(const HangingFace& hanging_face) const {
    const Cell large = measure.sibling_blocks.member(Blocks::sibling_block_of(hanging_face.large),
                                                     Blocks::slot_of(hanging_face.large));
    return measure.faces.mesh.faces(large.leaf(), hanging_face.side);
  }
  // This is the row that a hanging face is, if the surface cuts it as a whole.
  const CutRow* cut_row(const HangingFace& hanging_face) const {
    if (measure.cut_rows.empty()) return nullptr;
    const CutRow* cut = measure.cut_rows.find(faces_of(hanging_face).first);
    return cut != nullptr && cut->is_cut && cut->is_large() ? cut : nullptr;
  }

  // These are the part of the larger leaf's face that a cell covers, the distance of their centres, and the
  // coefficient if each cell has its own gradient.
  double share(int depth, int large) const {
    return area[static_cast<std::size_t>(depth)] / area[static_cast<std::size_t>(large)];
  }
  double distance(int depth, int large) const {
    return 0.5 * (size[static_cast<std::size_t>(depth)] + size[static_cast<std::size_t>(large)]);
  }
  double own_coefficient(const Row& r, int slot, int depth, int large) const {
    double delta = distance(depth, large);
    if (!measure.faces.scheme.whole_faces() && r.weight[slot] > 0 &&
        ((leaf_members(r) >> slot) & 1) != 0) {
      const Cell leaf =
          measure.sibling_blocks.member(SiblingBlockId(r.base / child_count<Dim>), slot);
      delta = measure.faces.link(measure.faces.mesh.first_face(leaf.leaf(), r.side)).distance;
    }
    return static_cast<double>(r.weight[slot]) * area[static_cast<std::size_t>(depth)] / delta;
  }

 private:
  template <class F>
  int for_each_row_below(SiblingBlockId first, int at, int side, F&& f) const {
    for_each_row_of(first, side, f);
    int deepest = at;
    for_each_branch(first, side, [&](SiblingBlockId b) {
      deepest = std::max(deepest, for_each_row_below(b, at + 1, side, f));
    });
    return deepest;
  }
  template <class F>
  void for_each_row_of(SiblingBlockId b, int side, F&& f) const {
    for_each_row_from(row_of_sibling_block[b], b, side, f);
    if (fragment_row_of_sibling_block.size() > 0)
      for_each_row_from(fragment_row_of_sibling_block[b], b, side, f);
  }
  template <class F>
  void for_each_row_from(std::uint32_t first, SiblingBlockId sibling_block, int side, F&& f) const {
    for (std::uint32_t r = first;
         r < row.size() && sibling_block_of(measure, row[r]) == sibling_block &&
         row[r].is_fragment == row[first].is_fragment;
         ++r)
      if (row[r].side == side) f(r);
  }
};

}  // namespace octavo
