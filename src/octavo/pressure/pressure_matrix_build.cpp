// The pressure matrix is built from what is open around every sibling block, from the deepest level upward.

#include <bit>
#include <limits>

#include "octavo/multigrid/short_float.h"
#include "octavo/pressure/face_measure.h"
#include "octavo/pressure/pressure_matrix.h"

namespace octavo {
namespace {

// This is the mean over the members that touch a side of the sibling block.
template <int Dim, class Real>
float mean_on_side(const SiblingBlockFaces<Dim, Real>& r, int side) {
  float sum = 0;
  for (int slot = 0; slot < child_count<Dim>; ++slot)
    if (SiblingBlocksView<Dim>::is_outer(slot, side)) sum += static_cast<float>(r.side[side][slot]);
  return sum / static_cast<float>(side_child_count<Dim>);
}

// These are the open fractions of a sibling block in the order of a block.
template <int Dim, class Real>
void append_block(const SiblingBlockFaces<Dim, Real>& r, std::vector<Real>& out) {
  Real block[block_size<Dim>];
  for (int axis = 0; axis < Dim; ++axis)
    for (int slot = 0; slot < child_count<Dim>; ++slot) {
      const int outer = 2 * axis + (SiblingBlocksView<Dim>::is_outer(slot, 2 * axis) ? 0 : 1);
      block[block_entry<Dim>(0, slot, axis, false)] = r.open[outer ^ 1][slot];
      block[block_entry<Dim>(0, slot, axis, true)] = r.open[outer][slot];
    }
  out.insert(out.end(), std::begin(block), std::end(block));
}

}  // namespace

// This is what a stretch of sibling blocks has to say beside the arrays it fills.
template <int Dim, class Real>
struct PressureMatrix<Dim, Real>::Found {
  std::vector<std::uint32_t> blocks;  // sibling blocks
  std::vector<DisconnectedFaces<Dim, Real>> disconnected;
  std::vector<Real> fraction;
  std::vector<HangingFaceRow<Dim, Real>> rows;
  std::size_t liquid_leaves = 0;

