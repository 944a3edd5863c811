// Slices coloured by fields, with solids in them.

#include <gtest/gtest.h>

#include <set>

#include "drawn_fields.h"
#include "octavo/draw/slice.h"
#include "pixels.h"
#include "support/random_tree.h"

namespace octavo {
namespace {

using test::difference;
using test::pixel;
using test::Rgb;
using test::rgb;

template <class D>
class LeafField : public test::BothDims<D> {};
TYPED_TEST_SUITE(LeafField, test::Dims);

SliceOptions bare(int size) {
  SliceOptions options;
  options.size = size;
  options.lines = options.paper = false;
  return options;
}

// The point that a pixel of a bare slice across axis 2 shows.
template <int Dim>
Vec<Dim> shown_at(const Image& image, const Domain<Dim>& domain, int x, int y, double position) {
  const Box<Dim> box = domain.box();
  Vec<Dim> p = box.lo;
  if constexpr (Dim == 3) p[2] = position;
  p[0] += box.size()[0] * (x + 0.5) / image.width;
  p[1] += box.size()[1] * (image.height - y - 0.5) / image.height;
  return p;
}

TYPED_TEST(LeafField, LeavesHaveTheColoursOfTheirValues) {
  constexpr int Dim = TestFixture::dim;
  for (const std::uint64_t seed : {2, 4, 6}) {
    const Octree<Dim> tree = test::random_tree<Dim>(seed);
    std::vector<float> value(tree.leaf_count());
    const Random random(seed);
    for (std::size_t i = 0; i < value.size(); ++i) value[i] = static_cast<float>(random.uniform(i));
    const auto [low, high] = std::minmax_element(value.begin(), value.end());
    const Image image = draw_slice(test::picture_of(tree, value), bare(256));
    const double middle = tree.domain().box().center()[Dim - 1];
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        const LeafId leaf = tree.view().leaf_at(shown_at<Dim>(image, tree.domain(), x, y, middle));
        if (tree.view().level(leaf) > 4) continue;  // several leaves in a pixel
        const float span = *high - *low, t = span > 0 ? (value[leaf] - *low) / span : 0;
        ASSERT_LE(difference(pixel(image, x, y), rgb(viridis(t))), 1);
      }
  }
}

// Nodes hang everywhere, and still the picture is the linear function itself.
TYPED_TEST(LeafField, LinearFieldsOnNodesAreExact) {
  constexpr int Dim = TestFixture::dim;
  for (const std::uint64_t seed : {2, 4, 6, 9}) {
    const Octree<Dim> tree = test::random_tree<Dim>(seed);
    const Mesh<Dim> mesh(tree);
    auto f = [&](const Vec<Dim>& p) {
      double sum = -0.3;
      for (int a = 0; a < Dim; ++a) sum += (a + 1) * (p[a] - tree.domain().origin[a]);
      return sum;
    };
    const NodeField<float> field = test::nodal(mesh, f);
    SliceOptions options = bare(200);
    double position = 0;
    if (Dim == 3) {
      const Box<Dim> box = tree.domain().box();
      position = box.lo[Dim - 1] + 0.37 * box.size()[Dim - 1];
      options.position = position;
    }
    const Image image = draw_slice(test::picture_of(mesh, field, ColorMap::diverging), options);
    const ColorScale scale = color_scale(field.view(), ColorMap::diverging, std::nullopt);
    EXPECT_EQ(scale.low, -scale.high);
    std::set<Rgb> colors;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        const double value = f(shown_at<Dim>(image, tree.domain(), x, y, position));
        ASSERT_LE(difference(pixel(image, x, y), rgb(scale(value))), 1) << x << ' ' << y;
        colors.insert(pixel(image, x, y));
      }
    EXPECT_GT(colors.size(), 50u);  // smooth
  }
}

