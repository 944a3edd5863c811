#include <fmt/format.h>

#include "octavo/draw/pen.h"

namespace octavo {
namespace {

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text)
    safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return safe;
}

const char* name(Pen::Anchor anchor) {
  return anchor == Pen::Anchor::start ? "start" : anchor == Pen::Anchor::middle ? "middle" : "end";
}

}  // namespace

SvgPen::SvgPen(int width, int height)
    : out_(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" "
                       "font-family=\"sans-serif\" "
                       "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
                       width, height)) {}

void SvgPen::text(Vec2d at, Anchor anchor, const std::string& what, Style style) {
  std::string more;
  if (style == Style::bold) more = " font-weight=\"bold\"";
  if (style == Style::upwards) {
    more = fmt::format(" transform=\"translate({} {:.1f}) rotate(-90)\"", at[0], at[1]);
    at = {0, 0};
  }
  out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", at[0],
                      at[1], name(anchor), more, escaped(what));
}

void SvgPen::line(Vec2d from, Vec2d to, Ink ink) {
  out_ += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\"/>\n", from[0],
                      from[1], to[0], to[1], ink);
}

void SvgPen::curve(const std::vector<Vec2d>& points, Ink ink, bool dashed) {
  std::string path;
  for (const Vec2d& p : points)
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", p[0], p[1]);
  out_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", path,
                      ink, dashed ? " stroke-dasharray=\"7 5\"" : "");
}

}  // namespace octavo
