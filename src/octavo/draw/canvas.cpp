#include "octavo/draw/canvas.h"

#include "octavo/draw/font.h"

namespace octavo {

namespace {

void draw_glyph(Image& image, int x, int y, const font::Glyph& glyph, int scale,
                const Color& color) {
  for (int row = 0; row < font::height + font::tail; ++row)
    for (int column = 0; column < font::width; ++column)
      if (font::dot(glyph, column, row))
        fill_rectangle(image, x + column * scale, y + row * scale, scale, scale, color);
}

}  // namespace

void set_pixel(Image& image, int x, int y, const Color& color) {
  std::uint8_t* pixel = image.at(x, y);
  for (std::size_t i = 0; i < 3; ++i)
    pixel[i] = static_cast<std::uint8_t>(std::lround(std::clamp(color[i], 0.0f, 1.0f) * 255.0f));
}

void fill_rectangle(Image& image, int x, int y, int width, int height, const Color& color) {
  for (int j = std::max(y, 0); j < std::min(y + height, image.height); ++j)
    for (int i = std::max(x, 0); i < std::min(x + width, image.width); ++i)
      set_pixel(image, i, j, color);
}

void draw_text(Image& image, int x, int y, std::string_view text, int scale, const Color& color) {
  for (const char sign : text) {
    draw_glyph(image, x, y, font::glyph(sign), scale, color);
    x += font::step * scale;
  }
}

int text_width(std::string_view text, int scale) {
  return text.empty() ? 0 : (static_cast<int>(text.size()) * font::step - 1) * scale;
}

}  // namespace octavo
