#include "octavo/pressure/components.h"

#include <cmath>

namespace octavo {
template <int Dim, class Real>
void ClosedComponents<Dim, Real>::build(const PressureMatrix<Dim, Real>& matrix) {
  matrix_ = &matrix;
  label_.resize(0);
  volume_.clear();
  if (matrix.liquid_leaves() == 0) return;
  if (matrix.fragments().empty()) {
    if (matrix.surface_terms() > 0) return;
    volume_.assign(1, 0.0);
  } else {
    name_parts();
  }
  volume_ = sums([](std::size_t, double volume) { return volume; });
}

// Names are given to the parts that have no parent, then from the topmost level down.
template <int Dim, class Real>
void ClosedComponents<Dim, Real>::name_parts() {
  const Fragments<Dim>& fragments = matrix_->fragments();
  const SiblingBlocksView<Dim> sibling_blocks = matrix_->sibling_blocks().view();
  label_.resize(matrix_->vector_size());
  const View<std::uint32_t> label = label_.view();
  std::uint32_t count = 0;
  const std::uint32_t whole = matrix_->surface_terms() > 0 ? open : count++;
  for (std::size_t k = 0; k < fragments.count(); ++k)
    if (!fragments.has_parent(k))
      label[fragments.index(k)] = fragments.fragment(k).dirichlet > 0 ? open : count++;

  for (const SiblingLevel& level : matrix_->sibling_blocks().levels()) {
    parallel_for("name parts", level.end - level.begin, [=](std::size_t i) {
      const LevelCellId above = sibling_blocks.parent[level.begin + i];
      const std::uint32_t name = above.is_none() ? whole : label[above];
      for (std::size_t d = 0; d < width; ++d) label[(level.begin + i) * width + d] = name;
    });
    const auto& special = fragments.level(level.depth).special;
    parallel_for("name fragments", special.end - special.begin, [&](std::size_t i) {
      const SpecialSiblingBlock<Dim>& s = fragments.special(special.begin + i);
      auto name = [&](std::uint32_t target) {
        return target == fragments.everything ? whole : label[target];
      };
      for (std::size_t d = 0; d < width; ++d)
        label[std::size_t{s.sibling_block} * width + d] = name(s.target[d]);
      for (std::uint32_t k = s.fragment_begin; k < s.fragment_end; ++k)
        if (fragments.has_parent(k))
          label[fragments.index(std::size_t{k})] = name(fragments.fragment(k).parent);
    });
  }
  volume_.assign(count, 0.0);
}

// Calls f(block, cell, volume) for the liquid leaves of closed components; a block is one thread's.
template <int Dim, class Real>
template <class F>
void ClosedComponents<Dim, Real>::for_each_leaf(const char* name, F&& f) const {
  const auto leaves = matrix_->view().leaves;
  std::size_t first_block = 0;
  for (const SiblingLevel& level : matrix_->sibling_blocks().levels()) {
    if (level.depth < 0) continue;
    const double volume = std::pow(level.size, Dim);
    parallel_blocks(
        name, level.end - level.begin,
        [&](std::size_t b, std::size_t begin, std::size_t end) {
          for (std::size_t sibling_block = level.begin + begin; sibling_block < level.begin + end;
               ++sibling_block)
            for (std::size_t d = 0; d < width; ++d)
              if (((leaves[sibling_block] >> d) & 1) != 0 &&
                  label(sibling_block * width + d) != open)
                f(first_block + b, sibling_block * width + d, volume);
        },
        sibling_blocks_at_once);
    first_block += block_count(level.end - level.begin, sibling_blocks_at_once);
  }
}

// This sums value(cell, volume), in runs of one label, block after block; the result
// is the same for any number of threads.
template <int Dim, class Real>
template <class Value>
std::vector<double> ClosedComponents<Dim, Real>::sums(Value&& value) const {
  struct Run {
    std::uint32_t label;
    double sum;
  };
  std::size_t blocks = 0;
  for (const SiblingLevel& level : matrix_->sibling_blocks().levels())
    blocks += level.depth < 0 ? 0 : block_count(level.end - level.begin, sibling_blocks_at_once);
  std::vector<std::vector<Run>> runs(blocks);
  for_each_leaf("sum over components",
                [&](std::size_t block, std::size_t level_cell, double volume) {
                  std::vector<Run>& here = runs[block];
                  if (here.empty() || here.back().label != label(level_cell))
                    here.push_back({label(level_cell), 0.0});
                  here.back().sum += value(level_cell, volume);
                });
  std::vector<double> sum(volume_.size(), 0.0);
  for (const auto& block : runs)
    for (const Run& run : block) sum[run.label] += run.sum;
  return sum;
}

template <int Dim, class Real>
double ClosedComponents<Dim, Real>::remove_mean_inflow(View<double> inflow) const {
  if (count() == 0) return 0;
  std::vector<double> mean =
      sums([=](std::size_t level_cell, double) { return inflow[level_cell]; });
  double largest = 0;
  for (std::size_t c = 0; c < mean.size(); ++c) {
    mean[c] = volume_[c] > 0 ? mean[c] / volume_[c] : 0;
    largest = std::max(largest, std::abs(mean[c]));
  }
  for_each_leaf("remove mean inflow", [&](std::size_t, std::size_t level_cell, double volume) {
    inflow[level_cell] -= mean[label(level_cell)] * volume;
  });
  return largest;
}

template <int Dim, class Real>
void ClosedComponents<Dim, Real>::remove_mean_pressure(View<double> pressure) const {
  if (count() == 0) return;
  const std::vector<double> sum =
      sums([=](std::size_t level_cell, double volume) { return volume * pressure[level_cell]; });
  for_each_leaf("remove mean pressure", [&](std::size_t, std::size_t level_cell, double) {
    pressure[level_cell] -= sum[label(level_cell)] / volume_[label(level_cell)];
  });
}

template class ClosedComponents<2, float>;
template class ClosedComponents<3, float>;
template class ClosedComponents<2, double>;
template class ClosedComponents<3, double>;

}  // namespace octavo
