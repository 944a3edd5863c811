#pragma once

// A plot is drawn with a pen: lines, curves and text, in pixels of the plot from its upper left corner. One pen
// writes SVG, the other one colours the pixels of an image.

#include <string>
#include <vector>

#include "octavo/base/vec.h"
#include "octavo/image/image.h"

namespace octavo {

class Pen {
 public:
  enum class Anchor { start, middle, end };   // which part of a text is at the place
  enum class Style { plain, bold, upwards };  // upwards: turned to the left
  using Ink = const char*;                    // as in SVG: "#rgb" or "#rrggbb"

  virtual ~Pen() = default;
  virtual void text(Vec2d at, Anchor anchor, const std::string& what,
                    Style style = Style::plain) = 0;
  virtual void line(Vec2d from, Vec2d to, Ink ink) = 0;
  // A curve is two pixels wide.
  virtual void curve(const std::vector<Vec2d>& points, Ink ink, bool dashed) = 0;
};

class SvgPen : public Pen {
 public:
  SvgPen(int width, int height);
  void text(Vec2d at, Anchor anchor, const std::string& what, Style style) override;
  void line(Vec2d from, Vec2d to, Ink ink) override;
  void curve(const std::vector<Vec2d>& points, Ink ink, bool dashed) override;

  std::string finished() const { return out_ + "</svg>\n"; }

 private:
  std::string out_;
};

// It has two pixels of the image for each of the plot, so that text can be read and lines are smooth.
class PixelPen : public Pen {
 public:
  static constexpr int scale = 2;

  PixelPen(int width, int height);
  void text(Vec2d at, Anchor anchor, const std::string& what, Style style) override;
  void line(Vec2d from, Vec2d to, Ink ink) override;
  void curve(const std::vector<Vec2d>& points, Ink ink, bool dashed) override;

  const Image& finished() const { return image_; }

 private:
  void text_upwards(Vec2d middle, const std::string& what);

  Image image_;
};

}  // namespace octavo
