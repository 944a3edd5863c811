#include "octavo/render/denoise.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "octavo/base/error.h"
#include "octavo/base/parallel.h"

namespace octavo {
namespace {

// It is the light that falls on a surface rather than what it makes of it.
struct Lit {
  Light light{};
  float variance = 0;
};

class Denoiser {
 public:
  Denoiser(const Picture& picture, const Features& features, const DenoiseOptions& options)
      : picture_(picture),
        features_(features),
        strength_(static_cast<float>(options.strength)),
        now_(picture.pixels.size()),
        next_(now_.size()),
        slope_(now_.size()) {
    for_each_pixel([&](int x, int y, std::size_t i) {
      const Light& color = features_.pixels[i].color;
      const float bright = brightness(color);
      for (int c = 0; c < 3; ++c)
        now_[i].light[c] = picture_.pixels[i].light[c] / divisor(color[c]);
      now_[i].variance = features_.pixels[i].variance / (bright * bright);
      slope_[i] = depth_slope(x, y);
    });
  }

  void pass(int step) {
    for_each_pixel([&](int x, int y, std::size_t i) { next_[i] = filtered(x, y, step); });
    now_.swap(next_);
  }

  Picture result() const {
    Picture out = picture_;
    for (std::size_t i = 0; i < now_.size(); ++i)
      for (int c = 0; c < 3; ++c)
        out.pixels[i].light[c] = now_[i].light[c] * divisor(features_.pixels[i].color[c]);
    return out;
  }

 private:
  static float divisor(float color) { return std::max(color, 0.01f); }
  static float brightness(const Light& color) { return divisor(luminance(color)); }

  template <class F>
  void for_each_pixel(F&& f) {
    const auto width = static_cast<std::size_t>(picture_.width);
    parallel_blocks(
        "denoise", picture_.pixels.size(),
        [&](std::size_t row, std::size_t begin, std::size_t) {
          for (int x = 0; x < picture_.width; ++x)
            f(x, static_cast<int>(row), begin + static_cast<std::size_t>(x));
        },
        width);
  }

  bool has(int x, int y) const {
    return x >= 0 && y >= 0 && x < picture_.width && y < picture_.height;
  }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(picture_.width) +
           static_cast<std::size_t>(x);
  }

  // It is how fast depth changes from pixel to pixel, on the flatter side of an edge.
  float depth_slope(int x, int y) const {
    const float here = features_.pixels[index(x, y)].depth;
    float slope = 0;
    for (const Vec<2, int>& d : {Vec<2, int>{1, 0}, Vec<2, int>{0, 1}}) {
      float least = HUGE_VALF;
      for (const int side : {-1, 1}) {
        const int u = x + side * d[0], v = y + side * d[1];
        if (has(u, v))
          least = std::min(least, std::abs(features_.pixels[index(u, v)].depth - here));
      }
      if (std::isfinite(least)) slope = std::max(slope, least);
    }
    return slope;
  }

  // What one pixel says of the noise is noisy itself.
  float deviation(int x, int y) const {
    float sum = 0, weights = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        if (!has(x + dx, y + dy)) continue;
        const float w = (dx == 0 ? 2.0f : 1.0f) * (dy == 0 ? 2.0f : 1.0f);
        sum += w * now_[index(x + dx, y + dy)].variance;
        weights += w;
      }
    return std::sqrt(sum / weights);
  }

  // It is how different two pixels are but for their light: 0 if they are alike, 1 if that is
  // doubtful.
  float unlikeness(std::size_t p, std::size_t q, float pixels_apart) const {
    const Features::Pixel &a = features_.pixels[p], &b = features_.pixels[q];
    const float opacity = picture_.pixels[p].opacity - picture_.pixels[q].opacity;
    const Light color = a.color - b.color;
    const Vec3f normal = a.normal - b.normal;
    const float room = slope_[p] * pixels_apart + 1e-3f * a.depth + 1e-20f;
    const float far = std::abs(a.depth - b.depth) / room;
    return 100 * dot(color, color) + 50 * dot(normal, normal) + far + 100 * opacity * opacity;
  }

  Lit filtered(int x, int y, int step) const {
    constexpr std::array<float, 5> spline{1.0f / 16, 1.0f / 4, 3.0f / 8, 1.0f / 4, 1.0f / 16};
    const std::size_t p = index(x, y);
    const Light here = now_[p].light;
    const float bright = luminance(here), noise = strength_ * deviation(x, y) + 1e-9f;
    Light sum{};  // of differences, so that what is the same everywhere stays exactly the same
    float weights = 0, variance = 0;
    for (std::size_t k = 0; k < 25; ++k) {
      const int i = static_cast<int>(k % 5) - 2, j = static_cast<int>(k / 5) - 2;
      const int u = x + i * step, v = y + j * step;
      if (!has(u, v)) continue;
      const std::size_t q = index(u, v);
      const float apart =
          static_cast<float>(step) * std::hypot(static_cast<float>(i), static_cast<float>(j));
      const float differs = std::abs(luminance(now_[q].light) - bright) / noise;
      const float w = spline[k % 5] * spline[k / 5] * std::exp(-differs - unlikeness(p, q, apart));
      sum += (now_[q].light - here) * w;
      variance += w * w * now_[q].variance;
      weights += w;
    }
    return {here + sum / weights, variance / (weights * weights)};
  }

  const Picture& picture_;
  const Features& features_;
  float strength_;
  std::vector<Lit> now_, next_;
  std::vector<float> slope_;
};

}  // namespace

void require_denoisable(const Vec<2, int>& resolution) {
  constexpr double most = 8192.0 * 8192.0;
  if (1.0 * resolution[0] * resolution[1] > most)
    throw InputError("{} x {} pixels are too many to take noise out of: {} at most", resolution[0],
                     resolution[1], most);
}

Picture denoised(const Picture& picture, const Features& features, const DenoiseOptions& options) {
  if (features.width != picture.width || features.height != picture.height ||
      features.pixels.size() != picture.pixels.size())
    throw InputError("the features are not those of the picture");
  if (options.passes < 0 || options.passes > 12)
    throw InputError("noise is taken out in 0 to 12 passes, not {}", options.passes);
  require_denoisable({picture.width, picture.height});
  if (picture.pixels.empty()) return picture;
  Denoiser denoiser(picture, features, options);
  for (int i = 0; i < options.passes; ++i) denoiser.pass(1 << i);
  return denoiser.result();
}

}  // namespace octavo
