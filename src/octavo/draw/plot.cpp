#include "octavo/draw/plot.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "octavo/draw/pen.h"

namespace octavo {
namespace {

// These are the margins, pixels.
constexpr double left_margin = 62, right_margin = 16, top_margin = 34, bottom_margin = 48;
constexpr double row_height = 16, letter_width = 6.5;  // of the legend, about

// These can be told apart with any kind of sight, in print as well (Okabe, Ito 2008).
constexpr std::array<const char*, 7> colors{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                            "#e69f00", "#56b4e9", "#000000"};

// With numbers beyond these, steps between marks of the axes cannot be told.
constexpr double smallest = 1e-200, largest = 1e200;

// This is where values are; for powers of ten low, high and step are exponents.
struct Axis {
  double low = 0, high = 1, step = 0.2;
  bool log = false;

  // The axis ends at the first multiple of a round step that holds all values.
  void fit() {
    if (!(high - low > smallest)) high = low + 1;
    const double raw = (high - low) / 5, power = std::pow(10, std::floor(std::log10(raw)));
    step = power * (raw / power > 5 ? 10 : raw / power > 2 ? 5 : raw / power > 1 ? 2 : 1);
    if (log) step = std::max(1.0, std::ceil((std::ceil(high) - std::floor(low)) / 8));
    low = std::floor(low / step + 1e-9) * step;
    high = std::ceil(high / step - 1e-9) * step;
  }
  bool has(double value) const { return std::abs(value) < largest && (!log || value > smallest); }
  double scaled(double value) const { return log ? std::log10(value) : value; }
  double part(double value) const { return (scaled(value) - low) / (high - low); }

  long ticks() const { return std::lround((high - low) / step); }
  double tick(long i) const {
    const double at = low + static_cast<double>(i) * step;
    return log ? std::pow(10, at) : at;
  }
};

class Drawing {
 public:
  explicit Drawing(const Plot& plot)
      : plot_(plot),
        width_(plot.width - left_margin - right_margin),
        height_(plot.height - top_margin - bottom_margin) {
    y_.log = plot.log_y;
    fit(x_, 0);
    fit(y_, 1);
    for (const Plot::Curve& curve : plot.curves) {
      curves_.emplace_back();
      for (const Vec2d& p : curve.points)
        if (is_shown(p)) curves_.back().push_back({x(p[0]), y(p[1])});
    }
  }

  void draw(Pen& pen) const {
    pen.text({plot_.width / 2.0, 20}, Pen::Anchor::middle, plot_.title, Pen::Style::bold);
    pen.text({left_margin + width_ / 2, plot_.height - 10.0}, Pen::Anchor::middle, plot_.x_label);
    pen.text({14, top_margin + height_ / 2}, Pen::Anchor::middle, plot_.y_label,
             Pen::Style::upwards);
    ticks(pen);
    const Vec2d corner = legend_corner();
    for (std::size_t c = 0; c < curves_.size(); ++c) {
      const char* color = colors[c % colors.size()];
      pen.curve(curves_[c], color, c % 3 == 2);  // dashed ones may be on top of others
      const std::string& name = plot_.curves[c].name;
      if (name.empty()) continue;
      const Vec2d at = corner + Vec2d{0, row_height * static_cast<double>(c)};
      pen.line(at + Vec2d{0, -4}, at + Vec2d{20, -4}, color);
      pen.text(at + Vec2d{26, 0}, Pen::Anchor::start, name);
    }
  }

 private:
  bool is_shown(const Vec2d& p) const { return x_.has(p[0]) && y_.has(p[1]); }
  double x(double value) const { return left_margin + width_ * x_.part(value); }
  double y(double value) const { return top_margin + height_ * (1 - y_.part(value)); }

  // Zero is in the picture, unless it cannot be.
  void fit(Axis& a, int axis) const {
    bool any = !a.log;
    a.low = a.high = 0;
    for (const Plot::Curve& curve : plot_.curves)
      for (const Vec2d& p : curve.points)
        if (is_shown(p)) {
          const double value = a.scaled(p[axis]);
          a.low = any ? std::min(a.low, value) : value;
          a.high = any ? std::max(a.high, value) : value;
          any = true;
        }
    a.fit();
  }

  void ticks(Pen& pen) const {
    auto ink = [](long i) { return i == 0 ? "#444" : "#ddd"; };
    for (long i = 0; i <= x_.ticks(); ++i) {
      const double v = x_.tick(i), at = x(v);
      pen.line({at, top_margin}, {at, top_margin + height_}, ink(i));
      pen.text({at, top_margin + height_ + 16}, Pen::Anchor::middle, fmt::format("{:.6g}", v));
    }
    for (long i = 0; i <= y_.ticks(); ++i) {
      const double v = y_.tick(i), at = y(v);
      pen.line({left_margin, at}, {left_margin + width_, at}, ink(i));
      pen.text({left_margin - 6, at + 4}, Pen::Anchor::end, fmt::format("{:.6g}", v));
    }
  }

  // It is where the first name's line begins: in the corner where curves pass least.
  Vec2d legend_corner() const {
    std::size_t longest = 0;
    for (const Plot::Curve& curve : plot_.curves) longest = std::max(longest, curve.name.size());
    const double rows = static_cast<double>(plot_.curves.size()) - 1;
    const double wide = 26 + letter_width * static_cast<double>(longest), high = row_height * rows;
    const double far = std::max(left_margin + 10, left_margin + width_ - 10 - wide),
                 near = left_margin + 10;
    const double low = top_margin + height_ - 10 - high, up = top_margin + 18;
    Vec2d best{near, low};
    int least = -1;
    for (const Vec2d& corner : {best, Vec2d{far, up}, Vec2d{near, up}, Vec2d{far, low}}) {
      const int passing =
          passing_through({corner - Vec2d{4, 12}, corner + Vec2d{wide + 4, high + 4}});
      if (least >= 0 && passing >= least) continue;
      least = passing;
      best = corner;
    }
    return best;
  }

  // It is about how many pixels of curves are in a box.
  int passing_through(const Box<2>& box) const {
    int count = 0;
    for (const std::vector<Vec2d>& points : curves_)
      for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec2d from = points[i], along = points[i + 1 < points.size() ? i + 1 : i] - from;
        const int parts = 1 + static_cast<int>(length(along) / 2);
        for (int k = 0; k < parts; ++k)
          count += box.contains(from + along * (static_cast<double>(k) / parts));
      }
    return count;
  }

  const Plot& plot_;
  double width_, height_;
  Axis x_, y_;
  std::vector<std::vector<Vec2d>> curves_;  // in pixels
};

}  // namespace

std::string svg(const Plot& plot) {
  SvgPen pen(plot.width, plot.height);
  Drawing(plot).draw(pen);
  return pen.finished();
}

Image drawn(const Plot& plot) {
  PixelPen pen(plot.width, plot.height);
  Drawing(plot).draw(pen);
  return pen.finished();
}

}  // namespace octavo
