#pragma once

// These are pictures of 8 or 16 bits per channel.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace octavo {

// Pixels go row after row, the top row first; there are 3 channels (RGB) or 4 (RGB and opacity), of sRGB values.
template <class Sample>
struct BasicImage {
  int width = 0, height = 0, channels = 3;
  std::vector<Sample> pixels;

  BasicImage() = default;
  BasicImage(int w, int h, int c = 3)
      : width(w),
        height(h),
        channels(c),
        pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h) *
               static_cast<std::size_t>(c)) {}

  Sample* at(int x, int y) { return pixels.data() + offset(x, y); }
  const Sample* at(int x, int y) const { return pixels.data() + offset(x, y); }
  friend bool operator==(const BasicImage&, const BasicImage&) = default;

 private:
  std::size_t offset(int x, int y) const {
    return (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
            static_cast<std::size_t>(x)) *
           static_cast<std::size_t>(channels);
  }
};
using Image = BasicImage<std::uint8_t>;
using Image16 = BasicImage<std::uint16_t>;

}  // namespace octavo
