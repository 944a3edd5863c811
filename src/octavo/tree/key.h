#pragma once

// A Key is a cell of the octree as one 64-bit number.
//
//   | root | x y z of level 1 | x y z of level 2 | ... | x y z of the cell's level | 1 | 0 ... 0 |
//
// The position of the lowest set bit tells the level; everything above it is the path from the root
// cell, the axes interleaved (Morton 1966). Sorting keys sorts cells along the Z curve, and the
// keys of all descendants of a cell lie in [first(), last()] around its own. For Dim = 3,
// 15 bits are for the root, 48 for 16 levels, one for the marker.

#include <bit>
#include <compare>
#include <cstdint>

#include "octavo/base/error.h"
#include "octavo/base/vec.h"

namespace octavo {

inline constexpr int max_level = 16;                            // levels below a root cell
inline constexpr int max_roots = 1 << 15;                       // root cells in a domain
inline constexpr std::uint32_t root_lattice = 1u << max_level;  // lattice units along a root cell

template <int Dim>
inline constexpr int child_count = 1 << Dim;

// This many children, or corners, are on one side of a cell.
template <int Dim>
inline constexpr int side_child_count = 1 << (Dim - 1);

// A Lattice is a position in units of the smallest possible cell, counted from the lowest corner of the domain.
template <int Dim>
using Lattice = Vec<Dim, std::uint32_t>;

// These spread the low 16 bits of x so that Dim-1 zeros follow each, and back.
template <int Dim>
constexpr std::uint64_t spread_bits(std::uint64_t x) {
  if constexpr (Dim == 3) {
    x = (x | x << 16) & 0x0000ff0000ffull;
    x = (x | x << 8) & 0x00f00f00f00full;
    x = (x | x << 4) & 0x0c30c30c30c3ull;
    x = (x | x << 2) & 0x249249249249ull;
  } else {
    x = (x | x << 8) & 0x00ff00ffull;
    x = (x | x << 4) & 0x0f0f0f0full;
    x = (x | x << 2) & 0x33333333ull;
    x = (x | x << 1) & 0x55555555ull;
  }
  return x;
}

template <int Dim>
constexpr std::uint32_t gather_bits(std::uint64_t x) {
  if constexpr (Dim == 3) {
    x &= 0x249249249249ull;
    x = (x | x >> 2) & 0x0c30c30c30c3ull;
    x = (x | x >> 4) & 0x00f00f00f00full;
    x = (x | x >> 8) & 0x0000ff0000ffull;
    x = (x | x >> 16) & 0xffffull;
  } else {
    x &= 0x55555555ull;
    x = (x | x >> 1) & 0x33333333ull;
    x = (x | x >> 2) & 0x0f0f0f0full;
    x = (x | x >> 4) & 0x00ff00ffull;
    x = (x | x >> 8) & 0xffffull;
  }
  return static_cast<std::uint32_t>(x);
}

template <int Dim>
struct Key {
  static constexpr int root_shift = Dim * max_level + 1;

  std::uint64_t bits = 0;

  friend constexpr auto operator<=>(const Key&, const Key&) = default;

  static constexpr Key root(std::uint32_t index) {
    return {(std::uint64_t{index} << root_shift) | (std::uint64_t{1} << (root_shift - 1))};
  }

  // This is the cell of the given level that contains the position `local` (lattice units) of a root cell.
  static constexpr Key at(std::uint32_t root_index, const Lattice<Dim>& local, int level) {
    std::uint64_t path = 0;
    for (int a = 0; a < Dim; ++a) path |= spread_bits<Dim>(local[a]) << a;
    const std::uint64_t marker = std::uint64_t{1} << (Dim * (max_level - level));
    const std::uint64_t fine = (std::uint64_t{root_index} << root_shift) | (path << 1);
    return {(fine & ~(2 * marker - 1)) | marker};
  }

  constexpr std::uint64_t marker() const { return bits & (~bits + 1); }
  constexpr int level() const {
    OCTAVO_ASSERT(bits != 0);
    return max_level - std::countr_zero(bits) / Dim;
  }
  constexpr std::uint32_t root_index() const {
    return static_cast<std::uint32_t>(bits >> root_shift);
  }

  // This is the edge length in lattice units.
  constexpr std::uint32_t size() const { return 1u << (max_level - level()); }

  // This is the lowest corner, in lattice units from the corner of the root cell.
  constexpr Lattice<Dim> local() const {
    const std::uint64_t path = (bits ^ marker()) >> 1;
    Lattice<Dim> r{};
    for (int a = 0; a < Dim; ++a) r[a] = gather_bits<Dim>(path >> a);
    return r;
  }

  // This tells which child the ancestor of level `level` >= 1 (or the cell itself) is of its parent.
  constexpr int digit(int level) const {
    return static_cast<int>(bits >> (1 + Dim * (max_level - level))) & (child_count<Dim> - 1);
  }
  constexpr int digit() const { return digit(level()); }

  constexpr Key parent() const { return ancestor(level() - 1); }
  constexpr Key ancestor(int level) const {
    const std::uint64_t m = std::uint64_t{1} << (Dim * (max_level - level));
    return {(bits & ~(2 * m - 1)) | m};
  }
  constexpr Key child(int digit) const {
    const std::uint64_t m = marker() >> Dim;
    return {(bits ^ marker()) | (2 * static_cast<std::uint64_t>(digit) + 1) * m};
  }

  // These are the keys of the first and last cell of the finest level inside this one.
  constexpr Key first() const { return {bits - (marker() - 1)}; }
  constexpr Key last() const { return {bits + (marker() - 1)}; }
  constexpr bool contains(Key other) const { return first() <= other && other <= last(); }
};

}  // namespace octavo
