#include "octavo/pressure/gauss_seidel.h"

namespace octavo {

template <int Dim, class Real>
typename Multigrid<Dim, Real>::LevelView Multigrid<Dim, Real>::level_view(
    const SiblingLevel& level) {
  const double full = matrix_->full_coefficient(level.size);
  return {
      matrix_->view(),          inverse_diagonal_.data(),    fraction_.data(), x_.data(), b_.data(),
      static_cast<float>(full), static_cast<float>(1 / full)};
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::build(const PressureMatrix<Dim, Real>& matrix) {
  matrix_ = &matrix;
  const HangingFacesView<Dim, Real> hanging_faces = matrix.hanging_faces().view();
  const std::size_t cells = matrix.level_cell_count(), size = matrix.vector_size();
  x_.resize(size);
  b_.resize(size);
  inverse_diagonal_.resize(size);
  flow_.resize(hanging_faces.count());
  flow_so_far_.resize(hanging_faces.count());
  rise_.resize(hanging_faces.count());
  row_diagonal_.resize(hanging_faces.row.size());
  row_sum_.resize(hanging_faces.row.size());
  row_b_.resize(hanging_faces.row.size() * width);
  const View<float> x = x_.view(), b = b_.view();
  parallel_for("clear vectors", size, [=](std::size_t p) { x[p] = b[p] = 0; });

  const View<const Real> exact = matrix.view().fraction;
  fraction_.resize(exact.size());
  const View<ShortFloat> fraction = fraction_.view();
  parallel_for("shorten fractions", exact.size(),
               [=](std::size_t i) { fraction[i] = ShortFloat(static_cast<float>(exact[i])); });

  const View<float> inverse = inverse_diagonal_.view();
  const View<const float> diagonal = matrix.view().coarse_diagonal;
  parallel_for("copy diagonal", cells, [=](std::size_t p) { inverse[p] = diagonal[p]; });
  set_up_fragments();
  for (const SiblingLevel& level : matrix.sibling_blocks().levels())
    add_hanging_faces_to_diagonal(level);
  parallel_for("invert diagonal", size,
               [=](std::size_t p) { inverse[p] = inverse[p] > 0 ? 1.0f / inverse[p] : 0.0f; });
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
  v_cycle(
      matrix_->sibling_blocks().levels().size(), [&](std::size_t l) { descend(l); },
      [&](std::size_t l) { ascend(l); });
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::descend(std::size_t level) {
  meet_hanging_faces_downward(level);
  relax(level, false);
  leave_hanging_faces_downward(level);
  if (level > 0) restrict_residual(level);
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::ascend(std::size_t level) {
  if (level > 0) prolong(level);
  meet_hanging_faces_upward(level);
  relax(level, true);
  leave_hanging_faces_upward(level);
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::relax(std::size_t level, bool upward) {
  const auto& levels = matrix_->sibling_blocks().levels();
  const SiblingLevel& l = levels[level];
  const int sweeps = sweeps_of<Dim>(levels, level, matrix_->level_cell_count());
  sweep_red_black(sweeps, upward, [&](int color, bool from_zero) {
    if (!from_zero) add_links(l, color);
    relax_sibling_blocks(l, color, from_zero);
    relax_fragments(l, color, from_zero);
    if (!from_zero) remove_links(l, color);
  });
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::relax_sibling_blocks(const SiblingLevel& level, int color,
                                                bool from_zero) {
  const LevelView view = level_view(level);
  const View<const std::uint8_t> active = view.matrix.active;
  if (from_zero)
    for_each_active("relax from zero", level, active, [&](std::size_t f) { view.start(f); });
  else if (color == 0)
    for_each_active("relax", level, active, [&](std::size_t f) { view.template relax<0>(f); });
  else
    for_each_active("relax", level, active, [&](std::size_t f) { view.template relax<1>(f); });
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::restrict_residual(std::size_t level) {
  const SiblingLevel& l = matrix_->sibling_blocks().levels()[level];
  const LevelView view = level_view(l);
  const View<const LevelCellId> parent =
      parent_.empty() ? view.matrix.sibling_blocks.parent : parent_.view();
  for (int color = 0; color < 2; ++color) add_links(l, color);
  for_each_active("restrict residual", l, matrix_->view().active, [&](std::size_t f) {
    if (parent[f].is_none()) return;
    const auto sum = view.template residual<0>(f) + view.template residual<1>(f);
    view.b[parent[f]] = view.full * sum_lanes(sum);
  });
  restrict_special(l);
  for (int color = 0; color < 2; ++color) remove_links(l, color);
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::prolong(std::size_t level) {
  const SiblingLevel& l = matrix_->sibling_blocks().levels()[level];
  const LevelView view = level_view(l);
  const View<const LevelCellId> parent =
      parent_.empty() ? view.matrix.sibling_blocks.parent : parent_.view();
  for_each_active("prolong correction", l, matrix_->view().active, [&](std::size_t f) {
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
