#include "octavo/solvers/multigrid_level.h"

namespace octavo {
namespace {

constexpr std::size_t family_block = 512;

}  // namespace

template <int Dim, class Real>
typename Multigrid<Dim, Real>::LevelView Multigrid<Dim, Real>::level_view(
    const FamilyLevel& level) {
  const double full = matrix_->full_coefficient(level.size);
  return {matrix_->view(), inverse_diagonal_.data(), x_.data(),
          b_.data(),       static_cast<float>(full), static_cast<float>(1 / full)};
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
  row_diagonal_.resize(joints.row_count());
  row_b_.resize(joints.row_count());
  const View<float> x = x_.view(), b = b_.view();
  parallel_for("clear vectors", size, [=](std::size_t p) { x[p] = b[p] = 0; });

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
void Multigrid<Dim, Real>::apply(View<const double> r) {
  const View<float> b = b_.view(), so_far = flow_so_far_.view();
  const auto leaves = matrix_->view().leaves;
  parallel_for("copy residual", leaves.size(), [=](std::size_t f) {
    if (leaves[f] == 0) return;
    for (std::size_t p = f * width; p < (f + 1) * width; ++p) b[p] = static_cast<float>(r[p]);
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

// Downward from zero and red first, upward from what there is and black first.
template <int Dim, class Real>
void Multigrid<Dim, Real>::relax(std::size_t level, bool upward) {
  const FamilyLevel& l = matrix_->families().levels()[level];
  const LevelView view = level_view(l);
  for (int half = 0; half < 2 * sweeps(level); ++half) {
    const bool red = (half % 2 == 0) != upward, from_zero = !upward && half == 0;
    const FamilyLanes<Dim> color = color_lanes<Dim>(red, over_relaxation);
    if (!from_zero) add_links(l, red ? 0 : 1);
    parallel_blocks(
        from_zero ? "relax from zero" : "relax", l.end - l.begin,
        [&](std::size_t, std::size_t begin, std::size_t end) {
          for (std::size_t f = l.begin + begin; f < l.begin + end; ++f) {
            if (view.matrix.active[f] == 0) continue;
            from_zero ? view.start(f, color) : view.relax(f, color);
          }
        },
        family_block);
    relax_fragments(l, red ? 0 : 1, from_zero);
    if (!from_zero) remove_links(l, red ? 0 : 1);
  }
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::restrict_residual(std::size_t level) {
  const FamilyLevel& l = matrix_->families().levels()[level];
  const LevelView view = level_view(l);
  const View<const PlaceId> parent = parent_.empty() ? view.matrix.families.parent : parent_.view();
  for (int color = 0; color < 2; ++color) add_links(l, color);
  parallel_blocks(
      "restrict residual", l.end - l.begin,
      [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t f = l.begin + begin; f < l.begin + end; ++f) {
          if (view.matrix.active[f] == 0 || parent[f].is_none()) continue;
          const FamilyLanes<Dim> r = view.residual(f);
          float sum = 0;
          for (const Lanes& part : r.part) sum += sum_lanes(part);
          view.b[parent[f]] = view.full * sum;
        }
      },
      family_block);
  restrict_special(l);
  for (int color = 0; color < 2; ++color) remove_links(l, color);
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::prolong(std::size_t level) {
  const FamilyLevel& l = matrix_->families().levels()[level];
  const LevelView view = level_view(l);
  const View<const PlaceId> parent = parent_.empty() ? view.matrix.families.parent : parent_.view();
  parallel_blocks(
      "prolong correction", l.end - l.begin,
      [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t f = l.begin + begin; f < l.begin + end; ++f) {
          if (view.matrix.active[f] == 0 || parent[f].is_none()) continue;
          const Lanes above = all_lanes(view.x[parent[f]]);
          for (int p = 0; p < register_count<Dim>; ++p) {
            const std::size_t i = view.at(f, p);
            store_lanes(view.x + i,
                        load_lanes(view.x + i) +
                            where_positive(load_lanes(view.inverse_diagonal + i), above));
          }
        }
      },
      family_block);
  prolong_special(l);
}

template <int Dim, class Real>
std::size_t Multigrid<Dim, Real>::bytes() const {
  return x_.bytes() + b_.bytes() + inverse_diagonal_.bytes() + flow_.bytes() +
         flow_so_far_.bytes() + rise_.bytes() + row_diagonal_.bytes() + row_b_.bytes() +
         link_b_.bytes() + parent_.bytes();
}

template class Multigrid<2, float>;
template class Multigrid<3, float>;
template class Multigrid<2, double>;
template class Multigrid<3, double>;

}  // namespace octavo
