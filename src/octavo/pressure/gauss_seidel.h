#pragma once

// The multigrid's kernels see one level like this: they do Gauss-Seidel and the residual of a sibling block,
// the members of one colour at a time.

#include "octavo/multigrid/sibling_lanes.h"
#include "octavo/pressure/multigrid.h"

namespace octavo {

// This is what a kernel needs to know of a level.
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
  static std::size_t at(std::size_t sibling_block) {
    return sibling_block * width + (Color == 0 ? 0 : width / 2);
  }

  const ShortFloat* block_of(std::size_t sibling_block) const {
    const std::size_t block = matrix.block[sibling_block];
    return block == no_block ? nullptr : fraction + block * block_size<Dim>;
  }

  // The members' equations have the solution (b + sum of neighbours) / diagonal.
  template <int Color>
  L solve(std::size_t sibling_block) const {
    const std::size_t i = at<Color>(sibling_block);
    const L sum = sum_neighbors<Dim, Color, float>(
        x, &matrix.sibling_blocks.neighbor[sibling_block * side_count<Dim>], sibling_block,
        block_of(sibling_block));
    return (sum + scale * load_lanes<Dim>(b + i)) * load_lanes<Dim>(inverse_diagonal + i);
  }

  template <int Color>
  void relax(std::size_t sibling_block) const {
    const std::size_t i = at<Color>(sibling_block);
    const L old = load_lanes<Dim>(x + i);
    store_lanes<Dim>(x + i, old + over_relaxation * (solve<Color>(sibling_block) - old));
  }

  // This does the same from zero, for red; the black members become zero.
  void start(std::size_t sibling_block) const {
    const std::size_t i = at<0>(sibling_block);
    store_lanes<Dim>(x + i, over_relaxation * scale * load_lanes<Dim>(b + i) *
                                load_lanes<Dim>(inverse_diagonal + i));
    store_lanes<Dim>(x + at<1>(sibling_block), L{});
  }

  // The sum is in units of h^(Dim-2).
  template <int Color>
  L residual(std::size_t sibling_block) const {
    const std::size_t i = at<Color>(sibling_block);
    const L inverse = load_lanes<Dim>(inverse_diagonal + i);
    return where_positive(inverse,
                          (solve<Color>(sibling_block) - load_lanes<Dim>(x + i)) / inverse);
  }

  void add_to_all(std::size_t sibling_block, float value) const {
    auto add = [&](std::size_t i) {
      const L inverse = load_lanes<Dim>(inverse_diagonal + i);
      store_lanes<Dim>(x + i, load_lanes<Dim>(x + i) + where_positive(inverse, value + L{}));
    };
    add(at<0>(sibling_block));
    add(at<1>(sibling_block));
  }
};

}  // namespace octavo
