#pragma once

// A legend tells what colours mean, beside a picture: it is a list of levels or of names, or a bar with
// numbers.
//
//   const Legend legend{"density", color_scale(values, ColorMap::viridis, {})};
//   Image image(width + legend_width(legend), height);
//   draw_legend(image, width + picture_margin, picture_margin, height, legend);

#include <string>
#include <variant>
#include <vector>

#include "octavo/draw/color_scale.h"
#include "octavo/image/image.h"

namespace octavo {

inline constexpr int picture_margin = 16;  // of paper around drawings, pixels
inline constexpr Color paper_color{1, 1, 1}, ink_color{0.2f, 0.2f, 0.24f};

struct LevelRange {
  int lo, hi;

  // Coarse leaves are light, so that their outlines show; fine ones, without outlines, are dark.
  Color color(int level) const {
    const float t = hi > lo ? static_cast<float>(level - lo) / static_cast<float>(hi - lo) : 0.5f;
    return viridis(1.0f - t);
  }
};

// Categories are told apart by colour only: Okabe and Ito's colours, which are different for all eyes, come
// first, then darker ones.
struct Categories {
  std::vector<std::string> names;

  static Color color(std::size_t i);
};

struct Legend {
  std::string title;
  std::variant<LevelRange, ColorScale, Categories> colors;
};

// The width includes a margin on the left. A bar takes what it may of the room; a list takes what it needs.
int legend_width(const Legend& legend);
int legend_height(const Legend& legend, int room);

// (x, y) is the upper left corner.
void draw_legend(Image& image, int x, int y, int room, const Legend& legend,
                 const Color& ink = ink_color);

}  // namespace octavo
