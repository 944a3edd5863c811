#pragma once

#include <bit>
#include <cstdint>

namespace octavo {

// This rounds a float to eight significant bits; it must be finite and not near the largest one.
inline float shortened(float value) {
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) + 0x8000u) & 0xffff0000u);
}

// The upper half of such a float is enough for the coefficients of a preconditioner; only half as much has to
// be fetched from memory.
class ShortFloat {
 public:
  ShortFloat() = default;
  explicit ShortFloat(float value)
      : bits_(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(shortened(value)) >> 16)) {}
  explicit operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16);
  }

 private:
  std::uint16_t bits_;
};

}  // namespace octavo
