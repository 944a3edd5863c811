#pragma once

// The parts of the fluid that no open wall and no free surface touches: closed components. In each
// of them the pressure is known up to a constant only, and what flows in through walls and solids
// must flow out again. Leaves that are cut off from everything are components of their own.

#include <vector>

#include "octavo/operators/pressure_faces.h"

namespace octavo {

template <int Dim, class Real>
class ClosedComponents {
 public:
  void build(const PressureFaces<Dim, Real>& faces);

  std::size_t count() const { return volume_.size(); }

  // Makes the mean over each component zero: value(leaf) is taken per volume, and subtract(leaf,
  // mean) is to take it away. Returns the largest mean.
  template <class Value, class Subtract>
  double remove_means(const Value& value, const Subtract& subtract) const;

  std::size_t bytes() const { return label_.bytes(); }

 private:
  static constexpr std::uint32_t open = 0xffffffffu;

  std::uint32_t label(std::size_t leaf) const { return label_.empty() ? 0 : label_[leaf]; }
  template <class Value>
  std::vector<double> sums(const Value& value) const;
  void join(const PressureFaces<Dim, Real>& faces);
  void number(const PressureFaces<Dim, Real>& faces);

  MeshView<Dim> mesh_;
  Buffer<std::uint32_t> label_;  // of each leaf; empty if all leaves are one closed component
  std::vector<double> volume_;
};

// Sums over leaves in runs of one label, block after block: the same for any number of threads.
template <int Dim, class Real>
template <class Value>
std::vector<double> ClosedComponents<Dim, Real>::sums(const Value& value) const {
  struct Run {
    std::uint32_t label;
    double sum;
  };
  const std::size_t n = mesh_.leaf_count();
  std::vector<std::vector<Run>> parts(block_count(n));
  parallel_blocks("sum over components", n, [&](std::size_t b, std::size_t begin, std::size_t end) {
    Run run{open, 0};
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t here = label(i);
      if (here == open) continue;
      if (here != run.label) {
        if (run.label != open) parts[b].push_back(run);
        run = {here, 0};
      }
      run.sum += value(LeafId(i));
    }
    if (run.label != open) parts[b].push_back(run);
  });
  std::vector<double> sum(volume_.size(), 0.0);
  for (const auto& part : parts)
    for (const Run& run : part) sum[run.label] += run.sum;
  return sum;
}

template <int Dim, class Real>
template <class Value, class Subtract>
double ClosedComponents<Dim, Real>::remove_means(const Value& value,
                                                 const Subtract& subtract) const {
  if (count() == 0) return 0;
  std::vector<double> mean = sums(value);
  double largest = 0;
  for (std::size_t c = 0; c < mean.size(); ++c) {
    mean[c] /= volume_[c];
    largest = std::max(largest, std::abs(mean[c]));
  }
  parallel_for("remove means", mesh_.leaf_count(), [&](std::size_t i) {
    if (label(i) != open) subtract(LeafId(i), mean[label(i)]);
  });
  return largest;
}

extern template class ClosedComponents<2, float>;
extern template class ClosedComponents<3, float>;
extern template class ClosedComponents<2, double>;
extern template class ClosedComponents<3, double>;

}  // namespace octavo
