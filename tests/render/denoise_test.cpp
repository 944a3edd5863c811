#include "octavo/render/denoise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "octavo/base/error.h"
#include "octavo/base/random.h"

namespace octavo {
namespace {

constexpr int size = 64;

// White to the left of the middle and half as bright to the right, where the surface is another one.
struct Halves {
  Picture picture{size, size};
  Features features{size, size, std::vector<Features::Pixel>(size* size)};

  explicit Halves(float noise, bool edge = true) {
    const Random random(4);
    for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
      const bool right = edge && i % size >= size / 2;
      const auto error = static_cast<float>(std::sqrt(12.0) * (random.uniform(i) - 0.5)) * noise;
      picture.pixels[i].light = Light::filled((right ? 0.5f : 1.0f) + error);
      features.pixels[i] = {
          {1, 1, 1}, right ? Vec3f{1, 0, 0} : Vec3f{0, 0, 1}, right ? 2.0f : 1.0f, noise * noise};
    }
  }
};

double mean(const Picture& p, int from, int to, double& variance) {
  double sum = 0, squares = 0;
  const int count = (to - from) * size;
  for (int y = 0; y < size; ++y)
    for (int x = from; x < to; ++x) {
      const double v = double{p.at(x, y).light[1]};
      sum += v;
      squares += v * v;
    }
  variance = squares / count - sum / count * (sum / count);
  return sum / count;
}

TEST(Denoise, LeavesAConstantPictureAsItIs) {
  const Halves flat(0, false);
  EXPECT_EQ(denoised(flat.picture, flat.features), flat.picture);
  Halves sure(0, false);
  for (auto& f : sure.features.pixels) f.variance = 0.01f;
  EXPECT_EQ(denoised(sure.picture, sure.features), sure.picture);
}

TEST(Denoise, TakesTheNoiseAwayAndKeepsEdges) {
  const Halves noisy(0.2f);
  const Picture clean = denoised(noisy.picture, noisy.features);
  double before = 0, after = 0, variance = 0;
  mean(noisy.picture, 0, size / 2, before);
  EXPECT_NEAR(before, 0.04, 0.004);
  EXPECT_NEAR(mean(clean, 0, size / 2, after), 1, 0.02);
  EXPECT_LT(after, before / 30);
  // On either side of the edge the light is that of its own side.
  EXPECT_NEAR(mean(clean, size / 2 - 1, size / 2, variance), 1, 0.05);
  EXPECT_NEAR(mean(clean, size / 2, size / 2 + 1, variance), 0.5, 0.05);
}

// An edge in the light alone, such as that of a shadow, is kept if it is more than noise.
TEST(Denoise, KeepsWhatIsMoreThanNoise) {
  Halves shadow(0.02f);
  for (auto& f : shadow.features.pixels) f = {{1, 1, 1}, {0, 0, 1}, 1, 0.02f * 0.02f};
  const Picture clean = denoised(shadow.picture, shadow.features);
  double variance = 0;
  EXPECT_NEAR(mean(clean, size / 2 - 1, size / 2, variance), 1, 0.02);
  EXPECT_NEAR(mean(clean, size / 2, size / 2 + 1, variance), 0.5, 0.02);
}

// A texture is divided out, so that it is neither blurred nor in the way of smoothing.
TEST(Denoise, KeepsTextures) {
  Halves noisy(0.1f, false);
  for (std::size_t i = 0; i < noisy.picture.pixels.size(); ++i) {
    const float color = i % 2 == 0 ? 0.9f : 0.8f;
    noisy.picture.pixels[i].light *= color;
    noisy.features.pixels[i].color = Light::filled(color);
    noisy.features.pixels[i].variance *= color * color;
  }
  const Picture clean = denoised(noisy.picture, noisy.features);
  for (int y = 8; y < size - 8; ++y)
    for (int x = 8; x < size - 8; ++x)
      EXPECT_NEAR(clean.at(x, y).light[0], x % 2 == 0 ? 0.9f : 0.8f, 0.06f);
}

TEST(Denoise, SaysWhatIsWrong) {
  Halves noisy(0.1f);
  EXPECT_THROW(denoised(noisy.picture, noisy.features, {.passes = 99}), InputError);
  noisy.features.width = 3;
  EXPECT_THROW(denoised(noisy.picture, noisy.features), InputError);
  EXPECT_EQ(denoised(Picture(), Features()), Picture());
  EXPECT_NO_THROW(require_denoisable({8192, 8192}));
  EXPECT_THROW(require_denoisable({16384, 16384}), InputError);
}

}  // namespace
}  // namespace octavo
