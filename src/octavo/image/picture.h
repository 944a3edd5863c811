#pragma once

// Pictures are in linear light here; this header also says how they are shown.

#include <vector>

#include "octavo/base/srgb.h"
#include "octavo/base/vec.h"
#include "octavo/image/image.h"

namespace octavo {

using Light = Vec3f;  // red, green and blue, of the primaries of sRGB; linear

constexpr Light scaled(const Light& p, const Light& q) {
  return Light::combine(p, q, [](float x, float y) { return x * y; });
}
constexpr float luminance(const Light& c) {
  return 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2];
}

// Pixels go row after row, the top row first. Opacity is 0 where only the background is seen; colours are
// multiplied by it already.
struct Picture {
  struct Pixel {
    Light light{};
    float opacity = 1;
    friend bool operator==(const Pixel&, const Pixel&) = default;
  };
  int width = 0, height = 0;
  std::vector<Pixel> pixels;

  Picture() = default;
  Picture(int w, int h)
      : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}

  Pixel& at(int x, int y) { return pixels[index(x, y)]; }
  const Pixel& at(int x, int y) const { return pixels[index(x, y)]; }
  friend bool operator==(const Picture&, const Picture&) = default;

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
};

struct Tone {
  double exposure = 0;   // stops: each doubles the light
  bool opacity = false;  // of four channels
};

// The tone is linear up to 0.8, then rises ever slower towards white, which light of 4 reaches. The
// image is sRGB, with less than a step of noise, so that slow gradients show no bands.
Image shown(const Picture& picture, const Tone& tone = {});
Image16 shown16(const Picture& picture, const Tone& tone = {});

// This is the part of 0 .. 1 that a display is to be given.
float tone_mapped(float light);

}  // namespace octavo
