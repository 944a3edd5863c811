#pragma once

// Closed components are the parts of the fluid that no open wall and no free surface touches. In each of them
// the pressure is known up to a constant only, and what flows in through walls and solids must flow out again.
//
// The multigrid's parts (fragments.h) are connected by construction, so that its topmost parts, and
// those without an open side, are the components; their names are handed down to the leaves.

#include <vector>

#include "octavo/pressure/pressure_matrix.h"

namespace octavo {

template <int Dim, class Real>
class ClosedComponents {
 public:
  static constexpr int width = child_count<Dim>;

  // The matrix must outlive this.
  void build(const PressureMatrix<Dim, Real>& matrix);

  std::size_t count() const { return volume_.size(); }

  // These work on vectors over cells. What flows into leaves is made to sum up to zero in each component, by
  // taking away the same from each volume; the largest mean inflow is returned, 1/s. A pressure is shifted to
  // mean zero in each component.
  double remove_mean_inflow(View<double> inflow) const;
  void remove_mean_pressure(View<double> pressure) const;

  std::size_t bytes() const { return label_.bytes(); }

 private:
  static constexpr std::uint32_t open = 0xffffffffu;

  void name_parts();
  template <class Value>
  std::vector<double> sums(Value&& value) const;
  template <class F>
  void for_each_leaf(const char* label, F&& f) const;
  std::uint32_t label(std::size_t level_cell) const {
    return label_.empty() ? 0 : label_[level_cell];
  }

  const PressureMatrix<Dim, Real>* matrix_ = nullptr;
  Buffer<std::uint32_t> label_;  // of each cell and fragment; empty if all is one closed component
  std::vector<double> volume_;
};

extern template class ClosedComponents<2, float>;
extern template class ClosedComponents<3, float>;
extern template class ClosedComponents<2, double>;
extern template class ClosedComponents<3, double>;

}  // namespace octavo
