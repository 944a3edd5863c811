// Building the pressure matrix: what is open around every family, from the deepest level upward.

#include <bit>
#include <limits>

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
    if (FamiliesView<Dim>::is_outer(slot, side)) sum += static_cast<float>(r.side[side][slot]);
  return sum / static_cast<float>(side_child_count<Dim>);
}

// The open fractions of a family in the order of a block.
template <int Dim, class Real>
void append_block(const FamilyFaces<Dim, Real>& r, std::vector<Real>& out) {
  Real block[block_size<Dim>];
  for (int axis = 0; axis < Dim; ++axis)
    for (int slot = 0; slot < child_count<Dim>; ++slot) {
      const int outer = 2 * axis + (FamiliesView<Dim>::is_outer(slot, 2 * axis) ? 0 : 1);
      block[block_entry<Dim>(0, slot, axis, false)] = r.open[outer ^ 1][slot];
      block[block_entry<Dim>(0, slot, axis, true)] = r.open[outer][slot];
    }
  out.insert(out.end(), std::begin(block), std::end(block));
}

}  // namespace

// What a stretch of families has to say beside the arrays it fills.
template <int Dim, class Real>
struct PressureMatrix<Dim, Real>::Found {
  std::vector<std::uint32_t> blocks;  // families
  std::vector<TornFaces<Dim, Real>> torn;
  std::vector<Real> fraction;
  std::vector<JointRow<Dim, Real>> rows;
  std::size_t liquid_leaves = 0;

  // The members on a side that lies in a large face, if any is open to it.
  template <class Open>
  void add_row(FamilyId family, int side, Open&& open) {
    JointRow<Dim, Real> row{FamiliesView<Dim>::place(family, 0).value,
                            0,
                            static_cast<std::uint8_t>(side),
                            false,
                            false,
                            {}};
    Real sum = 0;
    for (int slot = 0; slot < width; ++slot)
      if (FamiliesView<Dim>::is_outer(slot, side)) sum += row.weight[slot] = open(slot);
    if (sum > 0) rows.push_back(row);
  }
};

template <int Dim, class Real>
void PressureMatrix<Dim, Real>::measure_family(const Measure& measure, FamilyId family,
                                               Found& found) {
  filled_[family] = measure.filled_part(family);
  if (measure.is_dry(family)) return set_dry(measure, family);
  const bool full = measure.is_full_around(family), solids = measure.faces.boundary.has_solids();
  if (full && !solids) return set_all_open(measure, family, found);
  FamilyFaces<Dim, Real> r;
  measure.look_at_faces(family, r);
  if (full && r.leaves_are_all(1)) return set_all_open(measure, family, found);
  if (solids && r.leaves_are_all(0) && !measure.has_smaller_cells(family))
    return set_dry(measure, family);
  measure.look_around(family, r);
  leaves_[family] = r.leaves;
  active_[family] = r.active;
  joint_mask_[family] = r.joints;
  block_[family] = no_block;
  found.liquid_leaves += static_cast<std::size_t>(std::popcount(r.leaves));
  if (r.torn) found.torn.push_back({family, r});
  if (!r.all_open) {
    found.blocks.push_back(family);
    append_block(r, found.fraction);
  }
  set_diagonals(measure, family, r);
  for (int side = 0; side < side_count<Dim>; ++side) {
    measure.fraction_of(family, side) = mean_on_side(r, side);
    if (measure.families.neighbor_of(family, side) == measure.families.nothing &&
        measure.is_active(measure.larger_leaf(family, side)))
      found.add_row(family, side, [&](int slot) { return r.side[side][slot]; });
  }
}

template <int Dim, class Real>
void PressureMatrix<Dim, Real>::set_diagonals(const Measure& measure, FamilyId family,
                                              const FamilyFaces<Dim, Real>& r) {
  float all[width];
  constexpr double least = std::numeric_limits<float>::min();
  double fine[width], surface_terms = 0, inside = 0;
  for (int slot = 0; slot < width; ++slot) {
    fine[slot] = r.dirichlet[slot];
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
    const PlaceId place = FamiliesView<Dim>::place(family, slot);
    coarse_diagonal_[place] = (r.active >> slot) & 1 ? all[slot] : 0.0f;
    diagonal_[place] = (r.leaves >> slot) & 1 ? fine[slot] : 0.0;
  }
  // A known pressure is half as far away, in sizes, from the centre of a cell twice as large; nearer if
  // what is inside the box of that is not full.
  const double filled = static_cast<double>(filled_[family]) * width / inside;
  dirichlet_[family] =
      static_cast<float>(surface_terms / std::max(filled, least) / (Dim == 2 ? 2 : 4));
}

template <int Dim, class Real>
void PressureMatrix<Dim, Real>::set_dry(const Measure& measure, FamilyId family) {
  leaves_[family] = active_[family] = 0;
  joint_mask_[family] = 0;
  block_[family] = no_block;
  dirichlet_[family] = 0;
  for (int side = 0; side < side_count<Dim>; ++side) measure.fraction_of(family, side) = 0;
  for (int slot = 0; slot < width; ++slot) {
    const PlaceId place = FamiliesView<Dim>::place(family, slot);
    coarse_diagonal_[place] = 0;
    diagonal_[place] = 0;
  }
}

