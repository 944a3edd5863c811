#include "octavo/draw/grid_overlay.h"

#include <gtest/gtest.h>

#include "drawn_fields.h"
#include "octavo/base/error.h"
#include "octavo/base/random.h"
#include "pixels.h"
#include "support/random_tree.h"

namespace octavo {
namespace {

using test::difference;
using test::pixel;
using test::Rgb;
using test::rgb;

constexpr int columns = 480, rows = 360;

CameraRays some_rays() {
  return CameraRays(
      turned(framing({{-0.2, -0.2, -0.2}, {1.2, 1.2, 1.2}}, {0, 0, 1}, 40, {columns, rows}), 20));
}

Image noise() {
  Image image(columns, rows);
  const Random random(3);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = static_cast<std::uint8_t>(random.below(256, i));
  return image;
}

Vec2d place(const CameraRays& rays, const Vec3d& p) {
  Vec2d at{};
  EXPECT_TRUE(rays.place(p, at));
  return at;
}

Rgb pixel_at(const Image& image, const Vec2d& at) {
  return pixel(image, static_cast<int>(at[0]), static_cast<int>(at[1]));
}

TEST(GridOverlay, LinesAreWhereLeavesMeet) {
  const Octree<3> tree = test::uniform_tree<3>(3);
  const CameraRays rays = some_rays();
  GridOverlayOptions options;
  options.outline = false;
  options.position = 0.4;
  options.opacity = 1;
  options.width = 3;  // so that the middle of a pixel on an edge is inside the line
  const Image before = noise();
  Image after = before;
  draw_grid_overlay(after, rays, tree.view(), options);
  const Rgb line = rgb(LevelRange{3, 3}.color(3));
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      const double x = (i + 0.5) / 8, z = (j + 0.5) / 8;
      const Vec2d center = place(rays, {x, 0.4, z});
      EXPECT_EQ(pixel_at(after, center), pixel_at(before, center));
      if (i > 0) {
        EXPECT_EQ(pixel_at(after, place(rays, {i / 8.0, 0.4, z})), line);
      }
      if (j > 0) {
        EXPECT_EQ(pixel_at(after, place(rays, {x, 0.4, j / 8.0})), line);
      }
    }
}

// Nothing but pixels on the plane, or within a pixel of it, and of those only a few in each leaf.
TEST(GridOverlay, LeavesTheRestUntouched) {
  const Octree<3> tree = test::uniform_tree<3>(3);
  const CameraRays rays = some_rays();
  GridOverlayOptions options;
  options.outline = false;
  const Image before = noise();
  Image after = before;
  draw_grid_overlay(after, rays, tree.view(), options);
  int inside = 0, changed = 0;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const Ray ray = rays.through(x + 0.5, y + 0.5);
      const Vec3d p = ray.at((0.5 - ray.origin[1]) / ray.direction[1]);
      const bool on_plane = p[0] >= -0.01 && p[0] <= 1.01 && p[2] >= -0.01 && p[2] <= 1.01;
      inside += on_plane ? 1 : 0;
      const bool same = pixel(after, x, y) == pixel(before, x, y);
      changed += same ? 0 : 1;
      if (!on_plane) {
        ASSERT_TRUE(same);
      }
      // Pixels are 1/200 of the box; a sixteenth of it is between two lines.
      double away = 1;
      for (const int a : {0, 2})
        away = std::min(away, std::abs(p[a] * 8 - std::round(p[a] * 8)) / 8);
      if (on_plane && away > 0.015) {
        ASSERT_TRUE(same) << p[0] << ' ' << p[2];
      }
    }
  EXPECT_GT(changed, inside / 20);
  EXPECT_LT(changed, inside / 4);

  options.opacity = 0;
  Image none = before;
  draw_grid_overlay(none, rays, tree.view(), options);
  EXPECT_TRUE(none == before);
}

