#include "octavo/solvers/multigrid_level.h"

namespace octavo {

template <int Dim, class Real>
typename Multigrid<Dim, Real>::LevelView Multigrid<Dim, Real>::level_view(
    const FamilyLevel& level) {
  const double full = matrix_->full_coefficient(level.size);
  return {
      matrix_->view(),          inverse_diagonal_.data(),    fraction_.data(), x_.data(), b_.data(),
      static_cast<float>(full), static_cast<float>(1 / full)};
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::build(const PressureMatrix<Dim, Real>& matrix) {
  matrix_ = &matrix;
  const JointsView<Dim, Real> joints = matrix.joints().view();
  const std::size_t places = matrix.place_count(), size = matrix.vector_size();
  x_.resize(size);
  b_.resize(size);
  inverse_diagonal_.resize(size);
  flow_.resize(joints.count());
  flow_so_far_.resize(joints.count());
  rise_.resize(joints.count());
  row_diagonal_.resize(joints.row.size());
  row_sum_.resize(joints.row.size());
  row_b_.resize(joints.row.size() * width);
  const View<float> x = x_.view(), b = b_.view();
  parallel_for("clear vectors", size, [=](std::size_t p) { x[p] = b[p] = 0; });

  const View<const Real> exact = matrix.view().fraction;
  fraction_.resize(exact.size());
  const View<ShortFloat> fraction = fraction_.view();
  parallel_for("shorten fractions", exact.size(),
               [=](std::size_t i) { fraction[i] = ShortFloat(static_cast<float>(exact[i])); });

  const View<float> inverse = inverse_diagonal_.view();
  const View<const float> diagonal = matrix.view().coarse_diagonal;
  parallel_for("copy diagonal", places, [=](std::size_t p) { inverse[p] = diagonal[p]; });
  set_up_fragments();
  for (const FamilyLevel& level : matrix.families().levels()) add_joints_to_diagonal(level);
  parallel_for("invert diagonal", size,
               [=](std::size_t p) { inverse[p] = inverse[p] > 0 ? 1.0f / inverse[p] : 0.0f; });
}

template <int Dim, class Real>
int Multigrid<Dim, Real>::sweeps(std::size_t level) const {
  // Levels that hold few of the cells get more, which costs little.
  const FamilyLevel& l = matrix_->families().levels()[level];
  if (level == 0) return 8;
  return 4 * (l.end - l.begin) * width <= matrix_->place_count() ? 3 : 2;
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::apply(View<const double> r, double scale) {
  const View<float> b = b_.view(), so_far = flow_so_far_.view();
  const auto leaves = matrix_->view().leaves;
  parallel_for("copy residual", leaves.size(), [=](std::size_t f) {
    if (leaves[f] == 0) return;
    for (std::size_t p = f * width; p < (f + 1) * width; ++p)
      b[p] = static_cast<float>(scale * r[p]);
  });
  parallel_for("no flow yet", so_far.size(), [=](std::size_t j) { so_far[j] = 0; });
  const std::size_t levels = matrix_->families().levels().size();
  for (std::size_t l = levels; l-- > 0;) descend(l);
  for (std::size_t l = 0; l < levels; ++l) ascend(l);
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::descend(std::size_t level) {
  meet_joints_downward(level);
  relax(level, false);
  leave_joints_downward(level);
  if (level > 0) restrict_residual(level);
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::ascend(std::size_t level) {
  if (level > 0) prolong(level);
  meet_joints_upward(level);
  relax(level, true);
  leave_joints_upward(level);
}

// Calls f(family) for those of a level that hold liquid.
template <int Dim, class Real>
template <class F>
void Multigrid<Dim, Real>::for_each_active(const char* label, const FamilyLevel& level, F&& f) {
  const View<const std::uint8_t> active = matrix_->view().active;
  parallel_blocks(
      label, level.end - level.begin,
      [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = level.begin + begin; i < level.begin + end; ++i)
          if (active[i] != 0) f(i);
      },
      family_block);
}

// Downward from zero and red first, upward from what there is and black first.
template <int Dim, class Real>
void Multigrid<Dim, Real>::relax(std::size_t level, bool upward) {
  const FamilyLevel& l = matrix_->families().levels()[level];
  for (int half = 0; half < 2 * sweeps(level); ++half) {
    const int color = (half % 2 == 0) != upward ? 0 : 1;
    const bool from_zero = !upward && half == 0;
    if (!from_zero) add_links(l, color);
    relax_families(l, color, from_zero);
    relax_fragments(l, color, from_zero);
    if (!from_zero) remove_links(l, color);
  }
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::relax_families(const FamilyLevel& level, int color, bool from_zero) {
  const LevelView view = level_view(level);
  if (from_zero)
    for_each_active("relax from zero", level, [&](std::size_t f) { view.start(f); });
  else if (color == 0)
    for_each_active("relax", level, [&](std::size_t f) { view.template relax<0>(f); });
  else
    for_each_active("relax", level, [&](std::size_t f) { view.template relax<1>(f); });
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::restrict_residual(std::size_t level) {
  const FamilyLevel& l = matrix_->families().levels()[level];
  const LevelView view = level_view(l);
  const View<const PlaceId> parent = parent_.empty() ? view.matrix.families.parent : parent_.view();
  for (int color = 0; color < 2; ++color) add_links(l, color);
  for_each_active("restrict residual", l, [&](std::size_t f) {
    if (parent[f].is_none()) return;
    const auto sum = view.template residual<0>(f) + view.template residual<1>(f);
    view.b[parent[f]] = view.full * sum_lanes(sum);
  });
  restrict_special(l);
  for (int color = 0; color < 2; ++color) remove_links(l, color);
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::prolong(std::size_t level) {
  const FamilyLevel& l = matrix_->families().levels()[level];
  const LevelView view = level_view(l);
  const View<const PlaceId> parent = parent_.empty() ? view.matrix.families.parent : parent_.view();
  for_each_active("prolong correction", l, [&](std::size_t f) {
    if (!parent[f].is_none()) view.add_to_all(f, view.x[parent[f]]);
  });
  prolong_special(l);
}

template <int Dim, class Real>
std::size_t Multigrid<Dim, Real>::bytes() const {
  return x_.bytes() + b_.bytes() + fraction_.bytes() + inverse_diagonal_.bytes() + flow_.bytes() +
         flow_so_far_.bytes() + rise_.bytes() + row_diagonal_.bytes() + row_sum_.bytes() +
         row_b_.bytes() + link_b_.bytes() + parent_.bytes();
}

template class Multigrid<2, float>;
template class Multigrid<3, float>;
template class Multigrid<2, double>;
template class Multigrid<3, double>;

}  // namespace octavo
