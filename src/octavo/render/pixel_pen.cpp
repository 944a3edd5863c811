#include <cstdlib>

#include "octavo/base/parallel.h"
#include "octavo/render/canvas.h"
#include "octavo/render/font.h"
#include "octavo/render/pen.h"

namespace octavo {
namespace {

constexpr int scale = PixelPen::scale, text_scale = 2;
constexpr double dash = 7 * scale, gap = 5 * scale;
constexpr Color black{0, 0, 0}, white{1, 1, 1};

Color color_of_ink(const std::string& ink) {
  std::string digits;
  for (const char c : ink.substr(1)) digits += std::string(ink.size() == 4 ? 2 : 1, c);
  return color_of(static_cast<std::uint32_t>(std::strtoul(digits.c_str(), nullptr, 16)));
}

double distance_to_segment(const Vec2d& p, const Vec2d& from, const Vec2d& to) {
  const Vec2d along = to - from;
  const double squared = dot(along, along);
  const double part = squared > 0 ? std::clamp(dot(p - from, along) / squared, 0.0, 1.0) : 0;
  return length(p - (from + along * part));
}

// How much of each pixel is covered by lines: those that touch or cross cover what the nearest one does, so that
// nothing shows where they are joined.
class Coverage {
 public:
  Coverage(int width, int height, double radius)
      : width_(width),
        height_(height),
        radius_(radius),
        part_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

  void add(const Vec2d& from, const Vec2d& to) {
    const double reach = radius_ + 1;
    const int x0 = clamped(std::min(from[0], to[0]) - reach, width_);
    const int x1 = clamped(std::max(from[0], to[0]) + reach, width_);
    const int y0 = clamped(std::min(from[1], to[1]) - reach, height_);
    const int y1 = clamped(std::max(from[1], to[1]) + reach, height_);
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) {
        const double d = distance_to_segment({x + 0.5, y + 0.5}, from, to);
        float& part = part_[index(x, y)];
        part = std::max(part, static_cast<float>(std::clamp(radius_ + 0.5 - d, 0.0, 1.0)));
      }
  }

  void paint(Image& image, const Color& color) const {
    parallel_for("paint lines", part_.size(), [&](std::size_t i) {
      if (part_[i] == 0) return;
      std::uint8_t* pixel = image.pixels.data() + 3 * i;
      for (std::size_t c = 0; c < 3; ++c) {
        const float before = static_cast<float>(pixel[c]);
        pixel[c] =
            static_cast<std::uint8_t>(std::lround(before + (255 * color[c] - before) * part_[i]));
      }
    });
  }

 private:
  static int clamped(double x, int size) {
    return static_cast<int>(std::clamp(x, 0.0, 1.0 * size));
  }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }

  int width_, height_;
  double radius_;
  std::vector<float> part_;
};

// Calls f(from, to) for the parts of a curve that are drawn.
template <class F>
void for_each_dash(const std::vector<Vec2d>& points, bool dashed, F&& f) {
  double done = 0;  // of a dash and the gap behind it
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec2d from = points[i], along = points[i + 1] - from;
    const double whole = length(along);
    if (!dashed || whole == 0) {
      f(from, points[i + 1]);
      continue;
    }
    for (double at = 0; at < whole;) {
      const double next = std::min(whole, at + (done < dash ? dash : dash + gap) - done);
      if (done < dash) f(from + along * (at / whole), from + along * (next / whole));
      done += next - at;
      if (done >= dash + gap - 1e-9) done = 0;
      at = next;
    }
  }
}

}  // namespace

PixelPen::PixelPen(int width, int height) : image_(scale * width, scale * height) {
  fill_rectangle(image_, 0, 0, image_.width, image_.height, white);
}

void PixelPen::text(Vec2d at, Anchor anchor, const std::string& what, Style style) {
  if (style == Style::upwards) return text_upwards(at * scale, what);
  const int width = text_width(what, text_scale);
  const int left = anchor == Anchor::start ? 0 : anchor == Anchor::middle ? width / 2 : width;
  const int x = static_cast<int>(std::lround(scale * at[0])) - left;
  const int y = static_cast<int>(std::lround(scale * at[1])) - text_height(text_scale);
  draw_text(image_, x, y, what, text_scale, black);
  if (style == Style::bold) draw_text(image_, x + 1, y, what, text_scale, black);
}

// Drawn beside the image, then turned.
void PixelPen::text_upwards(Vec2d middle, const std::string& what) {
  const int height = text_height(text_scale);
  Image row(std::max(1, text_width(what, text_scale)), height + font::tail * text_scale);
  draw_text(row, 0, 0, what, text_scale, white);
  const int x0 = static_cast<int>(std::lround(middle[0])) - height;
  const int y0 = static_cast<int>(std::lround(middle[1])) + row.width / 2;
  for (int y = 0; y < row.height; ++y)
    for (int x = 0; x < row.width; ++x)
      if (row.at(x, y)[0] != 0) fill_rectangle(image_, x0 + y, y0 - x, 1, 1, black);
}

// On whole pixels, so that upright and level ones are sharp.
void PixelPen::line(Vec2d from, Vec2d to, Ink ink) {
  auto snapped = [](const Vec2d& p) {
    return Vec2d{std::round(scale * p[0]), std::round(scale * p[1])};
  };
  Coverage coverage(image_.width, image_.height, scale / 2.0);
  coverage.add(snapped(from), snapped(to));
  coverage.paint(image_, color_of_ink(ink));
}

void PixelPen::curve(const std::vector<Vec2d>& points, Ink ink, bool dashed) {
  std::vector<Vec2d> scaled;
  for (const Vec2d& p : points) scaled.push_back(p * scale);
  if (scaled.size() == 1) scaled.push_back(scaled.front());  // a dot
  Coverage coverage(image_.width, image_.height, scale);
  for_each_dash(scaled, dashed,
                [&](const Vec2d& from, const Vec2d& to) { coverage.add(from, to); });
  coverage.paint(image_, color_of_ink(ink));
}

}  // namespace octavo
