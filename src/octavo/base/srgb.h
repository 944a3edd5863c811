#pragma once

// These convert between light and the numbers by which displays and files know it: IEC 61966-2-1.

#include <cmath>

namespace octavo {

inline float srgb_encoded(float linear) {
  return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}
inline float srgb_decoded(float encoded) {
  return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

}  // namespace octavo
