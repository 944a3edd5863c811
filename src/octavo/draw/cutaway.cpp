#include "octavo/draw/cutaway.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "octavo/draw/canvas.h"
#include "octavo/draw/cut_solid.h"
#include "octavo/draw/leaf_lines.h"

namespace octavo {
namespace {

constexpr int samples = 3;             // of a pixel, along each axis
constexpr float line_darkness = 0.6f;  // as in a slice

void check_cut(const Box<3>& box, const CutawayOptions& o) {
  if (o.axis < 0 || o.axis > 2)
    throw InputError("a cut is across or along axis 0, 1 or 2, not {}", o.axis);
  if (o.position)
    for (int a = 0; a < 3; ++a) require_inside(box, a, (*o.position)[a], "a cut");
}

void check(const Box<3>& box, const Camera& camera, const CutawayOptions& o) {
  check_cut(box, o);
  for (int a = 0; a < 2; ++a)
    if (camera.resolution[a] < 16 || camera.resolution[a] > 16384)
      throw InputError("a picture has a size of 16 to 16384 pixels, not {}", camera.resolution[a]);
  if (o.cut == CutPart::nothing && box.contains(camera.position))
    throw InputError("the camera is inside of the block");
}

bool is_cut(const CutawayOptions& o, int axis) {
  if (o.cut == CutPart::half) return axis == o.axis;
  if (o.cut == CutPart::quarter) return axis != o.axis;
  return o.cut == CutPart::octant;
}

// The camera itself is always in it.
Box<3> removed_part(const Box<3>& box, const Camera& camera, const CutawayOptions& options) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Vec3d position = options.position.value_or(box.center());
  Box<3> removed{Vec3d::filled(-infinity), Vec3d::filled(infinity)};
  if (options.cut == CutPart::nothing) return {box.hi, box.hi};
  for (int a = 0; a < 3; ++a)
    if (is_cut(options, a))
      (camera.position[a] < position[a] ? removed.hi : removed.lo)[a] = position[a];
  return removed;
}

struct CutawayPainter {
  const LeafPicture<3>& picture;
  const LeafColors<3>& colors;
  const CutawayOptions& options;
  CameraRays rays;
  CutSolid solid;
  Vec3f brightness;  // of what faces along each axis

  Color at(double x, double y) const {
    const Ray ray = rays.through(x, y);
    const auto hit = solid.first_hit(ray);
    if (!hit) return options.background;
    const PlaneHit plane{ray, hit->distance, hit->axis};
    const LeafSpot spot = leaf_behind(picture.tree, plane, hit->position);
    const double pixel = rays.pixel_size(hit->distance);
    Color color = colors(spot.leaf, spot.local);
    if (options.lines)
      color = colors.lined(
          color, line_darkness * line_cover(picture.tree, spot, plane, pixel, {1, 1.0 / samples}));
    if (picture.solid_distance)
      color = with_solid(color, picture.solid_distance(ray.at(hit->distance)) / pixel);
    return mix({0, 0, 0}, color, brightness[hit->axis]);
  }

  Color pixel(int x, int y) const {
    Color sum{};
    for (int j = 0; j < samples; ++j)
      for (int i = 0; i < samples; ++i) {
        const Color c = at(x + (i + 0.5) / samples, y + (j + 0.5) / samples);
        for (std::size_t k = 0; k < 3; ++k) sum[k] += c[k] / (samples * samples);
      }
    return sum;
  }
};

// What faces up is brightest, then comes what faces along the first of the other axes that the picture is deep in.
Vec3f brightness_of(const Camera& camera) {
  int up = 2;
  for (int a = 0; a < 3; ++a)
    if (std::abs(camera.up[a]) > std::abs(camera.up[up])) up = a;
  const Vec3d view = camera.target - camera.position;
  const int one = (up + 1) % 3, other = (up + 2) % 3;
  const bool faces = std::abs(view[one]) > std::abs(view[other]);
  Vec3f brightness{1, 1, 1};
  brightness[faces ? one : other] = 0.93f;
  brightness[faces ? other : one] = 0.82f;
  return brightness;
}

}  // namespace

