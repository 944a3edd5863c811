#include "octavo/render/canvas.h"

namespace octavo {

namespace {

constexpr int glyph_width = 5, glyph_height = 7, glyph_step = 6;

struct Glyph {
  char sign;
  std::uint8_t rows[glyph_height];  // from the top; the highest of 5 bits is the leftmost dot
};

// clang-format off
constexpr Glyph font[] = {
    {'0', {0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110}},
    {'1', {0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110}},
    {'2', {0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111}},
    {'3', {0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110}},
    {'4', {0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010}},
    {'5', {0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110}},
    {'6', {0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110}},
    {'7', {0b11111, 0b00001, 0b00010, 0b00100, 0b00100, 0b01000, 0b01000}},
    {'8', {0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110}},
    {'9', {0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100}},
    {'l', {0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110}},
    {'e', {0b00000, 0b00000, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110}},
    {'v', {0b00000, 0b00000, 0b10001, 0b10001, 0b10001, 0b01010, 0b00100}},
};
// clang-format on

void draw_glyph(Image& image, int x, int y, const Glyph& glyph, int scale, const Color& color) {
  for (int row = 0; row < glyph_height; ++row)
    for (int column = 0; column < glyph_width; ++column)
      if (glyph.rows[row] >> (glyph_width - 1 - column) & 1)
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
    for (const Glyph& glyph : font)
      if (glyph.sign == sign) draw_glyph(image, x, y, glyph, scale, color);
    x += glyph_step * scale;
  }
}

int text_width(std::string_view text, int scale) {
  return text.empty() ? 0 : (static_cast<int>(text.size()) * glyph_step - 1) * scale;
}

}  // namespace octavo
