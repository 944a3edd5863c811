#pragma once

// One level of the multigrid as its kernels see it: Gauss-Seidel and residual of a whole family.

#include "octavo/solvers/family_lanes.h"
#include "octavo/solvers/multigrid.h"

namespace octavo {

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

}  // namespace octavo