  // This adds the members on a side that lies in a large face, if any is open to it.
  template <class Open>
  void add_row(SiblingBlockId sibling_block, int side, Open&& open) {
    HangingFaceRow<Dim, Real> row{SiblingBlocksView<Dim>::level_cell(sibling_block, 0).value,
                                  0,
                                  static_cast<std::uint8_t>(side),
                                  false,
                                  false,
                                  {}};
    Real sum = 0;
    for (int slot = 0; slot < width; ++slot)
      if (SiblingBlocksView<Dim>::is_outer(slot, side)) sum += row.weight[slot] = open(slot);
    if (sum > 0) rows.push_back(row);
  }
};

template <int Dim, class Real>
void PressureMatrix<Dim, Real>::measure_sibling_block(const Measure& measure,
                                                      SiblingBlockId sibling_block, Found& found) {
  filled_[sibling_block] = measure.filled_part(sibling_block);
  if (measure.is_dry(sibling_block)) return set_dry(measure, sibling_block);
  const bool full = measure.is_full_around(sibling_block),
             solids = measure.faces.boundary.has_solids();
  if (full && !solids) return set_all_open(measure, sibling_block, found);
  SiblingBlockFaces<Dim, Real> r;
  measure.look_at_faces(sibling_block, r);
  if (full && r.leaves_are_all(1)) return set_all_open(measure, sibling_block, found);
  if (solids && r.leaves_are_all(0) && !measure.has_smaller_cells(sibling_block))
    return set_dry(measure, sibling_block);
  measure.look_around(sibling_block, r);
  leaves_[sibling_block] = r.leaves;
  active_[sibling_block] = r.active;
  hanging_face_mask_[sibling_block] = r.hanging_faces;
  block_[sibling_block] = no_block;
  found.liquid_leaves += static_cast<std::size_t>(std::popcount(r.leaves));
  if (r.disconnected) found.disconnected.push_back({sibling_block, r});
  if (!r.all_open) {
    found.blocks.push_back(sibling_block);
    append_block(r, found.fraction);
  }
  set_diagonals(measure, sibling_block, r);
  for (int side = 0; side < side_count<Dim>; ++side) {
    measure.fraction_of(sibling_block, side) = mean_on_side(r, side);
    if (measure.sibling_blocks.neighbor_of(sibling_block, side) == measure.sibling_blocks.nothing &&
        measure.meets_hanging_face(sibling_block, side))
      found.add_row(sibling_block, side, [&](int slot) { return r.side[side][slot]; });
  }
}

template <int Dim, class Real>
void PressureMatrix<Dim, Real>::set_diagonals(const Measure& measure, SiblingBlockId sibling_block,
                                              const SiblingBlockFaces<Dim, Real>& r) {
  float all[width];
  constexpr double least = std::numeric_limits<float>::min();
  double fine[width], surface_terms = 0, inside = 0;
  for (int slot = 0; slot < width; ++slot) {
    fine[slot] = r.exact[slot];
    all[slot] = static_cast<float>(r.dirichlet[slot]);
    inside += r.member[slot].is_outside() ? 0 : 1;
    surface_terms += r.dirichlet[slot] * static_cast<double>(measure.filled_part(r.member[slot]));
  }
  for (int side = 0; side < side_count<Dim>; ++side) {
    for (int slot = 0; slot < width; ++slot)
      all[slot] += shortened(static_cast<float>(r.open[side][slot]));
    for (int slot = 0; slot < width; ++slot)
      fine[slot] += static_cast<double>(r.open[side][slot]) *
                    static_cast<double>((r.beside_leaf[side] >> slot) & 1);
  }
  for (int slot = 0; slot < width; ++slot) {
    const LevelCellId level_cell = SiblingBlocksView<Dim>::level_cell(sibling_block, slot);
    coarse_diagonal_[level_cell] = (r.active >> slot) & 1 ? all[slot] : 0.0f;
    diagonal_[level_cell] = (r.leaves >> slot) & 1 ? fine[slot] : 0.0;
  }
  // A known pressure is half as far away, in sizes, from the centre of a cell twice as large; it is nearer if
  // what is inside the box of that cell is not full.
  const double filled = static_cast<double>(filled_[sibling_block]) * width / inside;
  dirichlet_[sibling_block] =
      static_cast<float>(surface_terms / std::max(filled, least) / (Dim == 2 ? 2 : 4));
}

template <int Dim, class Real>
void PressureMatrix<Dim, Real>::set_dry(const Measure& measure, SiblingBlockId sibling_block) {
  leaves_[sibling_block] = active_[sibling_block] = 0;
  hanging_face_mask_[sibling_block] = 0;
  block_[sibling_block] = no_block;
  dirichlet_[sibling_block] = 0;
  for (int side = 0; side < side_count<Dim>; ++side) measure.fraction_of(sibling_block, side) = 0;
  for (int slot = 0; slot < width; ++slot) {
    const LevelCellId level_cell = SiblingBlocksView<Dim>::level_cell(sibling_block, slot);
    coarse_diagonal_[level_cell] = 0;
    diagonal_[level_cell] = 0;
  }
}

// A sibling block with nothing but fluid in it and around it needs no measuring: what is there can be counted.
template <int Dim, class Real>
void PressureMatrix<Dim, Real>::set_all_open(const Measure& measure, SiblingBlockId sibling_block,
                                             Found& found) {
  using Set = SiblingBlocksView<Dim>;
  const SiblingBlocksView<Dim>& sibling_blocks = measure.sibling_blocks;
  const unsigned own = sibling_blocks.leaf_members[sibling_block];
  unsigned beside[side_count<Dim>], beside_leaf[side_count<Dim>];
  std::uint64_t hanging_faces = 0;
  for (int side = 0; side < side_count<Dim>; ++side) {
    const SiblingBlockId next = sibling_blocks.neighbor_of(sibling_block, side);
    beside[side] = Set::all_members;
    if (next == sibling_blocks.nothing) beside[side] &= ~Set::on_side(side);
    beside_leaf[side] = measure.across(sibling_blocks.leaf_members, sibling_block, side);
    for_each_in(own & beside[side] & ~beside_leaf[side], [&](int slot) {
      hanging_faces |= std::uint64_t{1} << (slot * side_count<Dim> + side);
    });
    measure.fraction_of(sibling_block, side) = 1;
    if (next == sibling_blocks.nothing)
      found.add_row(sibling_block, side, [](int) { return Real{1}; });
  }
  for (int slot = 0; slot < width; ++slot) {
    unsigned all = 0, fine = 0;
    for (int side = 0; side < side_count<Dim>; ++side) {
      all += (beside[side] >> slot) & 1;
      fine += (beside_leaf[side] >> slot) & 1;
    }
    const LevelCellId level_cell = Set::level_cell(sibling_block, slot);
    coarse_diagonal_[level_cell] = static_cast<float>(all);
    diagonal_[level_cell] = (own >> slot) & 1 ? static_cast<double>(fine) : 0.0;
  }
  leaves_[sibling_block] = static_cast<std::uint8_t>(own);
  active_[sibling_block] = Set::all_members;
  hanging_face_mask_[sibling_block] = hanging_faces;
  block_[sibling_block] = no_block;
  dirichlet_[sibling_block] = 0;
  found.liquid_leaves += static_cast<std::size_t>(std::popcount(own));
}

// Measures the sibling blocks of a level and returns those that are disconnected; the fractions of its blocks are
// kept, to be joined when all levels are done.
template <int Dim, class Real>
std::vector<DisconnectedFaces<Dim, Real>> PressureMatrix<Dim, Real>::measure_level(
    const Measure& measure, const SiblingLevel& level, std::vector<std::vector<Real>>& fractions) {
  std::vector<Found> found(block_count(level.end - level.begin, measure_block));
  parallel_blocks(
      "measure faces", level.end - level.begin,
      [&](std::size_t b, std::size_t begin, std::size_t end) {
        for (std::size_t f = level.begin + begin; f < level.begin + end; ++f)
          measure_sibling_block(measure, SiblingBlockId(f), found[b]);
      },
      measure_block);

  std::vector<DisconnectedFaces<Dim, Real>> disconnected;
  for (Found& part : found) {
    for (const std::uint32_t sibling_block : part.blocks) block_[sibling_block] = block_total_++;
    fractions.push_back(std::move(part.fraction));
    hanging_faces_.add_rows(level.depth, std::move(part.rows));
    disconnected.insert(disconnected.end(), part.disconnected.begin(), part.disconnected.end());
    liquid_leaves_ += part.liquid_leaves;
  }
  return disconnected;
}

// This finds which members of every sibling block are liquid leaves.
template <int Dim, class Real>
void PressureMatrix<Dim, Real>::find_wet_leaves(const PressureFaces<Dim, Real>& faces) {
  const SiblingBlocksView<Dim> sibling_blocks = sibling_blocks_.view();
  wet_.resize(sibling_blocks.leaf_members.size());
  const View<std::uint8_t> wet = wet_.view();
  parallel_for("find liquid leaves", wet.size(), [=](std::size_t f) {
    unsigned set = sibling_blocks.leaf_members[f];
    if (faces.boundary.has_surface())
      for_each_in(sibling_blocks.leaf_members[f], [&](int slot) {
        if (!faces.is_liquid(sibling_blocks.member(SiblingBlockId(f), slot).leaf()))
          set &= ~(1u << slot);
      });
    wet[f] = static_cast<std::uint8_t>(set);
  });
}

template <int Dim, class Real>
void PressureMatrix<Dim, Real>::build(const Mesh<Dim>& mesh,
                                      const FlowBoundary<Dim, Real>& boundary,
                                      PressureScheme scheme) {
  const MeshView<Dim> m = mesh.view();
  boundary.check(m);
  sibling_blocks_.build(mesh);
  const SiblingBlocksView<Dim> sibling_blocks = sibling_blocks_.view();
  resize(sibling_blocks.sibling_block_count() + 1);
  const PressureFaces<Dim, Real> faces{m, boundary, scheme};
  find_wet_leaves(faces);
  cut_rows_.build(faces);
  cut_row_matrix_.build(faces, cut_rows_.view(), sibling_blocks);
  fragments_.clear(sibling_blocks);
  hanging_faces_.clear();

  const Measure measure{faces,          sibling_blocks,        &fragments_,
                        wet_.view(),    side_fraction_.view(), dirichlet_.view(),
                        filled_.view(), active_.view(),        cut_rows_.view()};
  std::vector<std::vector<Real>> fractions;
  const auto& levels = sibling_blocks_.levels();
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    std::vector<DisconnectedFaces<Dim, Real>> disconnected =
        measure_level(measure, *level, fractions);
    hanging_faces_.add_fragments(measure, level->depth);
    fragments_.meet_surface(measure, level->depth);
    fragments_.link_parts(measure, level->depth);
    fragments_.find_parts(measure, level->depth, std::move(disconnected));
  }
  concatenate("join blocks", fractions, fraction_);
  for (std::size_t r = 0; r < fragments_.row_count(); ++r)
    for (const PartLink& link : fragments_.row(r))
      if (!fragments_.is_fragment(link.from)) coarse_diagonal_[link.from] += link.open;
  mark_dry_hanging_faces(measure);
  hanging_faces_.build(measure, sibling_blocks_, hanging_face_mask_.view(), block_.view(),
                       fraction_.view());
}

