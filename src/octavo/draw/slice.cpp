#include "octavo/draw/slice.h"

#include <algorithm>
#include <cmath>

#include "octavo/base/error.h"
#include "octavo/draw/canvas.h"

namespace octavo {

namespace {

constexpr int subsamples = 4;  // along each axis, where leaves are smaller than a pixel or two

void check(const SliceOptions& o) {
  if (o.axis < 0 || o.axis > 2)
    throw InputError("a slice is across axis 0, 1 or 2, not {}", o.axis);
  if (!o.canvas && (o.size < 16 || o.size > 16384))
    throw InputError("a picture has a size of 16 to 16384 pixels, not {}", o.size);
  for (int a = 0; o.canvas && a < 2; ++a)
    if ((*o.canvas)[a] < 1 || (*o.canvas)[a] > 16384)
      throw InputError("a picture is 1 to 16384 pixels wide and high, not {}", (*o.canvas)[a]);
}

// It tells which position a pixel shows, in lattice units.
template <int Dim>
struct Projection {
  int right = 0, up = 1;
  Vec<Dim> plane{};  // what all pixels share
  double pixels_per_root = 1;
  int width = 0, height = 0;

  // Pixel coordinates count from the lower left corner of the drawing.
  Vec<Dim> lattice(double x, double y) const {
    Vec<Dim> p = plane;
    p[right] = x / pixels_per_root * root_lattice;
    p[up] = y / pixels_per_root * root_lattice;
    return p;
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
    require_inside(box, options.axis, position, "a slice");
    p.plane[options.axis] = (position - box.lo[options.axis]) * (root_lattice / domain.root_size);
  }
  const int across = domain.roots[p.right], high = domain.roots[p.up];
  if (const auto& canvas = options.canvas)
    p.pixels_per_root = std::min(static_cast<double>((*canvas)[0]) / across,
                                 static_cast<double>((*canvas)[1]) / high);
  else
    p.pixels_per_root = whole_pixels(static_cast<double>(options.size) / std::max(across, high));
  p.width = std::max(1, static_cast<int>(std::lround(across * p.pixels_per_root)));
  p.height = std::max(1, static_cast<int>(std::lround(high * p.pixels_per_root)));
  return p;
}

template <int Dim>
struct SlicePainter {
  const LeafPicture<Dim>& picture;
  const LeafColors<Dim>& colors;
  Projection<Dim> projection;
  bool lines, means;

  const OctreeView<Dim>& tree() const { return picture.tree; }

  LeafId leaf_at(const Vec<Dim>& at) const {
    const Lattice<Dim> extent = tree().domain.extent();
    Lattice<Dim> p{};
    for (int a = 0; a < Dim; ++a)
      p[a] = std::min(static_cast<std::uint32_t>(std::max(at[a], 0.0)), extent[a] - 1);
    return tree().leaf_at(p);
  }
  LeafId leaf_at(double x, double y) const { return leaf_at(projection.lattice(x, y)); }

  Color fill(double x, double y) const {
    const Vec<Dim> at = projection.lattice(x, y);
    const LeafId leaf = leaf_at(at);
    const Vec<Dim> from = at - tree().lo(leaf).template cast<double>();
    return colors(leaf, from * (1.0 / tree().leaf_key[leaf].size()));
  }

  // Where leaves are about as small as pixels, one sample would pick a leaf at random.
  Color average(int x, int y) const {
    Color sum{};
    for (int i = 0; i < subsamples; ++i)
      for (int j = 0; j < subsamples; ++j) {
        const double dx = (i + 0.5) / subsamples, dy = (j + 0.5) / subsamples;
        const Color c = fill(x + dx, y + dy);
        for (std::size_t k = 0; k < 3; ++k) sum[k] += c[k] / (subsamples * subsamples);
      }
    return sum;
  }

  // It is how dark the line between two leaves is: none below four pixels, in full from twelve.
  float line(LeafId leaf, LeafId other) const {
    if (leaf == other) return 0;
    const double pixels = projection.leaf_pixels(std::max(tree().level(leaf), tree().level(other)));
    return pixels < 4 ? 0
                      : static_cast<float>(std::clamp(0.25 + (pixels - 4) / 8 * 0.35, 0.0, 0.6));
  }

  Color leaves(int x, int y) const {
    const LeafId leaf = leaf_at(x + 0.5, y + 0.5);
    if (means || projection.leaf_pixels(tree().level(leaf)) < 2) return average(x, y);
    float darkness = 0;
    if (lines && x > 0) darkness = std::max(darkness, line(leaf, leaf_at(x - 0.5, y + 0.5)));
    if (lines && y > 0) darkness = std::max(darkness, line(leaf, leaf_at(x + 0.5, y - 0.5)));
    const Color color = fill(x + 0.5, y + 0.5);
    return colors.flat() ? mix(color, {0, 0, 0}, darkness) : colors.lined(color, darkness);
  }

  Color pixel(int x, int y) const {
    const Color color = leaves(x, y);
    if (!picture.solid_distance) return color;
    const Domain<Dim>& domain = tree().domain;
    const Vec<Dim> at = domain.origin + projection.lattice(x + 0.5, y + 0.5) * domain.unit();
    return with_solid(color,
                      picture.solid_distance(at) * projection.pixels_per_root / domain.root_size);
  }
};

template <int Dim>
void paint(Image& image, int left, int top, const SlicePainter<Dim>& painter) {
  const int high = painter.projection.height;
  const auto width = static_cast<std::size_t>(painter.projection.width);
  parallel_for("draw slice", width * static_cast<std::size_t>(high), [&](std::size_t i) {
    const int x = static_cast<int>(i % width), y = static_cast<int>(i / width);
    set_pixel(image, left + x, top + high - 1 - y, painter.pixel(x, y));
  });
}

}  // namespace

template <int Dim>
Image draw_slice(const LeafPicture<Dim>& picture, const SliceOptions& options) {
  check(options);
  const LeafColors<Dim> colors(picture, {options.min_level, options.max_level});
  const Projection<Dim> p = project(picture.tree.domain, options);
  const SlicePainter<Dim> painter{picture, colors, p, options.lines, options.means};
  if (options.canvas) {
    Image image((*options.canvas)[0], (*options.canvas)[1]);
    paint(image, (image.width - p.width) / 2, (image.height - p.height) / 2, painter);
    return image;
  }
  const bool legend = options.legend && options.paper;
  const int margin = options.paper ? picture_margin : 0;
  const int inner_height =
      std::max(p.height, legend ? legend_height(colors.legend(), p.height) : 0);
  Image image(p.width + 2 * margin + (legend ? legend_width(colors.legend()) : 0),
              inner_height + 2 * margin);
  fill_rectangle(image, 0, 0, image.width, image.height, paper_color);

  // This is the drawing with a frame around it, in the middle if the legend is higher.
  const int left = margin, top = margin + (inner_height - p.height) / 2;
  fill_rectangle(image, left - 1, top - 1, p.width + 2, p.height + 2, ink_color);
  paint(image, left, top, painter);
  if (legend)
    draw_legend(image, left + p.width + picture_margin, picture_margin, inner_height,
                colors.legend());
  return image;
}

template Image draw_slice<2>(const LeafPicture<2>&, const SliceOptions&);
template Image draw_slice<3>(const LeafPicture<3>&, const SliceOptions&);

}  // namespace octavo