// The bar goes from the first colour at its lower end to the last at its upper end, over any range.
TEST(LeafFields, LegendHasTheRange) {
  const Octree<2> tree = test::uniform_tree<2>(1);
  const std::vector<float> value{0, 1, 2, 4};
  LeafPicture<2> picture = test::picture_of(tree, value);
  const auto bar = [&] {
    const Image image = draw_slice(picture, {.size = 256, .lines = false});
    std::vector<Rgb> colors;  // from the lower end to the upper one
    const int x = 256 + 2 * picture_margin + 14;
    for (int y = image.height - 1; y >= 0; --y)
      if (const Rgb c = pixel(image, x, y); c != rgb(paper_color) && c != rgb(ink_color))
        colors.push_back(c);
    return colors;
  };
  const auto whole = bar();
  ASSERT_GT(whole.size(), 100u);
  const auto count = whole.size();
  EXPECT_EQ(whole.front(), rgb(viridis(0)));
  EXPECT_EQ(whole.back(), rgb(viridis(1)));
  // A quarter of the way up is the value 1 of 0 .. 4.
  EXPECT_LE(difference(whole[(count - 1) / 4], rgb(viridis(0.25f))), 4);

  picture.field->map = ColorMap::diverging;
  picture.field->range = Vec2d{-1, 4};
  const auto part = bar();
  ASSERT_EQ(part.size(), count);
  EXPECT_EQ(part.front(), rgb(blue_white_red(-0.25f)));
  EXPECT_EQ(part.back(), rgb(blue_white_red(1)));
  EXPECT_LE(difference(part[(count - 1) / 5], rgb(blue_white_red(0))), 4);
}

// Dark on light colours and light on dark ones, and by less than what makes lines between levels dark.
TEST(LeafFields, LinesAreFainterThanBetweenLevels) {
  const Octree<2> tree = test::uniform_tree<2>(3);
  std::vector<float> value(tree.leaf_count());
  SliceOptions options = bare(256);
  options.lines = true;
  const Image levels = draw_slice(tree.view(), options);
  EXPECT_EQ(pixel(levels, 32, 10), rgb(mix(viridis(0.5f), {0, 0, 0}, 0.6f)));
  for (const float v : {0.0f, 1.0f}) {
    std::fill(value.begin(), value.end(), v);
    LeafPicture<2> picture = test::picture_of(tree, value);
    picture.field->range = Vec2d{0, 1};
    const Image image = draw_slice(picture, options);
    const Color line = v > 0.5f ? Color{0, 0, 0} : Color{1, 1, 1};
    const Rgb on = pixel(image, 32, 10);
    const int drawn = difference(on, rgb(viridis(v)));
    EXPECT_GT(drawn, 20) << v;
    EXPECT_LT(2 * drawn, difference(rgb(mix(viridis(v), line, 0.65f)), rgb(viridis(v)))) << v;
    for (int x = 33; x < 63; ++x) EXPECT_EQ(pixel(image, x, 10), rgb(viridis(v)));
  }
}

TYPED_TEST(LeafField, SolidsCoverWhatIsInside) {
  constexpr int Dim = TestFixture::dim;
  const Octree<Dim> tree = test::uniform_tree<Dim>(3);
  LeafPicture<Dim> picture{tree.view()};
  const SliceOptions options = bare(256);
  const Image without = draw_slice(picture, options);
  picture.solid_distance = [](const Vec<Dim>& p) {
    return length(p - Vec<Dim>::filled(0.5)) - 0.3;
  };
  const Image with = draw_slice(picture, options);
  const Rgb body = pixel(with, 128, 128);
  EXPECT_EQ(body[0], body[1]);  // neutral
  double covered = 0;
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; ++x) {
      const auto p = shown_at<Dim>(with, tree.domain(), x, y, 0.5);
      const double pixels = picture.solid_distance(p) * 256;
      if (pixels < -4) {
        EXPECT_EQ(pixel(with, x, y), body);
      }
      if (pixels > 0.5) {
        EXPECT_EQ(pixel(with, x, y), pixel(without, x, y));
      }
      // Blue is little in what is behind, and less in the edge than in the body.
      if (pixels > -4 && pixels < -1) {
        EXPECT_LT(pixel(with, x, y)[1], body[1] + 1);
      }
      covered += pixel(with, x, y) == pixel(without, x, y) ? 0 : 1;
    }
  EXPECT_NEAR(covered / 65536, 3.14159265 * 0.09, 0.006);  // the edge counts as covered
}

TYPED_TEST(LeafField, PictureDoesNotDependOnThreads) {
  constexpr int Dim = TestFixture::dim;
  const Octree<Dim> tree = test::random_tree<Dim>(4, 2000);
  const Mesh<Dim> mesh(tree);
  const Random random(8);
  std::uint64_t count = 0;
  const NodeField<float> noise =
      test::nodal(mesh, [&](const Vec<Dim>&) { return random.uniform(count++); });
  LeafPicture<Dim> picture = test::picture_of(mesh, noise, ColorMap::smoke);
  picture.solid_distance = [](const Vec<Dim>& p) { return length(p) - 0.3; };
  EXPECT_TRUE(test::same_with_any_threads([&] { return draw_slice(picture, {.size = 300}); }));
}

}  // namespace
}  // namespace octavo