// Rows that the surface cuts may tie liquid leaves across a dry one.
template <int Dim, class Real>
void PressureMatrix<Dim, Real>::mark_dry_hanging_faces(const Measure& measure) {
  const MeshView<Dim>& mesh = measure.faces.mesh;
  for (const CutRow& row : measure.cut_rows.row) {
    const LeavesBySize<Dim> leaves(mesh, row.first);
    const int side = 2 * mesh.axis(row.first) + (leaves.large_is_high ? 0 : 1);
    if (measure.dry_row(Cell::leaf(leaves.large), side) == nullptr) continue;
    const LevelCellId large = measure.sibling_blocks.level_cell(leaves.large);
    hanging_face_mask_[SiblingBlocksView<Dim>::sibling_block_of(large)] |=
        std::uint64_t{1} << (SiblingBlocksView<Dim>::slot_of(large) * side_count<Dim> + side);
  }
}

template <int Dim, class Real>
void PressureMatrix<Dim, Real>::resize(std::size_t sibling_blocks) {
  leaves_.resize(sibling_blocks);
  active_.resize(sibling_blocks);
  block_.resize(sibling_blocks);
  dirichlet_.resize(sibling_blocks);
  filled_.resize(sibling_blocks);
  hanging_face_mask_.resize(sibling_blocks);
  side_fraction_.resize(sibling_blocks * side_count<Dim>);
  diagonal_.resize(sibling_blocks * width);
  coarse_diagonal_.resize(sibling_blocks * width);
  block_total_ = 0;
  liquid_leaves_ = 0;

  // This is the sibling block that stands for nothing.
  const std::size_t nothing = sibling_blocks - 1;
  leaves_[nothing] = active_[nothing] = 0;
  block_[nothing] = no_block;
  hanging_face_mask_[nothing] = 0;
  for (std::size_t p = nothing * width; p < sibling_blocks * width; ++p) {
    diagonal_[p] = 0;
    coarse_diagonal_[p] = 0;
  }
}

template class PressureMatrix<2, float>;
template class PressureMatrix<3, float>;
template class PressureMatrix<2, double>;
template class PressureMatrix<3, double>;

}  // namespace octavo
