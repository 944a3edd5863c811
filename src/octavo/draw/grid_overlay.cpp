#include "octavo/draw/grid_overlay.h"

#include <algorithm>
#include <cmath>

#include "octavo/draw/leaf_lines.h"

namespace octavo {
namespace {

void check(const Box<3>& box, const GridOverlayOptions& o) {
  if (o.axis < 0 || o.axis > 2)
    throw InputError("a plane is across axis 0, 1 or 2, not {}", o.axis);
  if (o.position) require_inside(box, o.axis, *o.position, "a plane");
  if (!(o.opacity >= 0 && o.opacity <= 1))
    throw InputError("an opacity is between 0 and 1, not {}", o.opacity);
  if (!(o.width > 0 && o.width <= 64))
    throw InputError("lines are up to 64 pixels wide, not {}", o.width);
}

// It is a colour and how much of it is put over what is there.
struct Layer {
  Color color{};
  float cover = 0;
};

void blend(Image& image, int x, int y, const Layer& layer) {
  std::uint8_t* pixel = image.at(x, y);
  auto over = [&](std::size_t channel, float value) {
    const auto below = static_cast<float>(pixel[channel]);
    pixel[channel] =
        static_cast<std::uint8_t>(std::lround(below + (255 * value - below) * layer.cover));
  };
  for (std::size_t i = 0; i < 3; ++i) over(i, layer.color[i]);
  if (image.channels == 4) over(3, 1);
}

void blend(Picture& picture, int x, int y, const Layer& layer) {
  Picture::Pixel& pixel = picture.at(x, y);
  for (int i = 0; i < 3; ++i) {
    const float light = srgb_decoded(layer.color[static_cast<std::size_t>(i)]);
    pixel.light[i] += (light - pixel.light[i]) * layer.cover;
  }
  pixel.opacity += (1 - pixel.opacity) * layer.cover;
}

struct Edge {
  Vec3d from, direction;  // of length 1
  double length;
};

std::vector<Edge> edges_of(const Box<3>& box) {
  std::vector<Edge> edges;
  for (int a = 0; a < 3; ++a)
    for (int corner = 0; corner < 4; ++corner) {
      const int one = (a + 1) % 3, other = (a + 2) % 3;
      Edge edge{box.lo, {}, box.size()[a]};
      if ((corner & 1) != 0) edge.from[one] = box.hi[one];
      if ((corner & 2) != 0) edge.from[other] = box.hi[other];
      edge.direction[a] = 1;
      edges.push_back(edge);
    }
  return edges;
}

class OverlayPainter {
 public:
  OverlayPainter(const CameraRays& rays, const OctreeView<3>& tree,
                 const GridOverlayOptions& options)
      : rays_(rays),
        tree_(tree),
        options_(options),
        colors_(LeafPicture<3>{tree}, {options.min_level, options.max_level}),
        box_(tree.domain.box()),
        position_(options.position.value_or(box_.center()[options.axis])),
        edges_(edges_of(box_)),
        style_{options.width, 1} {}

  // The outline is in front of the lines of leaves.
  void paint(auto& picture, int x, int y) const {
    const Ray ray = rays_.through(x + 0.5, y + 0.5);
    for (const Layer& layer : {leaves(ray), outline(ray)})
      if (layer.cover > 0) blend(picture, x, y, layer);
  }

 private:
  float opacity() const { return static_cast<float>(options_.opacity); }

  Layer leaves(const Ray& ray) const {
    const int axis = options_.axis;
    const double distance = (position_ - ray.origin[axis]) / ray.direction[axis];
    if (!options_.leaves || !(distance > 0) || !std::isfinite(distance)) return {};
    const PlaneHit hit{ray, distance, axis};
    const LeafSpot spot = leaf_behind(tree_, hit, position_);
    const float cover = line_cover(tree_, spot, hit, rays_.pixel_size(distance), style_);
    return {colors_(spot.leaf, spot.local), cover * opacity()};
  }

  Layer outline(const Ray& ray) const {
    if (!options_.outline) return {};
    double cover = 0;
    for (const Edge& edge : edges_) cover = std::max(cover, cover_of(edge, ray));
    return {options_.outline_color, static_cast<float>(cover) * opacity()};
  }

  // It goes by how far the ray passes the edge where they are closest to each other.
  double cover_of(const Edge& edge, const Ray& ray) const {
    const Vec3d from = edge.from - ray.origin;
    const double along = dot(edge.direction, ray.direction), across = 1 - along * along;
    const double ahead = dot(from, ray.direction), back = dot(from, edge.direction);
    const double on_edge =
        across > 1e-12 ? std::clamp((along * ahead - back) / across, 0.0, edge.length) : 0.0;
    const Vec3d to = from + edge.direction * on_edge;
    const double distance = dot(to, ray.direction);
    if (!(distance > 0)) return 0;
    const double pixels = length(to - ray.direction * distance) / rays_.pixel_size(distance);
    return style_.cover(pixels);
  }

  const CameraRays& rays_;
  const OctreeView<3>& tree_;
  const GridOverlayOptions& options_;
  LeafColors<3> colors_;
  Box<3> box_;
  double position_;
  std::vector<Edge> edges_;
  LineStyle style_;
};

void draw(auto& picture, const CameraRays& rays, const OctreeView<3>& tree,
          const GridOverlayOptions& options) {
  check(tree.domain.box(), options);
  const OverlayPainter painter(rays, tree, options);
  parallel_blocks(
      "draw grid overlay", static_cast<std::size_t>(picture.height),
      [&](std::size_t row, std::size_t, std::size_t) {
        for (int x = 0; x < picture.width; ++x) painter.paint(picture, x, static_cast<int>(row));
      },
      std::size_t{1});
}

}  // namespace

void draw_grid_overlay(Image& image, const CameraRays& rays, const OctreeView<3>& tree,
                       const GridOverlayOptions& options) {
  draw(image, rays, tree, options);
}

void draw_grid_overlay(Picture& picture, const CameraRays& rays, const OctreeView<3>& tree,
                       const GridOverlayOptions& options) {
  draw(picture, rays, tree, options);
}

}  // namespace octavo
