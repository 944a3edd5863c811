#include "octavo/solvers/multigrid.h"

#include <bit>

#include "octavo/solvers/family_lanes.h"

namespace octavo {
namespace {

constexpr float over_relaxation = 1.15f;
constexpr std::size_t family_block = 512;

}  // namespace

// What a kernel needs to know of a level.
template <int Dim, class Real>
struct Multigrid<Dim, Real>::LevelView {
  PressureMatrixView<Dim, Real> matrix;
  const float* inverse_diagonal;
  float* x;
  float* b;
  float full, scale;  // h^(Dim-2), and its inverse

  static std::size_t at(std::size_t family, int part) {
    return family * width + 4 * static_cast<std::size_t>(part);
  }

  // b + sum of neighbours, in units of h^(Dim-2).
  FamilyLanes<Dim> pull(std::size_t family) const {
    const std::uint32_t block = matrix.block[family];
    const Real* fraction = block == matrix.no_block
                               ? nullptr
                               : &matrix.fraction[std::size_t{block} * matrix.block_size];
    FamilyLanes<Dim> s = sum_neighbors<Dim, Real>(
        x, &matrix.families.neighbor[family * side_count<Dim>], family, fraction);
    for (int p = 0; p < register_count<Dim>; ++p)
      s.part[p] += all_lanes(scale) * load_lanes(b + at(family, p));
    return s;
  }

  void relax(std::size_t family, const FamilyLanes<Dim>& color) const {
    const FamilyLanes<Dim> s = pull(family);
    for (int p = 0; p < register_count<Dim>; ++p) {
      const std::size_t i = at(family, p);
      const Lanes old = load_lanes(x + i);
      store_lanes(x + i,
                  old + color.part[p] * (s.part[p] * load_lanes(inverse_diagonal + i) - old));
    }
  }

  void start(std::size_t family, const FamilyLanes<Dim>& color) const {
    for (int p = 0; p < register_count<Dim>; ++p) {
      const std::size_t i = at(family, p);
      store_lanes(x + i, color.part[p] * all_lanes(scale) * load_lanes(b + i) *
                             load_lanes(inverse_diagonal + i));
    }
  }

  FamilyLanes<Dim> residual(std::size_t family) const {
    FamilyLanes<Dim> s = pull(family);
    for (int p = 0; p < register_count<Dim>; ++p) {
      const std::size_t i = at(family, p);
      const Lanes inverse = load_lanes(inverse_diagonal + i);
      s.part[p] = where_positive(inverse, (s.part[p] * inverse - load_lanes(x + i)) / inverse);
    }
    return s;
  }
};

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
  for (std::size_t p = places - width; p < places; ++p) x_[p] = b_[p] = 0;

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
  parallel_for("copy residual", r.size(), [=](std::size_t p) { b[p] = static_cast<float>(r[p]); });
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
          for (std::size_t f = l.begin + begin; f < l.begin + end; ++f)
            from_zero ? view.start(f, color) : view.relax(f, color);
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
  add_links(l, both_colors);
  parallel_blocks(
      "restrict residual", l.end - l.begin,
      [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t f = l.begin + begin; f < l.begin + end; ++f) {
          if (parent[f].is_none()) continue;
          const FamilyLanes<Dim> r = view.residual(f);
          float sum = 0;
          for (const Lanes& part : r.part) sum += sum_lanes(part);
          view.b[parent[f]] = view.full * sum;
        }
      },
      family_block);
  restrict_special(l);
  remove_links(l, both_colors);
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
          if (parent[f].is_none()) continue;
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

// Fragments are few. What they share with their neighbours is added to the right-hand side while a
// colour is relaxed: the other end of a link has the other colour.

template <int Dim, class Real>
void Multigrid<Dim, Real>::set_up_fragments() {
  const Fragments<Dim>& fragments = matrix_->fragments();
  link_b_.resize(fragments.row_count());
  parent_.resize(0);
  if (fragments.empty()) return;
  for (std::size_t k = 0; k < fragments.count(); ++k)
    inverse_diagonal_[fragments.index(k)] = fragments.fragment(k).dirichlet;
  for (std::size_t r = 0; r < fragments.row_count(); ++r)
    for (const PartLink& link : fragments.row(r))
      if (fragments.is_fragment(link.from)) inverse_diagonal_[link.from] += link.open;

  // Special families have no parent that is all of theirs.
  const FamiliesView<Dim> families = matrix_->families().view();
  parent_.resize(families.family_count() + 1);
  const View<PlaceId> parent = parent_.view();
  parallel_for("copy parents", parent.size(),
               [=](std::size_t f) { parent[f] = families.parent[f]; });
  for (std::size_t k = 0; k < fragments.special_count(); ++k)
    parent[fragments.special(k).family] = PlaceId::none();
}

