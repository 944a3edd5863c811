#pragma once

// The members of a sibling block are seen as vectors, one for each colour; they sum over face neighbours
// without an index per cell. Neighbours have the other colour; along x they have the same lane, along y and z a
// shuffle brings them there.

#include <cstddef>

#include "octavo/multigrid/short_float.h"
#include "octavo/multigrid/sibling_blocks.h"

namespace octavo {

template <class T, int Count>
struct VectorOf {
  using type [[gnu::vector_size(sizeof(T) * Count)]] = T;
};
template <class T, int Count>
using Vector = typename VectorOf<T, Count>::type;

// These are four doubles as two registers, which any processor has.
struct DoubleLanes {
  Vector<double, 2> low, high;
};
inline DoubleLanes operator+(const DoubleLanes& p, const DoubleLanes& q) {
  return {p.low + q.low, p.high + q.high};
}
inline DoubleLanes operator-(const DoubleLanes& p, const DoubleLanes& q) {
  return {p.low - q.low, p.high - q.high};
}
inline DoubleLanes operator*(const DoubleLanes& p, const DoubleLanes& q) {
  return {p.low * q.low, p.high * q.high};
}
inline DoubleLanes operator*(double s, const DoubleLanes& p) { return {s * p.low, s * p.high}; }

// One colour of a sibling block has four lanes, in 2D two.
template <int Dim, class T>
using Lanes = std::conditional_t<Dim == 3 && std::is_same_v<T, double>, DoubleLanes,
                                 Vector<T, child_count<Dim> / 2>>;

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): arrays seen as registers.
template <int Dim, class T>
Lanes<Dim, T> load_lanes(const T* p) {
  return *reinterpret_cast<const Lanes<Dim, T>*>(p);
}
template <int Dim, class T>
void store_lanes(T* p, const Lanes<Dim, T>& v) {
  *reinterpret_cast<Lanes<Dim, T>*>(p) = v;
}

template <class To, class From>
To convert_lanes(const From& v) {
  if constexpr (std::is_same_v<To, From>)
    return v;
  else if constexpr (std::is_same_v<To, DoubleLanes>)
    return {__builtin_convertvector(__builtin_shufflevector(v, v, 0, 1), Vector<double, 2>),
            __builtin_convertvector(__builtin_shufflevector(v, v, 2, 3), Vector<double, 2>)};
  else
    return __builtin_convertvector(v, To);
}

// These are the fractions of a block, as they are or as the multigrid's short ones.
template <class L, int Dim, class T>
L load_fractions(const T* p) {
  return convert_lanes<L>(load_lanes<Dim>(p));
}
template <class L, int Dim>
L load_fractions(const ShortFloat* p) {
  constexpr int count = child_count<Dim> / 2;
  const auto bits = *reinterpret_cast<const Vector<std::uint16_t, count>*>(p);
  return reinterpret_cast<L>(__builtin_convertvector(bits, Vector<std::uint32_t, count>) << 16);
}

// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

inline float sum_lanes(const Vector<float, 4>& v) { return (v[0] + v[1]) + (v[2] + v[3]); }
inline float sum_lanes(const Vector<float, 2>& v) { return v[0] + v[1]; }
inline double sum_lanes(const Vector<double, 2>& v) { return v[0] + v[1]; }
inline double sum_lanes(const DoubleLanes& v) { return sum_lanes(v.low) + sum_lanes(v.high); }

// This is value where condition > 0, else 0.
template <class L>
L where_positive(const L& condition, const L& value) {
  if constexpr (std::is_same_v<L, DoubleLanes>)
    return {where_positive(condition.low, value.low), where_positive(condition.high, value.high)};
  else
    return condition > L{} ? value : L{};
}

// This is what the members of a sibling block see across their faces along an axis: at their siblings, and in
// the sibling blocks below and above.
template <int Axis, class L>
L siblings(const L& own) {
  if constexpr (Axis == 0)
    return own;
  else if constexpr (std::is_same_v<L, DoubleLanes> && Axis == 1)
    return {siblings<1>(own.low), siblings<1>(own.high)};
  else if constexpr (std::is_same_v<L, DoubleLanes>)
    return {own.high, own.low};
  else if constexpr (sizeof(own) == 2 * sizeof(own[0]))
    return __builtin_shufflevector(own, own, 1, 0);
  else if constexpr (Axis == 1)
    return __builtin_shufflevector(own, own, 1, 0, 3, 2);
  else
    return __builtin_shufflevector(own, own, 2, 3, 0, 1);
}
template <int Axis, int Color, class L>
L cousins(const L& low, const L& high) {
  if constexpr (std::is_same_v<L, DoubleLanes> && Axis == 0)
    return {cousins<0, Color>(low.low, high.low), cousins<0, 1 - Color>(low.high, high.high)};
  else if constexpr (std::is_same_v<L, DoubleLanes> && Axis == 1)
    return {cousins<1, Color>(low.low, high.low), cousins<1, Color>(low.high, high.high)};
  else if constexpr (std::is_same_v<L, DoubleLanes>)
    return {low.high, high.low};
  else if constexpr (sizeof(low) == 2 * sizeof(low[0]) && Axis == 1)
    return __builtin_shufflevector(low, high, 1, 2);
  else if constexpr (sizeof(low) == 2 * sizeof(low[0]))
    return Color == 0 ? __builtin_shufflevector(low, high, 0, 3)
                      : __builtin_shufflevector(low, high, 2, 1);
  else if constexpr (Axis == 0)
    return Color == 0 ? __builtin_shufflevector(low, high, 0, 5, 6, 3)
                      : __builtin_shufflevector(low, high, 4, 1, 2, 7);
  else if constexpr (Axis == 1)
    return __builtin_shufflevector(low, high, 1, 4, 3, 6);
  else
    return __builtin_shufflevector(low, high, 2, 3, 4, 5);
}

// This sums fraction * q across the faces of the members of one colour, in type T. `fraction` is as in a block
// of the pressure matrix, or null where all faces are open.
template <int Dim, int Color, class T, class Stored, class Real>
Lanes<Dim, T> sum_neighbors(const Stored* q, const SiblingBlockId* neighbor,
                            std::size_t sibling_block, const Real* fraction) {
  constexpr std::size_t width = child_count<Dim>, half = width / 2;
  using Sum = Lanes<Dim, T>;
  auto lanes = [&](std::size_t f) {
    return load_lanes<Dim>(q + f * width + (Color == 0 ? half : 0));
  };
  const Lanes<Dim, Stored> own = lanes(sibling_block);
  Sum sum{};
  auto add = [&]<int Axis>() {
    const Sum inner = convert_lanes<Sum>(siblings<Axis>(own));
    const Sum outer = convert_lanes<Sum>(
        cousins<Axis, Color>(lanes(neighbor[2 * Axis]), lanes(neighbor[2 * Axis + 1])));
    if (fraction == nullptr) {
      sum = sum + (inner + outer);
    } else {
      constexpr std::size_t row = Color * 2 * Dim + 2 * Axis;
      const Real* f = fraction + row * half;
      sum =
          sum + (load_fractions<Sum, Dim>(f) * inner + load_fractions<Sum, Dim>(f + half) * outer);
    }
  };
  add.template operator()<0>();
  add.template operator()<1>();
  if constexpr (Dim == 3) add.template operator()<2>();
  return sum;
}

}  // namespace octavo
