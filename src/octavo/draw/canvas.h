#pragma once

// This draws on an image of three channels: pixels, rectangles and text.

#include <string_view>

#include "octavo/draw/color_map.h"
#include "octavo/image/image.h"

namespace octavo {

void set_pixel(Image& image, int x, int y, const Color& color);

// Pixels outside the image are left out.
void fill_rectangle(Image& image, int x, int y, int width, int height, const Color& color);

// Text consists of signs of ASCII in a grid of 5 x 7 dots, each `scale` pixels wide; (x, y) is the upper left
// corner. Tails of letters hang two dots below. Other signs stay blank.
inline constexpr int text_scale = 2;  // of most texts
void draw_text(Image& image, int x, int y, std::string_view text, int scale, const Color& color);
int text_width(std::string_view text, int scale);
inline int text_height(int scale) { return 7 * scale; }

}  // namespace octavo