template <int Dim, class Real>
int Multigrid<Dim, Real>::color(std::uint32_t index) const {
  const Fragments<Dim>& fragments = matrix_->fragments();
  if (fragments.is_fragment(index)) index = fragments.fragment(fragments.fragment_of(index)).cell;
  return std::popcount(index % width) & 1;
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::add_links(const FamilyLevel& level, int which) {
  const Fragments<Dim>& fragments = matrix_->fragments();
  const auto& rows = fragments.level(level.depth).rows;
  const auto full = static_cast<float>(matrix_->full_coefficient(level.size));
  parallel_for("add links", rows.end - rows.begin, [&](std::size_t i) {
    const View<const PartLink> row = fragments.row(rows.begin + i);
    const std::uint32_t from = row[0].from;
    if (which != both_colors && color(from) != which) return;
    float sum = 0;
    for (const PartLink& link : row) sum += link.open * x_[link.to];
    link_b_[rows.begin + i] = b_[from];
    b_[from] += full * sum;
  });
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::remove_links(const FamilyLevel& level, int which) {
  const Fragments<Dim>& fragments = matrix_->fragments();
  const auto& rows = fragments.level(level.depth).rows;
  parallel_for("remove links", rows.end - rows.begin, [&](std::size_t i) {
    const std::uint32_t from = fragments.row(rows.begin + i)[0].from;
    if (which == both_colors || color(from) == which) b_[from] = link_b_[rows.begin + i];
  });
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::relax_fragments(const FamilyLevel& level, int which, bool from_zero) {
  const Fragments<Dim>& fragments = matrix_->fragments();
  const auto& range = fragments.level(level.depth).fragments;
  const auto scale = static_cast<float>(1 / matrix_->full_coefficient(level.size));
  parallel_for("relax fragments", range.end - range.begin, [&](std::size_t i) {
    const std::uint32_t k = fragments.index(range.begin + i);
    if (from_zero) x_[k] = 0;
    if (color(k) == which)
      x_[k] += over_relaxation * (b_[k] * scale * inverse_diagonal_[k] - x_[k]);
  });
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::restrict_special(const FamilyLevel& level) {
  const Fragments<Dim>& fragments = matrix_->fragments();
  const auto& range = fragments.level(level.depth).special;
  const LevelView view = level_view(level);
  parallel_for("restrict to parts", range.end - range.begin, [&](std::size_t i) {
    const SpecialFamily<Dim>& s = fragments.special(range.begin + i);
    const FamilyLanes<Dim> r = view.residual(s.family);
    for (const std::uint32_t target : s.target) view.b[target] = 0;
    for (std::uint32_t k = s.fragment_begin; k < s.fragment_end; ++k)
      if (fragments.has_parent(k)) view.b[fragments.fragment(k).parent] = 0;
    for (int digit = 0; digit < width; ++digit)
      view.b[s.target[digit]] += view.full * r.part[digit / 4][digit % 4];
    for (std::uint32_t k = s.fragment_begin; k < s.fragment_end; ++k) {
      const std::uint32_t j = fragments.index(std::size_t{k});
      const float inverse = view.inverse_diagonal[j];
      if (fragments.has_parent(k) && inverse > 0)
        view.b[fragments.fragment(k).parent] += view.b[j] - view.full * view.x[j] / inverse;
    }
  });
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::prolong_special(const FamilyLevel& level) {
  const Fragments<Dim>& fragments = matrix_->fragments();
  const auto& range = fragments.level(level.depth).special;
  const LevelView view = level_view(level);
  parallel_for("prolong to parts", range.end - range.begin, [&](std::size_t i) {
    const SpecialFamily<Dim>& s = fragments.special(range.begin + i);
    auto add = [&](std::size_t index, std::uint32_t from) {
      if (view.inverse_diagonal[index] > 0) view.x[index] += view.x[from];
    };
    for (std::size_t digit = 0; digit < width; ++digit)
      add(std::size_t{s.family} * width + digit, s.target[digit]);
    for (std::uint32_t k = s.fragment_begin; k < s.fragment_end; ++k)
      if (fragments.has_parent(k))
        add(fragments.index(std::size_t{k}), fragments.fragment(k).parent);
  });
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
