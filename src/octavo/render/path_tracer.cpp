#include "octavo/render/path_tracer.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "octavo/base/error.h"
#include "octavo/base/parallel.h"
#include "octavo/base/random.h"
#include "octavo/render/path.h"

namespace octavo {
namespace {

void check(const Vec<2, int>& resolution, const PathOptions& options) {
  if (resolution[0] < 1 || resolution[1] < 1)
    throw InputError("a picture must have pixels, not {} by {}", resolution[0], resolution[1]);
  if (options.samples < 1) throw InputError("a pixel must have samples, not {}", options.samples);
  if (options.max_bounces < 0)
    throw InputError("a path cannot go on {} times", options.max_bounces);
}

// It is a place in -1 .. 1, the likelier the nearer to 0: the filter is a tent two pixels wide.
double tent(double x) { return x < 0.5 ? std::sqrt(2 * x) - 1 : 1 - std::sqrt(2 - 2 * x); }

// It is the sum of many samples, and what it says of their spread.
struct PixelSum {
  Light light{};
  float opacity = 0;
  Features::Pixel first{};
  double mean = 0, spread = 0;  // of the luminance so far (Welford 1962)
  int count = 0;

  void add(const Path& path) {
    ++count;
    light += path.light;
    opacity += path.opacity;
    first.color += path.first.color;
    first.normal += path.first.normal;
    first.depth += path.first.depth;
    const double value = luminance(path.light), before = value - mean;
    mean += before / count;
    spread += before * (value - mean);
  }
  bool is_known(double tolerance) const {
    constexpr double dark = 0.02;
    const double error = std::sqrt(spread / (double(count) * (count - 1)));
    return error <= tolerance * std::max(mean, dark);
  }
  Picture::Pixel pixel() const {
    const auto n = static_cast<float>(count);
    return {light / n, opacity / n};
  }
  Features::Pixel feature() const {
    const auto n = static_cast<float>(count);
    const double variance = count > 1 ? spread / (double(count) * (count - 1)) : 0;
    return {first.color / n, first.normal / n, first.depth / n, static_cast<float>(variance)};
  }
};

// Marches go through the middle of a pixel, or of its quarters if there are many samples.
std::vector<FirstMarch> marches(const Medium* medium, const CameraRays& camera, double x, double y,
                                int samples) {
  constexpr int many = 16;
  std::vector<FirstMarch> all;
  if (medium == nullptr) return all;
  if (samples < many) {
    all.emplace_back(*medium, camera.through(x, y));
  } else {
    for (const double dx : {-0.25, 0.25})
      for (const double dy : {-0.25, 0.25})
        all.emplace_back(*medium, camera.through(x + dx, y + dy));
  }
  return all;
}

}  // namespace

Picture path_traced(const CameraRays& camera, const Vec<2, int>& resolution,
                    const Surfaces& surfaces, const Lighting& lighting, const Medium* medium,
                    const PathOptions& options, Features* features) {
  check(resolution, options);
  const PathScene scene{surfaces, lighting, medium, options};
  const Random random(options.seed);
  const auto width = static_cast<std::size_t>(resolution[0]);
  const auto height = static_cast<std::size_t>(resolution[1]);
  Picture picture(resolution[0], resolution[1]);
  if (features != nullptr)
    *features = {resolution[0], resolution[1], std::vector<Features::Pixel>(width * height)};

  auto trace = [&](std::size_t i) {
    PixelSum sum;
    const std::uint64_t key = random.bits(i);
    const std::size_t column = i % width, row = i / width;
    const double x = static_cast<double>(column) + 0.5, y = static_cast<double>(row) + 0.5;
    auto march = marches(medium, camera, x, y, options.samples);
    for (int s = 0; s < options.samples; ++s) {
      Samples samples(key, static_cast<std::uint32_t>(s));
      const Vec2d at = samples.pair();
      FirstMarch* first =
          march.empty() ? nullptr : &march[static_cast<std::size_t>(s) % march.size()];
      Path path(scene, camera.through(x + tent(at[0]), y + tent(at[1])), samples, first);
      path.follow();
      sum.add(path);
      const bool early = 4 * sum.count == options.samples || 2 * sum.count == options.samples;
      if (options.tolerance > 0 && early && sum.count > 7 && sum.is_known(options.tolerance)) break;
    }
    picture.pixels[i] = sum.pixel();
    if (features != nullptr) features->pixels[i] = sum.feature();
  };
  std::atomic<bool> stopped = false;
  parallel_blocks(
      "trace paths", width * height,
      [&](std::size_t, std::size_t begin, std::size_t end) {
        if (!stopped && options.stop && options.stop()) stopped = true;
        for (std::size_t i = begin; i < end && !stopped; ++i) trace(i);
      },
      width);
  return stopped ? Picture() : picture;
}

}  // namespace octavo
