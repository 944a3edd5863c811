#pragma once

// These points fill the unit square evenly, for the samples of a pixel.
//
//   Samples samples(random_of_pixel, index);
//   samples.begin(bounce);                          // the same purposes come in the same order
//   const Vec2d p = samples.pair();
//
// Each use has its own order and its own Owen scrambling of Sobol's first two dimensions, by a hash of pixel
// and use (Burley 2020, "Practical hash-based Owen scrambling"). The first 2^n points of each use are evenly
// spread, different uses do not know of each other, and pixels neither.

#include <cstdint>

#include "octavo/base/vec.h"

namespace octavo {

class Samples {
 public:
  Samples(std::uint64_t pixel, std::uint32_t index) : pixel_(pixel), index_(index) {}

  // Uses count anew from here, those of other bounces are others.
  void begin(int bounce) { use_ = static_cast<std::uint64_t>(bounce + 1) << 16; }

  Vec2d pair() {
    const std::uint64_t key = mixed(pixel_ + 0x9E3779B97F4A7C15ull * ++use_);
    const std::uint32_t i = scrambled(index_, low(key));
    const std::uint64_t more = mixed(key);
    return {part(scrambled(reversed(i), high(key))), part(scrambled(sobol(i), low(more)))};
  }
  double single() { return pair()[0]; }

 private:
  static std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
  static std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
  static double part(std::uint32_t x) { return x * 0x1p-32; }

  // This is the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
  }

  static std::uint32_t reversed(std::uint32_t x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
    return __builtin_bswap32(x);
  }

  // This is a random permutation in which a bit depends on those below it only (Laine, Karras 2011).
  static std::uint32_t permuted(std::uint32_t x, std::uint32_t seed) {
    x += seed;
    x ^= x * 0x6C50B47Cu;
    x ^= x * 0xB82F1E52u;
    x ^= x * 0xC7AFE638u;
    x ^= x * 0x8D22F6E6u;
    return x;
  }

  // This is Owen's, in which a bit depends on those above it: intervals that are a power of two long stay
  // together.
  static std::uint32_t scrambled(std::uint32_t x, std::uint32_t seed) {
    return reversed(permuted(reversed(x), seed));
  }

  // This is the second dimension: the matrix is Pascal's triangle modulo 2.
  static std::uint32_t sobol(std::uint32_t i) {
    std::uint32_t x = 0;
    for (std::uint32_t column = 0x80000000u; i != 0; i >>= 1, column ^= column >> 1)
      if ((i & 1) != 0) x ^= column;
    return x;
  }

  std::uint64_t pixel_, use_ = 0;
  std::uint32_t index_;
};

}  // namespace octavo
