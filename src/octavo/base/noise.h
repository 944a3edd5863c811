#pragma once

// Noise is smooth in space and time: it is gradient noise (Perlin 1985, 2002) on a lattice of spacing
// 1, in Dim + 1 dimensions. At each lattice point a random linear function is zero; between them these
// are blended, twice continuously differentiable.
//
//   const Noise<3> noise(seed);
//   const double density = noise.fractal(p / 0.1, time / 0.5, 4);     // details from 10 cm down
//
// The random functions come from a hash of seed and lattice point, so that a value does not depend on
// which thread asks for it, or when. Values are between 0 and 1, as often above one half as below,
// with a standard deviation of a quarter; they are independent of each other two cells apart, and
// nearly so one cell apart. At lattice points they are one half.

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "octavo/base/vec.h"

namespace octavo {

template <int Dim>
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : key_(mixed(seed)) {}

  double operator()(const Vec<Dim>& p, double t) const { return between_0_and_1(raw(key_, p, t)); }

  // This is the sum of `octaves` noises, each with half the size, half the duration and half the
  // strength of the one before, brought to the same range.
  double fractal(const Vec<Dim>& p, double t, int octaves) const {
    double sum = 0, variance = 0, strength = 1, frequency = 1;
    std::uint64_t key = key_;
    for (int i = 0; i < octaves; ++i) {
      sum += strength * raw(key, p * frequency, t * frequency);
      variance += strength * strength;
      strength *= 0.5;
      frequency *= 2;
      key = mixed(key);
    }
    return between_0_and_1(variance > 0 ? sum / std::sqrt(variance) : 0);
  }

 private:
  static constexpr int axes = Dim + 1;

  // A Cell is the place of a point in its lattice cell. Lattice coordinates stay doubles: they never overflow.
  struct Cell {
    std::array<double, axes> low, part, weight;
  };

  // This is the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
  static constexpr std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
  }

  // This is a smooth step up to the range, which stretches the middle: the blend alone rarely leaves it.
  static double between_0_and_1(double x) {
    constexpr double contrast = 3.7;
    const double stretched = contrast * x;
    return 0.5 + 0.5 * stretched / std::sqrt(1 + stretched * stretched);
  }

  static double raw(std::uint64_t key, const Vec<Dim>& p, double t) {
    Cell cell;
    for (std::size_t a = 0; a < axes; ++a) {
      const double x = a < Dim ? p[static_cast<int>(a)] : t;
      cell.low[a] = std::floor(x) + 0.0;  // never -0, whose bits differ
      const double f = cell.part[a] = x - cell.low[a];
      cell.weight[a] = f * f * f * (f * (6 * f - 15) + 10);
    }
    std::array<double, axes> offset{};
    return blend(cell, 0, key, offset);
  }

  // This blends both ends of the cell along an axis, each a blend along the axes that follow. Corners
  // that share their first coordinates share the hash of these.
  static double blend(const Cell& cell, std::size_t axis, std::uint64_t hash,
                      std::array<double, axes>& offset) {
    if (axis == axes) return linear(hash, offset);
    auto end = [&](double i) {
      offset[axis] = cell.part[axis] - i;
      return blend(cell, axis + 1, mixed(hash ^ std::bit_cast<std::uint64_t>(cell.low[axis] + i)),
                   offset);
    };
    const double low = end(0), high = end(1);
    return low + (high - low) * cell.weight[axis];
  }

  // Each slope, between -1 and 1, takes 16 bits of the hash.
  static double linear(std::uint64_t hash, const std::array<double, axes>& offset) {
    static_assert(axes <= 4);
    double sum = 0;
    for (std::size_t a = 0; a < axes; ++a) {
      const auto bits = static_cast<double>(hash >> (16 * a) & 0xFFFF);
      sum += ((bits + 0.5) / 32768 - 1) * offset[a];
    }
    return sum;
  }

  std::uint64_t key_;
};

}  // namespace octavo
