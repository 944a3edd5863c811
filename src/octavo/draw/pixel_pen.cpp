#include <cmath>
#include <cstdlib>

#include "octavo/base/parallel.h"
#include "octavo/draw/canvas.h"
#include "octavo/draw/font.h"
#include "octavo/draw/pen.h"

namespace octavo {
namespace {

constexpr int scale = PixelPen::scale;
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

// It is how much of each pixel is covered by lines: those that touch or cross cover what the nearest one does, so
// that nothing shows where they are joined.
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

// Lines outside of it colour no pixel of the image.
Box<2> canvas(const Image& image) {
  const Vec2d reach = Vec2d::filled(4 * scale);
  return {reach * -1.0, Vec2d{1.0 * image.width, 1.0 * image.height} + reach};
}

// Places closer than this can be counted in pixels, those closer than the other one can be computed with.
bool is_within(const Vec2d& p, double most) {
  return std::abs(p[0]) < most && std::abs(p[1]) < most;
}
constexpr double most_pixels = 1e6, most_place = 1e300;

// A line is to be cut off at the sides of a box.
struct Line {
  Vec2d from, to;

  // It keeps what is beyond a side along one axis; it is false if nothing is.
  bool cut(int axis, double side, double direction) {
    const double first = (from[axis] - side) * direction, last = (to[axis] - side) * direction;
    if (first < 0 && last < 0) return false;
    if (first >= 0 && last >= 0) return true;
    Vec2d crossing = from + (to - from) * (first / (first - last));
    crossing[axis] = side;
    (first < 0 ? from : to) = crossing;
    return true;
  }
  bool cut(const Box<2>& box) {
    return is_within(from, most_place) && is_within(to, most_place) && cut(0, box.lo[0], 1) &&
           cut(0, box.hi[0], -1) && cut(1, box.lo[1], 1) && cut(1, box.hi[1], -1);
  }
};

double distance(const Vec2d& p, const Vec2d& q) { return std::hypot(q[0] - p[0], q[1] - p[1]); }

// Calls f(from, to) for the parts of a curve that are drawn; what is outside of the box is gone through at once.
class Dashes {
 public:
  Dashes(const Box<2>& box, bool dashed) : box_(box), dashed_(dashed) {}

  template <class F>
  void add(const Vec2d& from, const Vec2d& to, F&& f) {
    Line line{from, to};
    if (!line.cut(box_)) return skip(distance(from, to));
    skip(distance(from, line.from));
    if (dashed_ && line.from != line.to)
      dashes(line.from, line.to - line.from, f);
    else
      f(line.from, line.to);
    skip(distance(line.to, to));
  }

 private:
  void skip(double size) {
    if (std::isfinite(size)) done_ = std::fmod(done_ + size, dash + gap);
  }

  // Each dash is placed by its number, so that rounding cannot make one that never ends.
  template <class F>
  void dashes(const Vec2d& from, const Vec2d& along, F&& f) {
    const double whole = length(along);
    for (int i = 0; i * (dash + gap) < done_ + whole; ++i) {
      const double begin = std::max(i * (dash + gap) - done_, 0.0);
      const double end = std::min(i * (dash + gap) + dash - done_, whole);
      if (begin < end) f(from + along * (begin / whole), from + along * (end / whole));
    }
    skip(whole);
  }

  Box<2> box_;
  bool dashed_;
  double done_ = 0;  // of a dash and the gap behind it, before the next line
};

}  // namespace

PixelPen::PixelPen(int width, int height) : image_(scale * width, scale * height) {
  fill_rectangle(image_, 0, 0, image_.width, image_.height, white);
}

void PixelPen::text(Vec2d at, Anchor anchor, const std::string& what, Style style) {
  if (!is_within(at, most_pixels)) return;
  if (style == Style::upwards) return text_upwards(at * scale, what);
  const int width = text_width(what, text_scale);
  const int left = anchor == Anchor::start ? 0 : anchor == Anchor::middle ? width / 2 : width;
  const int x = static_cast<int>(std::lround(scale * at[0])) - left;
  const int y = static_cast<int>(std::lround(scale * at[1])) - text_height(text_scale);
  draw_text(image_, x, y, what, text_scale, black);
  if (style == Style::bold) draw_text(image_, x + 1, y, what, text_scale, black);
}

// The text is drawn beside the image, then turned.
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

// Lines are on whole pixels, so that upright and level ones are sharp.
void PixelPen::line(Vec2d from, Vec2d to, Ink ink) {
  auto snapped = [](const Vec2d& p) {
    return Vec2d{std::round(scale * p[0]), std::round(scale * p[1])};
  };
  Coverage coverage(image_.width, image_.height, scale / 2.0);
  Dashes(canvas(image_), false)
      .add(snapped(from), snapped(to), [&](const Vec2d& p, const Vec2d& q) { coverage.add(p, q); });
  coverage.paint(image_, color_of_ink(ink));
}

void PixelPen::curve(const std::vector<Vec2d>& points, Ink ink, bool dashed) {
  std::vector<Vec2d> scaled;
  for (const Vec2d& p : points) scaled.push_back(p * scale);
  if (scaled.size() == 1) scaled.push_back(scaled.front());  // a dot
  Coverage coverage(image_.width, image_.height, scale);
  Dashes dashes(canvas(image_), dashed);
  for (std::size_t i = 0; i + 1 < scaled.size(); ++i)
    dashes.add(scaled[i], scaled[i + 1],
               [&](const Vec2d& from, const Vec2d& to) { coverage.add(from, to); });
  coverage.paint(image_, color_of_ink(ink));
}

}  // namespace octavo