Image draw_cutaway(const LeafPicture<3>& picture, const Camera& camera,
                   const CutawayOptions& options) {
  const Box<3> box = picture.tree.domain.box();
  check(box, camera, options);
  const LeafColors<3> colors(picture, {options.min_level, options.max_level});
  const int width = camera.resolution[0], height = camera.resolution[1];
  const int room = height - 2 * picture_margin;
  const int beside = options.legend ? legend_width(colors.legend()) + picture_margin : 0;
  const int least = options.legend ? legend_height(colors.legend(), room) + 2 * picture_margin : 0;
  Image image(width + beside, std::max(height, least));
  fill_rectangle(image, 0, 0, image.width, image.height, options.background);

  const CutawayPainter painter{picture,
                               colors,
                               options,
                               CameraRays(camera),
                               CutSolid(box, removed_part(box, camera, options)),
                               brightness_of(camera)};
  parallel_blocks(
      "draw cutaway", static_cast<std::size_t>(height),
      [&](std::size_t row, std::size_t, std::size_t) {
        const auto y = static_cast<int>(row);
        for (int x = 0; x < width; ++x) set_pixel(image, x, y, painter.pixel(x, y));
      },
      std::size_t{1});
  if (options.legend)
    draw_legend(image, width + picture_margin, picture_margin, room, colors.legend(),
                lightness(options.background) < 0.5f ? paper_color : ink_color);
  return image;
}

namespace {

// It is where a solid is in a picture.
Box<2> place_of(const CutSolid& solid, const CameraRays& rays) {
  Box<2> place{Vec2d::filled(HUGE_VAL), Vec2d::filled(-HUGE_VAL)};
  for (const Box<3>& piece : solid.pieces())
    for (int corner = 0; corner < 8; ++corner) {
      Vec2d at{};
      OCTAVO_CHECK(rays.place(piece.corner(corner), at));
      place = {min(place.lo, at), max(place.hi, at)};
    }
  return place;
}

}  // namespace

// The camera is far enough away that parallel edges nearly stay parallel. Then it turns to what is the middle of the
// solid in the picture, and the picture is as narrow as its corners allow.
Camera corner_view(const Box<3>& box, const Vec3d& up, int pixels, const CutawayOptions& options) {
  constexpr double turn = 34, above = 27, far = 5, room = 1.05;  // degrees; sizes of the box
  constexpr double degree = std::numbers::pi / 180;
  check_cut(box, options);
  const Vec3d high = normalized(up);
  const Vec3d front = std::abs(high[2]) > 0.5 ? Vec3d{0, 1, 0} : Vec3d{0, 0, -1};
  const Vec3d right = normalized(cross(front, high));
  const Vec3d level = right * std::sin(turn * degree) - front * std::cos(turn * degree);
  const Vec3d towards = level * std::cos(above * degree) + high * std::sin(above * degree);
  const double distance = far * length(box.size());
  Camera camera;
  camera.position = box.center() + towards * distance;
  camera.target = box.center();
  camera.up = high;
  camera.resolution = {pixels, pixels};
  const CutSolid solid(box, removed_part(box, camera, options));
  const Vec2d middle = place_of(solid, CameraRays(camera)).center();
  camera.target = CameraRays(camera).through(middle[0], middle[1]).at(distance);
  const Box<2> place = place_of(solid, CameraRays(camera));
  const Vec2d half = Vec2d::filled(0.5 * pixels);
  const Vec2d reach = max(place.hi - half, half - place.lo) * room;
  const double longer = std::max(reach[0], reach[1]);
  for (int a = 0; a < 2; ++a)
    camera.resolution[a] = static_cast<int>(std::ceil(pixels * reach[a] / longer));
  const double wide = std::tan(camera.field_of_view / 2 * degree) * reach[0] / half[0];
  camera.field_of_view = 2 * std::atan(wide) / degree;
  return camera;
}

}  // namespace octavo
