#pragma once

// The members of a family as vector registers of four: sums over face neighbours without an index
// per cell. Members 0 to 3 are one register, 4 to 7 (3D) another; a neighbour along x or y is a
// shuffle within a register, along z the other register.

#include <cstddef>

#include "octavo/solvers/families.h"

namespace octavo {

using Lanes [[gnu::vector_size(16)]] = float;

template <int Dim>
inline constexpr int register_count = Dim == 2 ? 1 : 2;

template <int Dim>
struct FamilyLanes {
  Lanes part[register_count<Dim>];
};

// A register holds both colours. While one is relaxed, a thread stores the other back as it was, and
// threads beside it load registers of which they use the colour that nobody changes: the same bits
// for any number of threads, but not for the thread sanitizer, which is told to look away.
#ifdef OCTAVO_THREAD_SANITIZER
#define OCTAVO_BOTH_COLORS __attribute__((no_sanitize("thread"), noinline))
#else
#define OCTAVO_BOTH_COLORS
#endif

OCTAVO_BOTH_COLORS inline Lanes load_lanes(const float* p) {
  return *reinterpret_cast<const Lanes*>(p);
}
OCTAVO_BOTH_COLORS inline void store_lanes(float* p, Lanes v) { *reinterpret_cast<Lanes*>(p) = v; }
inline Lanes convert_lanes(const float* p) { return load_lanes(p); }
inline Lanes convert_lanes(const double* p) {
  return Lanes{static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2]),
               static_cast<float>(p[3])};
}
inline Lanes all_lanes(float v) { return Lanes{v, v, v, v}; }
inline float sum_lanes(Lanes v) { return (v[0] + v[1]) + (v[2] + v[3]); }

// value where condition > 0, else 0.
inline Lanes where_positive(Lanes condition, Lanes value) {
  return condition > all_lanes(0) ? value : all_lanes(0);
}

// 1 for the members of one colour, the parity of the digits' bits: 0, 3, 5 and 6 are red.
template <int Dim>
constexpr FamilyLanes<Dim> color_lanes(bool red, float value) {
  const float r = red ? value : 0, k = red ? 0 : value;
  if constexpr (Dim == 2)
    return {{Lanes{r, k, k, r}}};
  else
    return {{Lanes{r, k, k, r}, Lanes{k, r, r, k}}};
}

// sum over the faces of every member of fraction * x across it. `fraction` as in a block of the
// pressure matrix, or null where all faces are open.
template <int Dim, class Real>
inline FamilyLanes<Dim> sum_neighbors(const float* x, const FamilyId* neighbor, std::size_t family,
                                      const Real* fraction) {
  constexpr std::size_t width = child_count<Dim>;
  auto lanes = [&](std::size_t f, int part) { return load_lanes(x + f * width + 4 * part); };
  FamilyLanes<Dim> sum{};
  for (int p = 0; p < register_count<Dim>; ++p) {
    const Lanes own = lanes(family, p);
    const Lanes x0 = lanes(neighbor[0], p), x1 = lanes(neighbor[1], p);
    const Lanes y0 = lanes(neighbor[2], p), y1 = lanes(neighbor[3], p);
    Lanes term[2 * Dim];
    term[0] = __builtin_shufflevector(own, own, 1, 0, 3, 2);
    term[1] = __builtin_shufflevector(x0, x1, 1, 4, 3, 6);
    term[2] = __builtin_shufflevector(own, own, 2, 3, 0, 1);
    term[3] = __builtin_shufflevector(y0, y1, 2, 3, 4, 5);
    if constexpr (Dim == 3) {
      term[4] = lanes(family, 1 - p);
      term[5] = lanes(neighbor[4 + p], 1 - p);
    }
    Lanes s = all_lanes(0);
    if (fraction == nullptr)
      for (const Lanes& t : term) s += t;
    else
      for (int k = 0; k < 2 * Dim; ++k)
        s += convert_lanes(fraction + static_cast<std::size_t>(k) * width + 4 * p) * term[k];
    sum.part[p] = s;
  }
  return sum;
}

}  // namespace octavo
