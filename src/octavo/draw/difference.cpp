#include "octavo/draw/difference.h"

#include <array>
#include <cmath>
#include <limits>

#include "octavo/base/error.h"
#include "octavo/base/parallel.h"
#include "octavo/draw/canvas.h"
#include "octavo/image/picture.h"
#include "octavo/image/resize.h"

namespace octavo {
namespace {

constexpr std::size_t bins = 1000;  // of the range of lightness

void require_same_size(const Image& one, const Image& other) {
  if (one.width != other.width || one.height != other.height)
    throw InputError("pictures of {} x {} and {} x {} pixels cannot be compared", one.width,
                     one.height, other.width, other.height);
}

float lightness(const std::uint8_t* p) {
  Light light{};
  for (int c = 0; c < 3; ++c) light[c] = srgb_decoded(static_cast<float>(p[c]) / 255);
  const float y = luminance(light);
  return y > 216.0f / 24389 ? 1.16f * std::cbrt(y) - 0.16f : 24389.0f / 2700 * y;
}

// It holds two pictures without opacity, and how much lighter the other one is.
struct Pair {
  Image one, other;

  Pair(const Image& p, const Image& q) : one(on_black(p)), other(on_black(q)) {
    require_same_size(p, q);
  }
  std::size_t pixels() const { return one.pixels.size() / 3; }
  float lighter(std::size_t i) const {
    const std::uint8_t *p = one.pixels.data() + 3 * i, *q = other.pixels.data() + 3 * i;
    return std::equal(p, p + 3, q) ? 0 : lightness(q) - lightness(p);
  }
};

}  // namespace

// The squares are whole numbers: their sum is exact.
double psnr(const Image& one, const Image& other) {
  const Pair pair(one, other);
  const std::uint8_t *p = pair.one.pixels.data(), *q = pair.other.pixels.data();
  const auto n = pair.one.pixels.size();
  const auto sum = parallel_reduce(
      "squares of differences", n, std::uint64_t{0},
      [=](std::size_t i) {
        const int d = int{p[i]} - int{q[i]};
        return static_cast<std::uint64_t>(d * d);
      },
      [](std::uint64_t x, std::uint64_t y) { return x + y; });
  if (sum == 0) return std::numeric_limits<double>::infinity();
  return 10 * std::log10(255.0 * 255.0 * static_cast<double>(n) / static_cast<double>(sum));
}

double difference_range(const Image& one, const Image& other) {
  const Pair pair(one, other);
  using Counts = std::array<std::size_t, bins + 1>;
  std::vector<Counts> counts(block_count(pair.pixels()));
  parallel_blocks("range of differences", pair.pixels(),
                  [&](std::size_t block, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i)
                      ++counts[block][static_cast<std::size_t>(
                          std::ceil(std::abs(pair.lighter(i)) * static_cast<float>(bins)))];
                  });
  std::size_t above = 0;
  for (std::size_t bin = bins; bin > 0; --bin) {
    for (const Counts& c : counts) above += c[bin];
    if (1000 * above > pair.pixels()) return static_cast<double>(bin) / bins;
  }
  return above > 0 ? 1.0 / bins : 0;
}

int gain_for(double range) {
  int gain = 1;
  while (gain < 64 && range > 0 && 2 * gain * range <= 1) gain *= 2;
  return gain;
}

Image difference(const Image& one, const Image& other, int gain) {
  const Pair pair(one, other);
  Image image(one.width, one.height);
  const auto width = static_cast<std::size_t>(one.width);
  parallel_for("difference", pair.pixels(), [&](std::size_t i) {
    set_pixel(image, static_cast<int>(i % width), static_cast<int>(i / width),
              blue_white_red(static_cast<float>(gain) * pair.lighter(i)));
  });
  return image;
}

}  // namespace octavo
