// The multigrid treats fragments here, of which there are few. What a part shares with others beside the
// structure of sibling blocks is added to the right-hand side while its colour is relaxed: the other end of a
// link has the other colour.

#include "octavo/pressure/gauss_seidel.h"

namespace octavo {

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

  // Special sibling blocks have no parent that is all of theirs.
  const SiblingBlocksView<Dim> sibling_blocks = matrix_->sibling_blocks().view();
  parent_.resize(sibling_blocks.sibling_block_count() + 1);
  const View<LevelCellId> parent = parent_.view();
  parallel_for("copy parents", parent.size(),
               [=](std::size_t f) { parent[f] = sibling_blocks.parent[f]; });
  for (std::size_t k = 0; k < fragments.special_count(); ++k)
    parent[fragments.special(k).sibling_block] = LevelCellId::none();
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::add_links(const SiblingLevel& level, int color) {
  const Fragments<Dim>& fragments = matrix_->fragments();
  const auto& rows = fragments.level(level.depth).rows[static_cast<std::size_t>(color)];
  const auto full = static_cast<float>(matrix_->full_coefficient(level.size));
  const View<float> b = b_.view(), link_b = link_b_.view();
  const View<const float> x = x_.view();
  parallel_for("add links", rows.end - rows.begin, [&](std::size_t i) {
    const View<const PartLink> row = fragments.row(rows.begin + i);
    float sum = 0;
    for (const PartLink& link : row) sum += link.open * x[link.to];
    link_b[rows.begin + i] = b[row[0].from];
    b[row[0].from] += full * sum;
  });
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::remove_links(const SiblingLevel& level, int color) {
  const Fragments<Dim>& fragments = matrix_->fragments();
  const auto& rows = fragments.level(level.depth).rows[static_cast<std::size_t>(color)];
  const View<float> b = b_.view();
  const View<const float> link_b = link_b_.view();
  parallel_for("remove links", rows.end - rows.begin, [&](std::size_t i) {
    b[fragments.row(rows.begin + i)[0].from] = link_b[rows.begin + i];
  });
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::relax_fragments(const SiblingLevel& level, int color, bool from_zero) {
  const Fragments<Dim>& fragments = matrix_->fragments();
  const auto& range = fragments.level(level.depth).fragments;
  const auto scale = static_cast<float>(1 / matrix_->full_coefficient(level.size));
  parallel_for("relax fragments", range.end - range.begin, [&](std::size_t i) {
    const std::uint32_t k = fragments.index(range.begin + i);
    if (from_zero) x_[k] = 0;
    if (fragments.color(k) == color)
      x_[k] += over_relaxation * (b_[k] * scale * inverse_diagonal_[k] - x_[k]);
  });
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::restrict_special(const SiblingLevel& level) {
  const Fragments<Dim>& fragments = matrix_->fragments();
  const auto& range = fragments.level(level.depth).special;
  const LevelView view = level_view(level);
  parallel_for("restrict to parts", range.end - range.begin, [&](std::size_t i) {
    const SpecialSiblingBlock<Dim>& s = fragments.special(range.begin + i);
    alignas(Lanes<Dim, float>) float r[width];
    store_lanes<Dim>(r, view.template residual<0>(s.sibling_block));
    store_lanes<Dim>(r + width / 2, view.template residual<1>(s.sibling_block));
    for (const std::uint32_t target : s.target) view.b[target] = 0;
    for (std::uint32_t k = s.fragment_begin; k < s.fragment_end; ++k)
      if (fragments.has_parent(k)) view.b[fragments.fragment(k).parent] = 0;
    for (int slot = 0; slot < width; ++slot) view.b[s.target[slot]] += view.full * r[slot];
    for (std::uint32_t k = s.fragment_begin; k < s.fragment_end; ++k) {
      const std::uint32_t j = fragments.index(std::size_t{k});
      const float inverse = view.inverse_diagonal[j];
      if (fragments.has_parent(k) && inverse > 0)
        view.b[fragments.fragment(k).parent] += view.b[j] - view.full * view.x[j] / inverse;
    }
  });
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::prolong_special(const SiblingLevel& level) {
  const Fragments<Dim>& fragments = matrix_->fragments();
  const auto& range = fragments.level(level.depth).special;
  const LevelView view = level_view(level);
  parallel_for("prolong to parts", range.end - range.begin, [&](std::size_t i) {
    const SpecialSiblingBlock<Dim>& s = fragments.special(range.begin + i);
    auto add = [&](std::size_t index, std::uint32_t from) {
      if (view.inverse_diagonal[index] > 0) view.x[index] += view.x[from];
    };
    for (std::size_t slot = 0; slot < width; ++slot)
      add(std::size_t{s.sibling_block} * width + slot, s.target[slot]);
    for (std::uint32_t k = s.fragment_begin; k < s.fragment_end; ++k)
      if (fragments.has_parent(k))
        add(fragments.index(std::size_t{k}), fragments.fragment(k).parent);
  });
}

template class Multigrid<2, float>;
template class Multigrid<3, float>;
template class Multigrid<2, double>;
template class Multigrid<3, double>;

}  // namespace octavo
