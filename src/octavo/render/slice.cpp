#include "octavo/render/slice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "octavo/base/error.h"
#include "octavo/render/canvas.h"

namespace octavo {

namespace {

constexpr Color paper{1, 1, 1}, ink{0.2f, 0.2f, 0.24f};
constexpr int margin = 16, text_scale = 2;
constexpr int swatch_width = 28, swatch_height = 22, swatch_gap = 8;
constexpr int subsamples = 4;  // along each axis, where leaves are smaller than a pixel or two

void check(const SliceOptions& o) {
  if (o.axis < 0 || o.axis > 2)
    throw InputError("a slice is across axis 0, 1 or 2, not {}", o.axis);
  if (o.size < 16 || o.size > 16384)
    throw InputError("a picture has a size of 16 to 16384 pixels, not {}", o.size);
  for (const int level : {o.min_level, o.max_level})
    if (level < -1 || level > max_level)
      throw InputError("a level is between 0 and {}, not {}", max_level, level);
  if (o.min_level >= 0 && o.max_level >= 0 && o.min_level > o.max_level)
    throw InputError("the lowest level of a picture, {}, is above the highest, {}", o.min_level,
                     o.max_level);
}

struct LevelRange {
  int lo, hi;

  // Coarse leaves are light, so that their outlines show; fine ones, without outlines, are dark.
  Color color(int level) const {
    const float t = hi > lo ? static_cast<float>(level - lo) / static_cast<float>(hi - lo) : 0.5f;
    return viridis(1.0f - t);
  }
};

template <int Dim>
LevelRange level_range(const OctreeView<Dim>& tree, const SliceOptions& options) {
  auto level = [&](std::size_t i) { return static_cast<double>(tree.level(LeafId(i))); };
  LevelRange range{options.min_level, options.max_level};
  if (range.lo < 0)
    range.lo = static_cast<int>(-parallel_max("lowest level", tree.leaf_count(), -max_level,
                                              [&](std::size_t i) { return -level(i); }));
  if (range.hi < 0)
    range.hi = static_cast<int>(parallel_max("highest level", tree.leaf_count(), 0, level));
  range.lo = std::min(range.lo, range.hi);
  return range;
}

// Which lattice position a pixel shows.
template <int Dim>
struct Projection {
  int right = 0, up = 1;
  Lattice<Dim> plane{};  // what all pixels share
  double pixels_per_root = 1;
  int width = 0, height = 0;

  std::uint32_t along(double pixel, std::uint32_t extent) const {
    const double x = pixel / pixels_per_root * root_lattice;
    return std::min(static_cast<std::uint32_t>(std::max(x, 0.0)), extent - 1);
  }
  double leaf_pixels(int level) const { return std::ldexp(pixels_per_root, -level); }
};

// Leaves whose outlines are drawn should be a whole number of pixels wide: else their widths
// alternate and the eye sees a pattern that is not there. So the scale is rounded down to a
// multiple of a power of two, that of the last level whose leaves are four pixels or larger. It
// does not depend on the tree: the frames of a run have one size.
double whole_pixels(double pixels_per_root) {
  double multiple = 1;
  while (pixels_per_root >= 8 * multiple) multiple *= 2;
  return pixels_per_root < 1 ? pixels_per_root : std::floor(pixels_per_root / multiple) * multiple;
}

template <int Dim>
Projection<Dim> project(const Domain<Dim>& domain, const SliceOptions& options) {
  Projection<Dim> p;
  if constexpr (Dim == 3) {
    p.right = options.axis == 0 ? 1 : 0;
    p.up = options.axis == 2 ? 1 : 2;
    const Box<3> box = domain.box();
    const double position = options.position.value_or(box.center()[options.axis]);
    if (!(position >= box.lo[options.axis] && position <= box.hi[options.axis]))
      throw InputError("a slice at {} m is outside the domain, which goes from {} to {} m",
                       position, box.lo[options.axis], box.hi[options.axis]);
    Vec3d point = box.lo;
    point[options.axis] = position;
    p.plane = domain.lattice(point);
  }
  const int across = domain.roots[p.right], high = domain.roots[p.up];
  p.pixels_per_root = whole_pixels(static_cast<double>(options.size) / std::max(across, high));
  p.width = std::max(1, static_cast<int>(std::lround(across * p.pixels_per_root)));
  p.height = std::max(1, static_cast<int>(std::lround(high * p.pixels_per_root)));
  return p;
}

template <int Dim>
struct SlicePainter {
  OctreeView<Dim> tree;
  Projection<Dim> projection;
  LevelRange levels;
  bool lines;

