#include "octavo/solvers/components.h"

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

// Names for the parts that have no parent, then from the topmost level down.
template <int Dim, class Real>
void ClosedComponents<Dim, Real>::name_parts() {
  const Fragments<Dim>& fragments = matrix_->fragments();
  const FamiliesView<Dim> families = matrix_->families().view();
  label_.resize(matrix_->vector_size());
  const View<std::uint32_t> label = label_.view();
  std::uint32_t count = 0;
  const std::uint32_t whole = matrix_->surface_terms() > 0 ? open : count++;
  for (std::size_t k = 0; k < fragments.count(); ++k)
    if (!fragments.has_parent(k))
      label[fragments.index(k)] = fragments.fragment(k).dirichlet > 0 ? open : count++;

  for (const FamilyLevel& level : matrix_->families().levels()) {
    parallel_for("name parts", level.end - level.begin, [=](std::size_t i) {
      const PlaceId above = families.parent[level.begin + i];
      const std::uint32_t name = above.is_none() ? whole : label[above];
      for (std::size_t d = 0; d < width; ++d) label[(level.begin + i) * width + d] = name;
    });
    const auto& special = fragments.level(level.depth).special;
    parallel_for("name fragments", special.end - special.begin, [&](std::size_t i) {
      const SpecialFamily<Dim>& s = fragments.special(special.begin + i);
      auto name = [&](std::uint32_t target) {
        return target == fragments.everything ? whole : label[target];
      };
      for (std::size_t d = 0; d < width; ++d)
        label[std::size_t{s.family} * width + d] = name(s.target[d]);
      for (std::uint32_t k = s.fragment_begin; k < s.fragment_end; ++k)
        if (fragments.has_parent(k))
          label[fragments.index(std::size_t{k})] = name(fragments.fragment(k).parent);
    });
  }
  volume_.assign(count, 0.0);
}

// Calls f(block, place, volume) for the liquid leaves of closed components; a block is one thread's.
template <int Dim, class Real>
template <class F>
void ClosedComponents<Dim, Real>::for_each_leaf(const char* name, F&& f) const {
  const auto leaves = matrix_->view().leaves;
  std::size_t first_block = 0;
  for (const FamilyLevel& level : matrix_->families().levels()) {
    if (level.depth < 0) continue;
    const double volume = std::pow(level.size, Dim);
    parallel_blocks(
        name, level.end - level.begin,
        [&](std::size_t b, std::size_t begin, std::size_t end) {
          for (std::size_t family = level.begin + begin; family < level.begin + end; ++family)
            for (std::size_t d = 0; d < width; ++d)
              if (((leaves[family] >> d) & 1) != 0 && label(family * width + d) != open)
                f(first_block + b, family * width + d, volume);
        },
        family_block);
    first_block += block_count(level.end - level.begin, family_block);
  }
}

// Sums of value(place, volume), in runs of one label, block after block: the same for any number of
// threads.
template <int Dim, class Real>
template <class Value>
std::vector<double> ClosedComponents<Dim, Real>::sums(Value&& value) const {
  struct Run {
    std::uint32_t label;
    double sum;
  };
  std::size_t blocks = 0;
  for (const FamilyLevel& level : matrix_->families().levels())
    blocks += level.depth < 0 ? 0 : block_count(level.end - level.begin, family_block);
  std::vector<std::vector<Run>> runs(blocks);
  for_each_leaf("sum over components", [&](std::size_t block, std::size_t place, double volume) {
    std::vector<Run>& here = runs[block];
    if (here.empty() || here.back().label != label(place)) here.push_back({label(place), 0.0});
    here.back().sum += value(place, volume);
  });
  std::vector<double> sum(volume_.size(), 0.0);
  for (const auto& block : runs)
    for (const Run& run : block) sum[run.label] += run.sum;
  return sum;
}

template <int Dim, class Real>
double ClosedComponents<Dim, Real>::remove_mean_inflow(View<double> inflow) const {
  if (count() == 0) return 0;
  std::vector<double> mean = sums([=](std::size_t place, double) { return inflow[place]; });
  double largest = 0;
  for (std::size_t c = 0; c < mean.size(); ++c) {
    mean[c] = volume_[c] > 0 ? mean[c] / volume_[c] : 0;
    largest = std::max(largest, std::abs(mean[c]));
  }
  for_each_leaf("remove mean inflow", [&](std::size_t, std::size_t place, double volume) {
    inflow[place] -= mean[label(place)] * volume;
  });
  return largest;
}

template <int Dim, class Real>
void ClosedComponents<Dim, Real>::remove_mean_pressure(View<double> pressure) const {
  if (count() == 0) return;
  const std::vector<double> sum =
      sums([=](std::size_t place, double volume) { return volume * pressure[place]; });
  for_each_leaf("remove mean pressure", [&](std::size_t, std::size_t place, double) {
    pressure[place] -= sum[label(place)] / volume_[label(place)];
  });
}

template class ClosedComponents<2, float>;
template class ClosedComponents<3, float>;
template class ClosedComponents<2, double>;
template class ClosedComponents<3, double>;

}  // namespace octavo
