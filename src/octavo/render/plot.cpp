#include "octavo/render/plot.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace octavo {
namespace {

constexpr double left = 62, right = 16, top = 34, bottom = 48;  // margins, pixels

// Distinguishable with any kind of sight, in print as well (Okabe, Ito 2008).
constexpr std::array<const char*, 7> colors{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                            "#e69f00", "#56b4e9", "#000000"};

struct Axis {
  double low = 0, high = 1, step = 0.2;

  // Ends at the first multiple of a round step that holds all values.
  void fit() {
    if (!(high > low)) high = low + 1;
    const double raw = (high - low) / 5, power = std::pow(10, std::floor(std::log10(raw)));
    step = power * (raw / power > 5 ? 10 : raw / power > 2 ? 5 : raw / power > 1 ? 2 : 1);
    low = std::floor(low / step + 1e-9) * step;
    high = std::ceil(high / step - 1e-9) * step;
  }
  double part(double value) const { return (value - low) / (high - low); }
};

Axis axis_of(const Plot& plot, int axis) {
  Axis a{0, 0, 1};
  for (const Plot::Curve& curve : plot.curves)
    for (const Vec2d& p : curve.points)
      if (std::isfinite(p[0]) && std::isfinite(p[1])) {
        a.low = std::min(a.low, p[axis]);
        a.high = std::max(a.high, p[axis]);
      }
  a.fit();
  return a;
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text)
    safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return safe;
}

class Drawing {
 public:
  explicit Drawing(const Plot& plot)
      : plot_(plot),
        x_(axis_of(plot, 0)),
        y_(axis_of(plot, 1)),
        width_(plot.width - left - right),
        height_(plot.height - top - bottom) {}

  std::string draw() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" "
        "font-family=\"sans-serif\" "
        "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        plot_.width, plot_.height);
    text(plot_.width / 2.0, 20, "middle", plot_.title, " font-weight=\"bold\"");
    text(left + width_ / 2, plot_.height - 10, "middle", plot_.x_label);
    text(0, 0, "middle", plot_.y_label,
         fmt::format(" transform=\"translate(14 {:.1f}) rotate(-90)\"", top + height_ / 2));
    ticks();
    for (std::size_t c = 0; c < plot_.curves.size(); ++c) curve(c);
    return out_ + "</svg>\n";
  }

 private:
  double x(double value) const { return left + width_ * x_.part(value); }
  double y(double value) const { return top + height_ * (1 - y_.part(value)); }

  void text(double at_x, double at_y, const char* anchor, const std::string& what,
            const std::string& more = "") {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", at_x,
                        at_y, anchor, more, escaped(what));
  }

  void line(double x0, double y0, double x1, double y1, const char* color) {
    out_ += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\"/>\n", x0, y0, x1,
                        y1, color);
  }

  void ticks() {
    auto count = [](const Axis& a) { return std::lround((a.high - a.low) / a.step); };
    for (long i = 0; i <= count(x_); ++i) {
      const double v = x_.low + static_cast<double>(i) * x_.step;
      line(x(v), top, x(v), top + height_, i == 0 ? "#444" : "#ddd");
      text(x(v), top + height_ + 16, "middle", fmt::format("{:.6g}", v));
    }
    for (long i = 0; i <= count(y_); ++i) {
      const double v = y_.low + static_cast<double>(i) * y_.step;
      line(left, y(v), left + width_, y(v), i == 0 ? "#444" : "#ddd");
      text(left - 6, y(v) + 4, "end", fmt::format("{:.6g}", v));
    }
  }

  // Names stand at the lower left, one under the other.
  void curve(std::size_t c) {
    const char* color = colors[c % colors.size()];
    std::string path;
    for (const Vec2d& p : plot_.curves[c].points)
      if (std::isfinite(p[0]) && std::isfinite(p[1]))
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x(p[0]), y(p[1]));
    const char* dashes =
        c % 3 == 2 ? " stroke-dasharray=\"7 5\"" : "";  // for curves on top of others
    out_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", path,
                        color, dashes);
    const double row = top + height_ - 10 - 16 * static_cast<double>(plot_.curves.size() - 1 - c);
    line(left + 10, row - 4, left + 30, row - 4, color);
    text(left + 36, row, "start", plot_.curves[c].name);
  }

  const Plot& plot_;
  Axis x_, y_;
  double width_, height_;
  std::string out_;
};

}  // namespace

std::string svg(const Plot& plot) { return Drawing(plot).draw(); }

}  // namespace octavo