TEST(GridOverlay, OutlineOfTheBox) {
  const Octree<3> tree = test::uniform_tree<3>(3);
  const CameraRays rays = some_rays();
  GridOverlayOptions options;
  options.leaves = false;
  options.opacity = 1;
  options.width = 3;
  options.outline_color = {1, 0, 0};
  Image image(columns, rows);
  draw_grid_overlay(image, rays, tree.view(), options);
  for (int a = 0; a < 3; ++a)
    for (int corner = 0; corner < 4; ++corner)
      for (const double t : {0.0, 0.3, 0.6, 1.0}) {
        Vec3d p{};
        p[a] = t;
        p[(a + 1) % 3] = corner & 1;
        p[(a + 2) % 3] = corner >> 1;
        EXPECT_EQ(pixel_at(image, place(rays, p)), (Rgb{255, 0, 0}));
      }
  EXPECT_EQ(pixel_at(image, place(rays, {0.3, 0.4, 0.7})), (Rgb{0, 0, 0}));
}

// From inside of the box: what is behind the camera is not drawn.
TEST(GridOverlay, CameraInTheBox) {
  const Octree<3> tree = test::uniform_tree<3>(3);
  Camera camera;
  camera.position = {0.5, 0.6, 0.5};
  camera.target = {0.5, 0.9, 0.5};
  camera.resolution = {columns, rows};
  Image image(columns, rows), black(columns, rows);
  GridOverlayOptions options;
  options.position = 0.4;
  draw_grid_overlay(image, CameraRays(camera), tree.view(), options);
  EXPECT_TRUE(image == black);  // edges of the far side are outside of the picture
  options.position = 0.8;
  draw_grid_overlay(image, CameraRays(camera), tree.view(), options);
  EXPECT_FALSE(image == black);
}

TEST(GridOverlay, PicturesInLinearLight) {
  const Octree<3> tree = test::uniform_tree<3>(3);
  const CameraRays rays = some_rays();
  GridOverlayOptions options;
  options.outline = false;
  options.opacity = 0.5;
  options.width = 3;
  Picture picture(columns, rows);
  for (Picture::Pixel& p : picture.pixels) p = {{0.2f, 0.1f, 0.4f}, 0.5f};
  const Picture before = picture;
  draw_grid_overlay(picture, rays, tree.view(), options);
  const Vec2d at = place(rays, {0.375, 0.5, 0.4375});
  const Picture::Pixel& on = picture.at(static_cast<int>(at[0]), static_cast<int>(at[1]));
  const Color line = LevelRange{3, 3}.color(3);
  EXPECT_NEAR(on.opacity, 0.75f, 1e-6f);
  EXPECT_NEAR(on.light[2], 0.5f * 0.4f + 0.5f * srgb_decoded(line[2]), 1e-6f);
  const Vec2d off = place(rays, {0.4375, 0.5, 0.4375});
  EXPECT_EQ(picture.at(static_cast<int>(off[0]), static_cast<int>(off[1])), before.at(0, 0));
}

TEST(GridOverlay, PictureDoesNotDependOnThreads) {
  const Octree<3> tree = test::random_tree<3>(4, 2000);
  const CameraRays rays(framing(tree.domain().box(), {0, 0, 1}, 40, {200, 150}));
  EXPECT_TRUE(test::same_with_any_threads([&] {
    Image image(200, 150);
    draw_grid_overlay(image, rays, tree.view());
    return image;
  }));
}

TEST(GridOverlay, RefusesWhatMakesNoSense) {
  const Octree<3> tree;
  Image image(columns, rows);
  const CameraRays rays = some_rays();
  EXPECT_THROW(draw_grid_overlay(image, rays, tree.view(), {.axis = -1}), InputError);
  EXPECT_THROW(draw_grid_overlay(image, rays, tree.view(), {.position = 2}), InputError);
  EXPECT_THROW(draw_grid_overlay(image, rays, tree.view(), {.opacity = 1.5}), InputError);
  EXPECT_THROW(draw_grid_overlay(image, rays, tree.view(), {.width = 0}), InputError);
}

}  // namespace
}  // namespace octavo
