#include "octavo/render/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "octavo/render/canvas.h"

namespace octavo {
namespace {

constexpr int text_scale = 2;
constexpr int swatch_width = 28, swatch_height = 22, gap = 8;
constexpr int tick_width = 5, least_bar = 120, most_bar = 480, pixels_per_tick = 48;

int title_height() { return text_height(text_scale) + gap; }

int bar_height(int room) { return std::clamp(room - title_height() - 2, least_bar, most_bar); }

std::vector<double> ticks_of(const ColorScale& scale, int height) {
  return round_ticks(scale.low, scale.high, std::max(3, height / pixels_per_tick + 1));
}

std::string number(double value) { return fmt::format("{:.6g}", value); }

void draw_levels(Image& image, int x, int y, const LevelRange& levels, const Color& ink) {
  const int count = levels.hi - levels.lo + 1;
  fill_rectangle(image, x - 1, y - 1, swatch_width + 2, count * swatch_height + 2, ink);
  for (int level = levels.hi; level >= levels.lo; --level, y += swatch_height) {
    fill_rectangle(image, x, y, swatch_width, swatch_height, levels.color(level));
    draw_text(image, x + swatch_width + gap, y + (swatch_height - text_height(text_scale)) / 2,
              fmt::format("{}", level), text_scale, ink);
  }
}

// The middle of its lowest row of pixels has the lowest value, that of the highest row the highest.
void draw_bar(Image& image, int x, int y, int height, const ColorScale& scale, const Color& ink) {
  fill_rectangle(image, x - 1, y - 1, swatch_width + 2, height + 2, ink);
  const double span = scale.high - scale.low;
  for (int row = 0; row < height; ++row)
    fill_rectangle(image, x, y + height - 1 - row, swatch_width, 1,
                   scale(scale.low + span * row / (height - 1)));
  for (const double tick : ticks_of(scale, height)) {
    const auto row = static_cast<int>(std::lround((tick - scale.low) / span * (height - 1)));
    const int at = y + height - 1 - row;
    fill_rectangle(image, x + swatch_width + 1, at, tick_width, 1, ink);
    draw_text(image, x + swatch_width + tick_width + gap, at - text_height(text_scale) / 2,
              number(tick), text_scale, ink);
  }
}

}  // namespace

int legend_width(const Legend& legend) {
  int width = swatch_width + gap + text_width("16", text_scale);
  if (const auto* scale = std::get_if<ColorScale>(&legend.colors))
    for (const double tick : ticks_of(*scale, most_bar))
      width =
          std::max(width, swatch_width + tick_width + gap + text_width(number(tick), text_scale));
  return picture_margin + std::max(width, text_width(legend.title, text_scale));
}

int legend_height(const Legend& legend, int room) {
  if (const auto* levels = std::get_if<LevelRange>(&legend.colors))
    return title_height() + (levels->hi - levels->lo + 1) * swatch_height;
  return title_height() + bar_height(room) + 2;
}

void draw_legend(Image& image, int x, int y, int room, const Legend& legend, const Color& ink) {
  draw_text(image, x, y, legend.title, text_scale, ink);
  y += title_height();
  if (const auto* levels = std::get_if<LevelRange>(&legend.colors))
    draw_levels(image, x, y, *levels, ink);
  else
    draw_bar(image, x, y, bar_height(room), std::get<ColorScale>(legend.colors), ink);
}

}  // namespace octavo
