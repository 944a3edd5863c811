#include "octavo/draw/slice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "drawn_fields.h"
#include "octavo/base/error.h"
#include "pixels.h"

namespace octavo {
namespace {

using test::pixel;
using test::Rgb;
using test::rgb;

constexpr int margin = 16;  // of paper around the drawing

// The colour at a place of the drawing: 0..1 from left to right and from bottom to top.
Rgb at(const Image& image, double x, double y) {
  const int width = image.width - 2 * margin, height = image.height - 2 * margin;
  return pixel(image, margin + static_cast<int>(x * width),
               margin + height - 1 - static_cast<int>(y * height));
}

constexpr SliceOptions plain(int axis = 2, int size = 64) {
  return {
      .axis = axis, .size = size, .min_level = 0, .max_level = 2, .lines = false, .legend = false};
}

const Rgb coarse = rgb(viridis(1)), middle = rgb(viridis(0.5f)), fine = rgb(viridis(0));

// Refines to level 2 the corner of the unit square or cube with these coordinates (0 or 1).
template <int Dim>
Octree<Dim> corner_tree(const Vec<Dim>& corner) {
  return Octree<Dim>::build(Domain<Dim>{}, [&](const Leaf<Dim>& l) {
    const auto half = Vec<Dim>::filled(l.size / 2);
    return l.level < 2 && Box<Dim>{l.center - half, l.center + half}.contains(corner);
  });
}

TEST(Slice, ColoursByLevelWithYUpwards) {
  const Image image = draw_slice(corner_tree<2>({1, 1}).view(), plain());
  EXPECT_EQ(at(image, 0.9, 0.9), fine);
  EXPECT_EQ(at(image, 0.55, 0.55), fine);
  EXPECT_EQ(at(image, 0.1, 0.9), middle);
  EXPECT_EQ(at(image, 0.9, 0.1), middle);
  EXPECT_EQ(at(image, 0.1, 0.1), middle);
  EXPECT_EQ(at(draw_slice(Octree<2>().view(), plain()), 0.5, 0.5), coarse);
}

// The refined corner is at the upper end of one axis only; each slice shows it where it belongs.
TEST(Slice, AxesOfTheThreeSlices) {
  const int right[] = {1, 0, 0}, up[] = {2, 2, 1};
  for (int high = 0; high < 3; ++high) {
    Vec3d corner{};
    corner[high] = 1;
    const Octree<3> tree = corner_tree<3>(corner);
    for (int axis = 0; axis < 3; ++axis) {
      SliceOptions options = plain(axis);
      options.position = 0.3;
      const Image low = draw_slice(tree.view(), options);
      options.position = 0.7;
      const Image top = draw_slice(tree.view(), options);
      const double x = right[axis] == high ? 0.8 : 0.2, y = up[axis] == high ? 0.8 : 0.2;
      EXPECT_EQ(at(axis == high ? top : low, x, y), fine) << axis << ' ' << high;
      EXPECT_EQ(at(axis == high ? low : top, x, y), middle) << axis << ' ' << high;
      EXPECT_EQ(at(low, 1 - x, 1 - y), middle) << axis << ' ' << high;
    }
  }
}

TEST(Slice, KeepsTheShapeOfTheBox) {
  const Octree<3> tree(Domain<3>{{0, 0, 0}, 1.0, {8, 5, 3}});
  const int expected[3][2] = {{5, 3}, {8, 3}, {8, 5}};
  for (int axis = 0; axis < 3; ++axis) {
    const Image image = draw_slice(tree.view(), plain(axis, 480));
    const int width = image.width - 2 * margin, height = image.height - 2 * margin;
    EXPECT_EQ(width * expected[axis][1], height * expected[axis][0]);
    EXPECT_LE(width, 480);
    EXPECT_GE(width, 480 * 4 / 5);
  }
}

// 200 pixels would make leaves of 12.5; they become 12 pixels each, with a line on every twelfth.
// As large as fits, in the middle of a picture that is exactly as large as asked for; nothing else is in it.
TEST(Slice, FitsIntoACanvas) {
  for (const Vec<2, int>& size : {Vec<2, int>{90, 40}, {40, 90}, {31, 31}, {5, 1}, {1, 1}}) {
    SliceOptions options = plain();
    options.canvas = size;
    const Image image = draw_slice(Octree<2>().view(), options);
    ASSERT_EQ(image.width, size[0]);
    ASSERT_EQ(image.height, size[1]);
    const int side = std::min(size[0], size[1]);
    const int left = (size[0] - side) / 2, top = (size[1] - side) / 2;
    for (int y = 0; y < size[1]; ++y)
      for (int x = 0; x < size[0]; ++x) {
        const bool inside = x >= left && x < left + side && y >= top && y < top + side;
        EXPECT_EQ(pixel(image, x, y), inside ? coarse : (Rgb{0, 0, 0})) << x << ' ' << y;
      }
  }
}

TEST(Slice, LeavesAreWholePixels) {
  const Octree<2> tree = test::uniform_tree<2>(4);
  SliceOptions options = plain(2, 200);
  options.lines = true;
  const Image image = draw_slice(tree.view(), options);
  ASSERT_EQ(image.width, 192 + 2 * margin);
  const int y = margin + 5;
  const Rgb inside = pixel(image, margin + 5, y);
  for (int x = 1; x < 192; ++x) {
    if (x % 12 == 0)
      EXPECT_LT(pixel(image, margin + x, y)[1], inside[1]) << x;
    else
      EXPECT_EQ(pixel(image, margin + x, y), inside) << x;
  }
}

// Leaves of half a pixel: no lines, no pattern, one colour.
TEST(Slice, SmallLeavesHaveNoLines) {
  const Octree<2> tree = test::uniform_tree<2>(7);
  for (const int size : {64, 100, 256}) {
    SliceOptions options = plain(2, size);
    options.lines = true;
    options.max_level = 7;
    const Image image = draw_slice(tree.view(), options);
    std::set<Rgb> colors;
    for (int y = margin; y < image.height - margin; ++y)
      for (int x = margin; x < image.width - margin; ++x) colors.insert(pixel(image, x, y));
    EXPECT_EQ(colors, std::set<Rgb>{rgb(viridis(0))}) << size;
  }
}

TEST(Slice, LegendShowsEveryLevelOnce) {
  const auto tree = Octree<2>::build(Domain<2>{}, [](const Leaf<2>& l) {
    return l.level < max_level && length(l.center) < l.size;
  });
  const Image image = draw_slice(tree.view(), {.size = 64});
  const int x = 64 + 2 * margin + 5;
  std::vector<Rgb> swatches;
  for (int y = 0; y < image.height; ++y) {
    const Rgb color = pixel(image, x, y);
    for (int level = 0; level <= max_level; ++level)
      if (color == rgb(viridis(1 - static_cast<float>(level - 1) / (max_level - 1))) &&
          (swatches.empty() || swatches.back() != color))
        swatches.push_back(color);
  }
  EXPECT_EQ(swatches.size(), 16u);  // levels 1 to 16
  EXPECT_EQ(swatches.front(), fine);
  EXPECT_EQ(swatches.back(), coarse);
}

TEST(Slice, PictureDoesNotDependOnThreads) {
  const auto tree = Octree<2>::build(Domain<2>{}, [](const Leaf<2>& l) {
    return l.level < 9 && std::abs(length(l.center) - 0.7) < l.size;
  });
  set_threads(1);
  const Image one = draw_slice(tree.view(), {.size = 300});
  set_threads(3);
  EXPECT_TRUE(draw_slice(tree.view(), {.size = 300}) == one);
  set_threads(0);
}

TEST(Slice, RefusesWhatMakesNoSense) {
  const Octree<3> tree;
  EXPECT_THROW(draw_slice(tree.view(), {.axis = 3}), InputError);
  EXPECT_THROW(draw_slice(tree.view(), {.position = 1.5}), InputError);
  EXPECT_THROW(draw_slice(tree.view(), {.position = std::nan("")}), InputError);
  EXPECT_THROW(draw_slice(tree.view(), {.size = 0}), InputError);
  EXPECT_THROW(draw_slice(tree.view(), {.min_level = 3, .max_level = 2}), InputError);
  EXPECT_THROW(draw_slice(tree.view(), {.max_level = 17}), InputError);
  EXPECT_NO_THROW(draw_slice(tree.view(), {.position = 1.0, .size = 16}));
}

TEST(Canvas, TextStaysInItsBox) {
  Image image(100, 40);
  draw_text(image, 10, 12, "level 0123456789", 2, {1, 1, 1});
  draw_text(image, -7, -9, "8", 3, {1, 1, 1});  // partly outside
  for (int y = 26; y < 40; ++y)
    for (int x = 0; x < 100; ++x) EXPECT_EQ(pixel(image, x, y), (Rgb{0, 0, 0}));
  EXPECT_EQ(text_width("16", 2), 22);
  EXPECT_EQ(pixel(image, 14, 12), (Rgb{255, 255, 255}));  // the stem of the l
}

TEST(ColorMap, GetsLighterAllTheWay) {
  auto lightness = [](const Color& c) { return 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2]; };
  for (int i = 0; i < 100; ++i)
    EXPECT_LT(lightness(viridis(static_cast<float>(i) / 100)),
              lightness(viridis(static_cast<float>(i + 1) / 100)));
}

}  // namespace
}  // namespace octavo
