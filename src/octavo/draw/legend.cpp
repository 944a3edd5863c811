#include "octavo/draw/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "octavo/draw/canvas.h"

namespace octavo {
namespace {

constexpr int swatch_width = 28, swatch_height = 22, gap = 8;
constexpr int tick_width = 5, least_bar = 120, most_bar = 480, pixels_per_tick = 48;

int title_height() { return text_height(text_scale) + gap; }

int bar_height(int room) { return std::clamp(room - title_height() - 2, least_bar, most_bar); }

std::vector<double> ticks_of(const ColorScale& scale, int height) {
  return round_ticks(scale.low, scale.high, std::max(3, height / pixels_per_tick + 1));
}

std::string number(double value) { return fmt::format("{:.6g}", value); }

// It is a colour and what it stands for.
struct Entry {
  std::string text;
  Color color;
};

std::vector<Entry> entries_of(const Legend& legend) {
  std::vector<Entry> entries;
  if (const auto* levels = std::get_if<LevelRange>(&legend.colors))
    for (int level = levels->hi; level >= levels->lo; --level)
      entries.push_back({fmt::format("{}", level), levels->color(level)});
  if (const auto* all = std::get_if<Categories>(&legend.colors))
    for (std::size_t i = 0; i < all->names.size(); ++i)
      entries.push_back({all->names[i], Categories::color(i)});
  return entries;
}

void draw_list(Image& image, int x, int y, const std::vector<Entry>& entries, const Color& ink) {
  fill_rectangle(image, x - 1, y - 1, swatch_width + 2,
                 static_cast<int>(entries.size()) * swatch_height + 2, ink);
  for (const Entry& entry : entries) {
    fill_rectangle(image, x, y, swatch_width, swatch_height, entry.color);
    draw_text(image, x + swatch_width + gap, y + (swatch_height - text_height(text_scale)) / 2,
              entry.text, text_scale, ink);
    y += swatch_height;
  }
}

// The middle of the bar's lowest row of pixels has the lowest value, that of the highest row the
// highest.
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

Color Categories::color(std::size_t i) {
  constexpr std::array<std::uint32_t, 8> colors{0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442,
                                                0x0072b2, 0xd55e00, 0xcc79a7, 0xb0b0b0};
  const Color color = color_of(colors[i % colors.size()]);
  return i < colors.size() ? color : mix(color, {0, 0, 0}, 0.4f);
}

int legend_width(const Legend& legend) {
  int width = swatch_width + gap + text_width("16", text_scale);
  if (const auto* scale = std::get_if<ColorScale>(&legend.colors))
    for (const double tick : ticks_of(*scale, most_bar))
      width =
          std::max(width, swatch_width + tick_width + gap + text_width(number(tick), text_scale));
  for (const Entry& entry : entries_of(legend))
    width = std::max(width, swatch_width + gap + text_width(entry.text, text_scale));
  return picture_margin + std::max(width, text_width(legend.title, text_scale));
}

int legend_height(const Legend& legend, int room) {
  if (std::holds_alternative<ColorScale>(legend.colors))
    return title_height() + bar_height(room) + 2;
  return title_height() + static_cast<int>(entries_of(legend).size()) * swatch_height;
}

void draw_legend(Image& image, int x, int y, int room, const Legend& legend, const Color& ink) {
  draw_text(image, x, y, legend.title, text_scale, ink);
  y += title_height();
  if (const auto* scale = std::get_if<ColorScale>(&legend.colors))
    draw_bar(image, x, y, bar_height(room), *scale, ink);
  else
    draw_list(image, x, y, entries_of(legend), ink);
}

}  // namespace octavo
