#include "octavo/draw/montage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "octavo/base/error.h"
#include "octavo/draw/canvas.h"
#include "octavo/draw/difference.h"
#include "octavo/draw/font.h"
#include "octavo/image/resize.h"

namespace octavo {
namespace {

constexpr Color paper{1, 1, 1}, letters{0.2f, 0.2f, 0.24f};
constexpr int margin = 16, row = (font::height + font::tail) * text_scale;
constexpr int text_gap = 8;  // between a picture and the text below it

Image blank(int width, int height) {
  Image image(width, height);
  fill_rectangle(image, 0, 0, width, height, paper);
  return image;
}

void put(Image& onto, int x, int y, const Image& image) {
  for (int j = 0; j < image.height; ++j)
    std::copy_n(image.at(0, j), 3 * image.width, onto.at(x, y + j));
}

// It is as much of a text's end as there is room for: names of folders and files differ there.
std::string fitted(const std::string& text, int width) {
  const auto room =
      static_cast<std::size_t>(std::max(0, (width + text_scale) / (font::step * text_scale)));
  if (text.size() <= room) return text;
  return room < 4 ? text.substr(text.size() - room) : "..." + text.substr(text.size() - room + 3);
}

void centred_text(Image& image, int x, int y, int width, const std::string& text) {
  const std::string what = fitted(text, width);
  draw_text(image, x + (width - text_width(what, text_scale)) / 2, y, what, text_scale, letters);
}

// The result has the same shape in at most this width and height.
Image shrunk(const Image& image, int width, int height) {
  const double scale = std::min({1.0, 1.0 * width / image.width, 1.0 * height / image.height});
  auto size = [&](int from) { return std::max(1, static_cast<int>(std::lround(from * scale))); };
  return resized(on_black(image), size(image.width), size(image.height));
}

int columns_of(const std::vector<Image>& images, const SheetOptions& options) {
  const int count = static_cast<int>(images.size());
  const double shape = static_cast<double>(images.front().height) / images.front().width;
  const int square = static_cast<int>(std::lround(std::sqrt(count * shape)));
  const int columns = options.columns > 0 ? options.columns : std::max(1, square);
  return std::min(columns, count);
}

// The panel is near the wanted width, with pixels that stay squares if there are few.
Image panel(const Image& image, int width) {
  if (image.width >= width) return shrunk(image, width, image.height);
  const int factor = std::max(1, width / image.width);
  return resized(on_black(image), factor * image.width, factor * image.height);
}

// It shows what the colours of a difference mean: blue is darker, red is lighter.
void color_bar(Image& image, int x, int y, int width) {
  const int words = text_width("lighter", text_scale) + text_gap;
  if (width < 2 * words + 16) return;
  draw_text(image, x, y, "darker", text_scale, letters);
  draw_text(image, x + width - words + text_gap, y, "lighter", text_scale, letters);
  const int length = width - 2 * words;
  for (int i = 0; i < length; ++i)
    fill_rectangle(
        image, x + words + i, y, 1, text_height(text_scale),
        blue_white_red(2 * (static_cast<float>(i) + 0.5f) / static_cast<float>(length) - 1));
}

std::string psnr_text(double decibels) {
  return std::isinf(decibels) ? "equal" : fmt::format("PSNR {:.1f} dB", decibels);
}

}  // namespace

Image sheet(const std::vector<Image>& images, const std::vector<std::string>& labels,
            const SheetOptions& options) {
  if (images.empty()) throw InputError("a sheet needs at least one picture");
  const int columns = columns_of(images, options);
  const int room = (options.width - margin) / columns - margin;
  if (room < 8) throw InputError("{} columns do not fit in {} pixels", columns, options.width);
  std::vector<Image> small;
  int wide = 0, high = 0;  // of a cell
  for (const Image& image : images) {
    small.push_back(shrunk(image, room, image.height));
    wide = std::max(wide, small.back().width);
    high = std::max(high, small.back().height);
  }
  const int text = labels.empty() ? 0 : text_gap + row;
  const int rows = (static_cast<int>(images.size()) + columns - 1) / columns;
  Image whole = blank(margin + columns * (wide + margin), margin + rows * (high + text + margin));
  for (int i = 0; i < static_cast<int>(images.size()); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const int x = margin + i % columns * (wide + margin);
    const int y = margin + i / columns * (high + text + margin);
    put(whole, x + (wide - small[k].width) / 2, y + (high - small[k].height) / 2, small[k]);
    if (k < labels.size()) centred_text(whole, x, y + high + text_gap, wide, labels[k]);
  }
  return whole;
}

Image side_by_side(const Image& one, const Image& other, const SideBySide& o) {
  const Image third = panel(difference(one, other, o.gain), o.width);
  const int wide = third.width, high = third.height, step = wide + margin;
  const int top = margin + row + text_gap, below = top + high + text_gap;
  Image whole = blank(margin + 3 * step, below + 2 * (row + text_gap) + margin - text_gap);
  const double decibels = psnr(one, other);
  centred_text(whole, margin, margin, 3 * step - margin, o.title);
  put(whole, margin, top, panel(one, o.width));
  put(whole, margin + step, top, panel(other, o.width));
  put(whole, margin + 2 * step, top, third);
  centred_text(whole, margin, below, wide, o.left);
  centred_text(whole, margin + step, below, wide, o.right);
  centred_text(whole, margin + 2 * step, below, wide,
               o.gain == 1 ? "difference" : fmt::format("difference x {}", o.gain));
  const int last = below + row + text_gap;
  centred_text(whole, margin + step, last, wide, psnr_text(decibels));
  color_bar(whole, margin + 2 * step, last, wide);
  return whole;
}

}  // namespace octavo