  // Pixel coordinates count from the lower left corner of the drawing.
  LeafId leaf_at(double x, double y) const {
    Lattice<Dim> p = projection.plane;
    const Lattice<Dim> extent = tree.domain.extent();
    p[projection.right] = projection.along(x, extent[projection.right]);
    p[projection.up] = projection.along(y, extent[projection.up]);
    return tree.leaf_at(p);
  }

  Color fill(LeafId leaf) const { return levels.color(tree.level(leaf)); }

  // Where leaves are about as small as pixels, one sample would pick a leaf at random.
  Color average(int x, int y) const {
    Color sum{};
    for (int i = 0; i < subsamples; ++i)
      for (int j = 0; j < subsamples; ++j) {
        const double dx = (i + 0.5) / subsamples, dy = (j + 0.5) / subsamples;
        const Color c = fill(leaf_at(x + dx, y + dy));
        for (std::size_t k = 0; k < 3; ++k) sum[k] += c[k] / (subsamples * subsamples);
      }
    return sum;
  }

  // How dark the line between two leaves is: none below four pixels, in full from twelve.
  float line(LeafId leaf, LeafId other) const {
    if (leaf == other) return 0;
    const double pixels = projection.leaf_pixels(std::max(tree.level(leaf), tree.level(other)));
    return pixels < 4 ? 0
                      : static_cast<float>(std::clamp(0.25 + (pixels - 4) / 8 * 0.35, 0.0, 0.6));
  }

  Color pixel(int x, int y) const {
    const LeafId leaf = leaf_at(x + 0.5, y + 0.5);
    if (projection.leaf_pixels(tree.level(leaf)) < 2) return average(x, y);
    float darkness = 0;
    if (lines && x > 0) darkness = std::max(darkness, line(leaf, leaf_at(x - 0.5, y + 0.5)));
    if (lines && y > 0) darkness = std::max(darkness, line(leaf, leaf_at(x + 0.5, y - 0.5)));
    return mix(fill(leaf), {0, 0, 0}, darkness);
  }
};

int legend_width() {
  return margin + std::max(swatch_width + swatch_gap + text_width("16", text_scale),
                           text_width("level", text_scale));
}

int legend_height(const LevelRange& levels) {
  return text_height(text_scale) + swatch_gap + (levels.hi - levels.lo + 1) * swatch_height;
}

void draw_legend(Image& image, int x, int y, const LevelRange& levels) {
  draw_text(image, x, y, "level", text_scale, ink);
  y += text_height(text_scale) + swatch_gap;
  const int count = levels.hi - levels.lo + 1;
  fill_rectangle(image, x - 1, y - 1, swatch_width + 2, count * swatch_height + 2, ink);
  for (int level = levels.hi; level >= levels.lo; --level, y += swatch_height) {
    fill_rectangle(image, x, y, swatch_width, swatch_height, levels.color(level));
    draw_text(image, x + swatch_width + swatch_gap,
              y + (swatch_height - text_height(text_scale)) / 2, fmt::format("{}", level),
              text_scale, ink);
  }
}

}  // namespace

template <int Dim>
Image draw_slice(const OctreeView<Dim>& tree, const SliceOptions& options) {
  check(options);
  const LevelRange levels = level_range(tree, options);
  const Projection<Dim> p = project(tree.domain, options);
  const int inner_height = std::max(p.height, options.legend ? legend_height(levels) : 0);
  Image image(p.width + 2 * margin + (options.legend ? legend_width() : 0),
              inner_height + 2 * margin);
  fill_rectangle(image, 0, 0, image.width, image.height, paper);

  // The drawing with a frame around it, in the middle if the legend is higher.
  const int left = margin, top = margin + (inner_height - p.height) / 2;
  fill_rectangle(image, left - 1, top - 1, p.width + 2, p.height + 2, ink);
  const SlicePainter<Dim> painter{tree, p, levels, options.lines};
  const auto width = static_cast<std::size_t>(p.width), height = static_cast<std::size_t>(p.height);
  parallel_for("draw slice", width * height, [&](std::size_t i) {
    const int x = static_cast<int>(i % width), y = static_cast<int>(i / width);
    set_pixel(image, left + x, top + p.height - 1 - y, painter.pixel(x, y));
  });
  if (options.legend) draw_legend(image, left + p.width + margin, margin, levels);
  return image;
}

template Image draw_slice<2>(const OctreeView<2>&, const SliceOptions&);
template Image draw_slice<3>(const OctreeView<3>&, const SliceOptions&);

}  // namespace octavo
