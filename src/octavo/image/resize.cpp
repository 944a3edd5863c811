#include "octavo/image/resize.h"

#include <array>
#include <cmath>

#include "octavo/base/parallel.h"
#include "octavo/image/picture.h"

namespace octavo {
namespace {

using Table = std::array<float, 256>;

const Table& linear_of() {
  static const Table table = [] {
    Table t{};
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = srgb_decoded(static_cast<float>(i) / 255);
    return t;
  }();
  return table;
}

std::uint8_t byte_of(float part) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(part, 0.0f, 1.0f) * 255));
}

// This calls f(y) for each row.
template <class F>
void for_each_row(const char* label, int height, F&& f) {
  parallel_blocks(
      label, static_cast<std::size_t>(height),
      [&](std::size_t row, std::size_t, std::size_t) { f(static_cast<int>(row)); }, 1);
}

// This gives linear light multiplied by opacity, and opacity.
Picture light_of(const Image& image) {
  Picture picture(image.width, image.height);
  const Table& linear = linear_of();
  for_each_row("to linear light", image.height, [&](int y) {
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t* p = image.at(x, y);
      Picture::Pixel& out = picture.at(x, y);
      out.opacity = image.channels == 4 ? static_cast<float>(p[3]) / 255 : 1;
      out.light = Light{linear[p[0]], linear[p[1]], linear[p[2]]} * out.opacity;
    }
  });
  return picture;
}

Image image_of(const Picture& picture, int channels) {
  Image image(picture.width, picture.height, channels);
  for_each_row("from linear light", picture.height, [&](int y) {
    for (int x = 0; x < picture.width; ++x) {
      const Picture::Pixel& p = picture.at(x, y);
      std::uint8_t* out = image.at(x, y);
      const float cover = channels == 4 && p.opacity > 0 ? p.opacity : 1;
      for (int c = 0; c < 3; ++c) out[c] = byte_of(srgb_encoded(p.light[c] / cover));
      if (channels == 4) out[3] = byte_of(p.opacity);
    }
  });
  return image;
}

// This is the mean of at(i) over the part of 0 .. size that pixel `to` of `count` covers.
template <class At>
Picture::Pixel mean(int to, int count, int size, At&& at) {
  const double scale = static_cast<double>(size) / count;
  const double begin = to * scale, end = (to + 1) * scale;
  Picture::Pixel sum{{}, 0};
  for (int i = static_cast<int>(begin); i < size && i < end; ++i) {
    const double covered = std::min(end, i + 1.0) - std::max(begin, 1.0 * i);
    const auto weight = static_cast<float>(covered / scale);
    const Picture::Pixel& p = at(i);
    sum.light += p.light * weight;
    sum.opacity += p.opacity * weight;
  }
  return sum;
}

}  // namespace

Image resized(const Image& image, int width, int height) {
  OCTAVO_CHECK(width > 0 && height > 0 && image.width > 0 && image.height > 0);
  if (width == image.width && height == image.height) return image;
  const Picture whole = light_of(image);
  Picture narrow(width, image.height), small(width, height);
  for_each_row("resize rows", image.height, [&](int y) {
    for (int x = 0; x < width; ++x)
      narrow.at(x, y) = mean(x, width, image.width,
                             [&](int i) -> const Picture::Pixel& { return whole.at(i, y); });
  });
  for_each_row("resize columns", height, [&](int y) {
    for (int x = 0; x < width; ++x)
      small.at(x, y) = mean(y, height, image.height,
                            [&](int i) -> const Picture::Pixel& { return narrow.at(x, i); });
  });
  return image_of(small, image.channels);
}

Image on_black(const Image& image) {
  return image.channels == 3 ? image : image_of(light_of(image), 3);
}

}  // namespace octavo
