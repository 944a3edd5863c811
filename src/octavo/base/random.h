#pragma once

// Random numbers are counter-based: Philox4x32-10 of Salmon, Moraes, Dror, Shaw, "Parallel random
// numbers: as easy as 1, 2, 3", SC 2011. A number is a pure function of a seed and a counter (say:
// leaf, step), so it does not depend on which thread asks for it, or when.

#include <array>
#include <cstdint>

namespace octavo {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

constexpr PhiloxCounter philox(PhiloxCounter c, PhiloxKey k) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = 0xD2511F53ull * c[0];
    const std::uint64_t p1 = 0xCD9E8D57ull * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(p0)};
    k[0] += 0x9E3779B9u;
    k[1] += 0xBB67AE85u;
  }
  return c;
}

// A Random is a stream of numbers for one seed, addressed by up to three counters.
class Random {
 public:
  constexpr explicit Random(std::uint64_t seed)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)} {}

  constexpr std::uint64_t bits(std::uint64_t i, std::uint32_t j = 0, std::uint32_t k = 0) const {
    const auto r =
        philox({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32), j, k}, key_);
    return (std::uint64_t{r[1]} << 32) | r[0];
  }

  // The number is uniform in [0, 1), with 53 random bits.
  constexpr double uniform(std::uint64_t i, std::uint32_t j = 0, std::uint32_t k = 0) const {
    return static_cast<double>(bits(i, j, k) >> 11) * 0x1p-53;
  }

  // The number is uniform in 0 .. count-1.
  constexpr int below(int count, std::uint64_t i, std::uint32_t j = 0, std::uint32_t k = 0) const {
    return static_cast<int>(uniform(i, j, k) * count);
  }

 private:
  PhiloxKey key_;
};

}  // namespace octavo
