// Building the pressure matrix: what is open around every family, from the deepest level upward.

#include <bit>

#include "octavo/solvers/face_measure.h"
#include "octavo/solvers/pressure_matrix.h"
#include "octavo/solvers/short_float.h"

namespace octavo {
namespace {

// The mean over the members that touch a side of the family.
template <int Dim, class Real>
float mean_on_side(const FamilyFaces<Dim, Real>& r, int side) {
  float sum = 0;
  for (int slot = 0; slot < child_count<Dim>; ++slot)
    if (FamiliesView<Dim>::is_outer(slot, side)) sum += r.side[side][slot];
  return sum / static_cast<float>(side_child_count<Dim>);
}

// The open fractions of a family in the order of a block.
template <int Dim, class Real>
void append_block(const FamilyFaces<Dim, Real>& r, std::vector<Real>& out) {
  constexpr int width = child_count<Dim>;
  const std::size_t first = out.size();
  out.resize(first + 2 * Dim * width);
  Real* next = &out[first];
  for (int color = 0; color < 2; ++color)
    for (int axis = 0; axis < Dim; ++axis)
      for (int to_other = 0; to_other < 2; ++to_other)
        for (int slot = color * width / 2; slot < (color + 1) * width / 2; ++slot) {
          const int outer = 2 * axis + (FamiliesView<Dim>::is_outer(slot, 2 * axis) ? 0 : 1);
          const int side = outer ^ (1 - to_other);
          *next++ = (r.beside[side] >> slot) & 1 ? r.open[side][slot] : Real{0};
        }
}

}  // namespace

// What a stretch of families has to say beside the arrays it fills.
template <int Dim, class Real>
struct PressureMatrix<Dim, Real>::Found {
  std::vector<std::uint32_t> blocks, torn;  // families
  std::vector<Real> fraction;
  std::size_t liquid_leaves = 0;
};

template <int Dim, class Real>
template <bool Plain>
void PressureMatrix<Dim, Real>::measure_family(const Measure& measure, FamilyId family,
                                               Found& found) {
  if (measure.template is_all_open<Plain>(family))
    return measure_open_family(measure, family, found);
  const FamilyFaces<Dim, Real> r = measure.template measure<Plain>(family);
  leaves_[family] = r.leaves;
  active_[family] = r.active;
  joint_mask_[family] = r.joints;
  block_[family] = MatrixView::no_block;
  found.liquid_leaves += static_cast<std::size_t>(std::popcount(r.leaves));
  if (r.torn) found.torn.push_back(family);
  if (!r.all_open) {
    found.blocks.push_back(family);
    append_block(r, found.fraction);
  }
  double surface_terms = 0;
  for (int slot = 0; slot < width; ++slot) {
    const PlaceId place = FamiliesView<Dim>::place(family, slot);
    double all = r.dirichlet[slot], fine = r.dirichlet[slot];
    for (int side = 0; side < side_count<Dim>; ++side) {
      const auto open = static_cast<double>(r.open[side][slot]);
      if ((r.beside[side] >> slot) & 1)
        all += static_cast<double>(static_cast<float>(ShortFloat(static_cast<float>(open))));
      if ((r.beside_leaf[side] >> slot) & 1) fine += open;
    }
    coarse_diagonal_[place] = (r.active >> slot) & 1 ? static_cast<float>(all) : 0.0f;
    diagonal_[place] = (r.leaves >> slot) & 1 ? fine : 0.0;
    surface_terms += r.dirichlet[slot];
  }
  // A known pressure is half as far away, in sizes, from the centre of a cell twice as large.
  dirichlet_[family] = static_cast<float>(surface_terms / (Dim == 2 ? 2 : 4));
  for (int side = 0; side < side_count<Dim>; ++side)
    measure.fraction_of(family, side) = mean_on_side(r, side);
}

// A family with nothing but fluid in it and around it: what is there can be counted.
template <int Dim, class Real>
void PressureMatrix<Dim, Real>::measure_open_family(const Measure& measure, FamilyId family,
                                                    Found& found) {
  using Set = FamiliesView<Dim>;
  const FamiliesView<Dim>& families = measure.families;
  const unsigned own = families.leaf_members[family];
  unsigned beside[side_count<Dim>], beside_leaf[side_count<Dim>];
  std::uint64_t joints = 0;
  for (int side = 0; side < side_count<Dim>; ++side) {
    const FamilyId next = families.neighbor_of(family, side);
    const unsigned outer = Set::on_side(side);
    const unsigned inner_leaves = Set::mirrored(own, side / 2) & ~outer;
    const unsigned outer_leaves = Set::mirrored(families.leaf_members[next], side / 2) & outer;
    beside[side] = next == families.nothing ? (1u << width) - 1 - outer : (1u << width) - 1;
    beside_leaf[side] = inner_leaves | outer_leaves;
    for (unsigned large = own & beside[side] & ~beside_leaf[side]; large != 0; large &= large - 1)
      joints |= std::uint64_t{1} << (std::countr_zero(large) * side_count<Dim> + side);
    measure.fraction_of(family, side) = 1;
  }
  for (int slot = 0; slot < width; ++slot) {
    unsigned all = 0, fine = 0;
    for (int side = 0; side < side_count<Dim>; ++side) {
      all += (beside[side] >> slot) & 1;
      fine += (beside_leaf[side] >> slot) & 1;
    }
    const PlaceId place = Set::place(family, slot);
    coarse_diagonal_[place] = static_cast<float>(all);
    diagonal_[place] = (own >> slot) & 1 ? static_cast<double>(fine) : 0.0;
  }
  leaves_[family] = static_cast<std::uint8_t>(own);
  active_[family] = static_cast<std::uint8_t>((1u << width) - 1);
  joint_mask_[family] = joints;
  block_[family] = MatrixView::no_block;
  dirichlet_[family] = 0;
  found.liquid_leaves += static_cast<std::size_t>(std::popcount(own));
}

// Measures the families of a level and returns those that are torn.
template <int Dim, class Real>
template <bool Plain>
std::vector<std::uint32_t> PressureMatrix<Dim, Real>::measure_level(const Measure& measure,
                                                                    const FamilyLevel& level) {
  std::vector<Found> found(block_count(level.end - level.begin, measure_block));
  parallel_blocks(
      "measure faces", level.end - level.begin,
      [&](std::size_t b, std::size_t begin, std::size_t end) {
        for (std::size_t f = level.begin + begin; f < level.begin + end; ++f)
          measure_family<Plain>(measure, FamilyId(f), found[b]);
      },
      measure_block);

  std::vector<std::uint32_t> torn;
  for (const Found& part : found) {
    auto next = static_cast<std::uint32_t>(fraction_.size() / MatrixView::block_size);
    for (const std::uint32_t family : part.blocks) block_[family] = next++;
    fraction_.insert(fraction_.end(), part.fraction.begin(), part.fraction.end());
    torn.insert(torn.end(), part.torn.begin(), part.torn.end());
    liquid_leaves_ += part.liquid_leaves;
  }
  return torn;
}

template <int Dim, class Real>
void PressureMatrix<Dim, Real>::build(const Mesh<Dim>& mesh,
                                      const FlowBoundary<Dim, Real>& boundary,
                                      PressureScheme scheme) {
  const MeshView<Dim> m = mesh.view();
  boundary.check(m);
  families_.build(mesh);
  const FamiliesView<Dim> families = families_.view();
  resize(families.family_count() + 1);
  fragments_.clear(families);

  const Measure measure{{m, boundary, scheme}, families,          &fragments_,
                        side_fraction_.view(), dirichlet_.view(), active_.view()};
  const bool plain = !boundary.has_solids() && !boundary.has_surface();
  const auto& levels = families_.levels();
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const std::vector<std::uint32_t> torn =
        plain ? measure_level<true>(measure, *level) : measure_level<false>(measure, *level);
    fragments_.link_parts(measure, level->depth);
    fragments_.find_parts(measure, level->depth, torn);
  }
  for (std::size_t r = 0; r < fragments_.row_count(); ++r)
    for (const PartLink& link : fragments_.row(r))
      if (!fragments_.is_fragment(link.from)) coarse_diagonal_[link.from] += link.open;
  joints_.build(measure, families_, joint_mask_.view());
}

template <int Dim, class Real>
void PressureMatrix<Dim, Real>::resize(std::size_t families) {
  leaves_.resize(families);
  active_.resize(families);
  block_.resize(families);
  dirichlet_.resize(families);
  joint_mask_.resize(families);
  side_fraction_.resize(families * side_count<Dim>);
  diagonal_.resize(families * width);
  coarse_diagonal_.resize(families * width);
  fraction_.clear();
  liquid_leaves_ = 0;

  // The family that stands for nothing.
  const std::size_t nothing = families - 1;
  leaves_[nothing] = active_[nothing] = 0;
  block_[nothing] = MatrixView::no_block;
  joint_mask_[nothing] = 0;
  for (std::size_t p = nothing * width; p < families * width; ++p) {
    diagonal_[p] = 0;
    coarse_diagonal_[p] = 0;
  }
}

template class PressureMatrix<2, float>;
template class PressureMatrix<3, float>;
template class PressureMatrix<2, double>;
template class PressureMatrix<3, double>;

}  // namespace octavo
