#pragma once

#include <bit>
#include <cstdint>

namespace octavo {

// The upper half of a float, eight significant bits of any size: enough for the coefficients of a
// preconditioner, and half of what has to be fetched from memory.
class ShortFloat {
 public:
  ShortFloat() = default;
  explicit ShortFloat(float value)  // rounded to nearest; finite, not near the largest float
      : bits_(static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(value) + 0x8000u) >> 16)) {}
  explicit operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16);
  }

 private:
  std::uint16_t bits_;
};

}  // namespace octavo