// A family with nothing but fluid in it and around it: what is there can be counted.
template <int Dim, class Real>
void PressureMatrix<Dim, Real>::set_all_open(const Measure& measure, FamilyId family,
                                             Found& found) {
  using Set = FamiliesView<Dim>;
  const FamiliesView<Dim>& families = measure.families;
  const unsigned own = families.leaf_members[family];
  unsigned beside[side_count<Dim>], beside_leaf[side_count<Dim>];
  std::uint64_t joints = 0;
  for (int side = 0; side < side_count<Dim>; ++side) {
    const FamilyId next = families.neighbor_of(family, side);
    beside[side] = Set::all_members;
    if (next == families.nothing) beside[side] &= ~Set::on_side(side);
    beside_leaf[side] = measure.across(families.leaf_members, family, side);
    for_each_in(own & beside[side] & ~beside_leaf[side],
                [&](int slot) { joints |= std::uint64_t{1} << (slot * side_count<Dim> + side); });
    measure.fraction_of(family, side) = 1;
    if (next == families.nothing) found.add_row(family, side, [](int) { return Real{1}; });
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
  active_[family] = Set::all_members;
  joint_mask_[family] = joints;
  block_[family] = no_block;
  dirichlet_[family] = 0;
  found.liquid_leaves += static_cast<std::size_t>(std::popcount(own));
}

// Measures the families of a level and returns those that are torn; the fractions of its blocks are
// kept, to be joined when all levels are done.
template <int Dim, class Real>
std::vector<TornFaces<Dim, Real>> PressureMatrix<Dim, Real>::measure_level(
    const Measure& measure, const FamilyLevel& level, std::vector<std::vector<Real>>& fractions) {
  std::vector<Found> found(block_count(level.end - level.begin, measure_block));
  parallel_blocks(
      "measure faces", level.end - level.begin,
      [&](std::size_t b, std::size_t begin, std::size_t end) {
        for (std::size_t f = level.begin + begin; f < level.begin + end; ++f)
          measure_family(measure, FamilyId(f), found[b]);
      },
      measure_block);

  std::vector<TornFaces<Dim, Real>> torn;
  for (Found& part : found) {
    for (const std::uint32_t family : part.blocks) block_[family] = block_total_++;
    fractions.push_back(std::move(part.fraction));
    joints_.add_rows(level.depth, std::move(part.rows));
    torn.insert(torn.end(), part.torn.begin(), part.torn.end());
    liquid_leaves_ += part.liquid_leaves;
  }
  return torn;
}

// Which members of every family are liquid leaves.
template <int Dim, class Real>
void PressureMatrix<Dim, Real>::find_wet_leaves(const FlowBoundary<Dim, Real>& boundary) {
  const FamiliesView<Dim> families = families_.view();
  wet_.resize(families.leaf_members.size());
  const View<std::uint8_t> wet = wet_.view();
  parallel_for("find liquid leaves", wet.size(), [=](std::size_t f) {
    unsigned set = families.leaf_members[f];
    if (boundary.has_surface())
      for_each_in(families.leaf_members[f], [&](int slot) {
        if (!boundary.is_liquid(families.member(FamilyId(f), slot).leaf())) set &= ~(1u << slot);
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
  families_.build(mesh);
  const FamiliesView<Dim> families = families_.view();
  resize(families.family_count() + 1);
  find_wet_leaves(boundary);
  fragments_.clear(families);
  joints_.clear();

  const Measure measure{{m, boundary, scheme}, families,          &fragments_,    wet_.view(),
                        side_fraction_.view(), dirichlet_.view(), filled_.view(), active_.view()};
  std::vector<std::vector<Real>> fractions;
  const auto& levels = families_.levels();
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    std::vector<TornFaces<Dim, Real>> torn = measure_level(measure, *level, fractions);
    joints_.add_fragments(measure, level->depth);
    fragments_.link_parts(measure, level->depth);
    fragments_.find_parts(measure, level->depth, std::move(torn));
  }
  concatenate("join blocks", fractions, fraction_);
  for (std::size_t r = 0; r < fragments_.row_count(); ++r)
    for (const PartLink& link : fragments_.row(r))
      if (!fragments_.is_fragment(link.from)) coarse_diagonal_[link.from] += link.open;
  joints_.build(measure, families_, joint_mask_.view(), block_.view(), fraction_.view());
}

template <int Dim, class Real>
void PressureMatrix<Dim, Real>::resize(std::size_t families) {
  leaves_.resize(families);
  active_.resize(families);
  block_.resize(families);
  dirichlet_.resize(families);
  filled_.resize(families);
  joint_mask_.resize(families);
  side_fraction_.resize(families * side_count<Dim>);
  diagonal_.resize(families * width);
  coarse_diagonal_.resize(families * width);
  block_total_ = 0;
  liquid_leaves_ = 0;

  // The family that stands for nothing.
  const std::size_t nothing = families - 1;
  leaves_[nothing] = active_[nothing] = 0;
  block_[nothing] = no_block;
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
