#pragma once

// One level of the multigrid as its kernels see it: Gauss-Seidel and residual of a family, the members of
// one colour at a time.

#include "octavo/solvers/family_lanes.h"
#include "octavo/solvers/multigrid.h"

namespace octavo {

// What a kernel needs to know of a level.
template <int Dim, class Real>
struct Multigrid<Dim, Real>::LevelView {
  using L = Lanes<Dim, float>;
  PressureMatrixView<Dim, Real> matrix;
  const float* inverse_diagonal;
  const ShortFloat* fraction;
  float* x;
  float* b;
  float full, scale;  // h^(Dim-2), and its inverse

  template <int Color>
  static std::size_t at(std::size_t family) {
    return family * width + (Color == 0 ? 0 : width / 2);
  }

  const ShortFloat* block_of(std::size_t family) const {
    const std::size_t block = matrix.block[family];
    return block == no_block ? nullptr : fraction + block * block_size<Dim>;
  }

  // The solution of the members' equations: (b + sum of neighbours) / diagonal.
  template <int Color>
  L solve(std::size_t family) const {
    const std::size_t i = at<Color>(family);
    const L sum = sum_neighbors<Dim, Color, float>(
        x, &matrix.families.neighbor[family * side_count<Dim>], family, block_of(family));
    return (sum + scale * load_lanes<Dim>(b + i)) * load_lanes<Dim>(inverse_diagonal + i);
  }

  template <int Color>
  void relax(std::size_t family) const {
    const std::size_t i = at<Color>(family);
    const L old = load_lanes<Dim>(x + i);
    store_lanes<Dim>(x + i, old + over_relaxation * (solve<Color>(family) - old));
  }

  // The same from zero, for red; the black members become zero.
  void start(std::size_t family) const {
    const std::size_t i = at<0>(family);
    store_lanes<Dim>(x + i, over_relaxation * scale * load_lanes<Dim>(b + i) *
                                load_lanes<Dim>(inverse_diagonal + i));
    store_lanes<Dim>(x + at<1>(family), L{});
  }

  // In units of h^(Dim-2).
  template <int Color>
  L residual(std::size_t family) const {
    const std::size_t i = at<Color>(family);
    const L inverse = load_lanes<Dim>(inverse_diagonal + i);
    return where_positive(inverse, (solve<Color>(family) - load_lanes<Dim>(x + i)) / inverse);
  }

  void add_to_all(std::size_t family, float value) const {
    auto add = [&](std::size_t i) {
      const L inverse = load_lanes<Dim>(inverse_diagonal + i);
      store_lanes<Dim>(x + i, load_lanes<Dim>(x + i) + where_positive(inverse, value + L{}));
    };
    add(at<0>(family));
    add(at<1>(family));
  }
};

}  // namespace octavo
