#include "octavo/shapes/shape.h"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>
#include <type_traits>

#include "octavo/base/parallel.h"
#include "shapes/shape_checks.h"
#include "support/random_tree.h"

namespace octavo {
namespace {

using test::complaint;
using test::cube_around_origin;
using test::expect_distance_of;
using test::expect_safe;
using test::nan;
using test::random_point;

template <class D>
class ShapeTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(ShapeTest, test::Dims);

constexpr double infinity = std::numeric_limits<double>::infinity();

// The first Dim of three numbers.
template <int Dim>
Vec<Dim> first(const Vec3d& v) {
  Vec<Dim> p{};
  for (int a = 0; a < Dim; ++a) p[a] = v[a];
  return p;
}

template <int Dim>
double squared(const Vec<Dim>& v) {
  return dot(v, v);
}

// One of each kind, around the origin.
template <int Dim>
std::vector<Shape<Dim>> one_of_each() {
  const auto at = [](double x, double y, double z) { return first<Dim>({x, y, z}); };
  return {sphere_shape(at(0.1, 0.2, -0.1), 0.5),
          box_shape(at(-0.5, -0.3, -0.2), at(0.6, 0.1, 0.4)),
          ellipsoid_shape(at(0.1, 0, 0.1), at(0.7, 0.2, 0.4)),
          cylinder_shape(at(-0.3, -0.4, 0.2), at(0.4, 0.3, -0.1), 0.25),
          capsule_shape(at(-0.3, -0.4, 0.2), at(0.4, 0.3, -0.1), 0.2),
          torus_shape(at(0.1, 0, 0), 0.5, 0.2, 1),
          torus_shape(at(0.1, 0, 0), 0.3, 0.5),
          half_space_shape(at(0.1, 0, 0.2), at(1, 2, -2)),
          half_space_shape(at(0.1, 0.1, 0.2), at(0, -3, 0))};
}

TYPED_TEST(ShapeTest, PromisesOfSimpleShapes) {
  constexpr int Dim = TestFixture::dim;
  for (const Shape<Dim>& shape : one_of_each<Dim>()) expect_safe(shape, cube_around_origin<Dim>(2));
}

TYPED_TEST(ShapeTest, PromisesOfCombinedShapes) {
  constexpr int Dim = TestFixture::dim;
  const auto shapes = one_of_each<Dim>();
  const Box<Dim> box = cube_around_origin<Dim>(2);
  expect_safe(unite(shapes), box);
  expect_safe(intersect(shapes), box);
  for (std::size_t i = 1; i < shapes.size(); ++i) {
    expect_safe(unite({shapes[i - 1], shapes[i]}), box);
    expect_safe(intersect({shapes[i - 1], shapes[i]}), box);
    expect_safe(subtract(shapes[i - 1], shapes[i]), box);
    expect_safe(unite({subtract(shapes[i - 1], shapes[i]), intersect({shapes[i], shapes[0]})}),
                box);
  }
}

TYPED_TEST(ShapeTest, SimpleShapesAreDistances) {
  constexpr int Dim = TestFixture::dim;
  using V = Vec<Dim>;
  const Box<Dim> box = cube_around_origin<Dim>(1.5);
  const auto s = one_of_each<Dim>();
  const V a = first<Dim>({-0.3, -0.4, 0.2}), b = first<Dim>({0.4, 0.3, -0.1}), ab = b - a;
  const auto along = [=](const V& p) { return dot(p - a, ab) / dot(ab, ab); };
  const auto from_axis = [=](const V& p, double t) { return squared(p - a - ab * t); };

  expect_distance_of<Dim>(
      s[0],
      [](const V& p) {
        return squared(p - first<Dim>({0.1, 0.2, -0.1})) < 0.25;
      },
      box);
  expect_distance_of<Dim>(
      s[1],
      [](const V& p) {
        return Box<Dim>{first<Dim>({-0.5, -0.3, -0.2}), first<Dim>({0.6, 0.1, 0.4})}.contains(p);
      },
      box);
  expect_distance_of<Dim>(
      s[2],
      [](const V& p) {
        V q = p - first<Dim>({0.1, 0, 0.1});
        for (int i = 0; i < Dim; ++i) q[i] /= Vec3d{0.7, 0.2, 0.4}[i];
        return squared(q) < 1;
      },
      box);
  expect_distance_of<Dim>(
      s[3],
      [=](const V& p) {
        return along(p) > 0 && along(p) < 1 && from_axis(p, along(p)) < 0.25 * 0.25;
      },
      box);
  expect_distance_of<Dim>(
      s[4], [=](const V& p) { return from_axis(p, std::clamp(along(p), 0.0, 1.0)) < 0.04; }, box);
  expect_distance_of<Dim>(
      s[7],
      [](const V& p) {
        return dot(p - first<Dim>({0.1, 0, 0.2}), first<Dim>({1, 2, -2})) < 0;
      },
      box);
}

TYPED_TEST(ShapeTest, TorusWithAndWithoutHole) {
  constexpr int Dim = TestFixture::dim;
  const auto is_in = [](double major, double minor) {
    return [=](const Vec<Dim>& p) {
      const double flat = std::hypot(p[0], p[1]), height = Dim == 3 ? p[Dim - 1] : 0;
      return std::hypot(flat - major, height) < minor;
    };
  };
  const Box<Dim> box = cube_around_origin<Dim>(1.5);
  expect_distance_of<Dim>(torus_shape<Dim>({}, 0.6, 0.3), is_in(0.6, 0.3), box);
  expect_distance_of<Dim>(torus_shape<Dim>({}, 0.3, 0.5), is_in(0.3, 0.5), box, false);
}

TYPED_TEST(ShapeTest, CombinedShapesAreSafe) {
  constexpr int Dim = TestFixture::dim;
  const auto s = one_of_each<Dim>();
  const Box<Dim> box = cube_around_origin<Dim>(1.5);
  using V = Vec<Dim>;
  expect_distance_of<Dim>(
      unite({s[0], s[1], s[3]}),
      [&](const V& p) { return s[0](p) < 0 || s[1](p) < 0 || s[3](p) < 0; }, box, false);
  expect_distance_of<Dim>(
      intersect({s[0], s[1]}), [&](const V& p) { return s[0](p) < 0 && s[1](p) < 0; }, box, false);
  expect_distance_of<Dim>(
      subtract(s[0], s[2]), [&](const V& p) { return s[0](p) < 0 && s[2](p) > 0; }, box, false);
}

// Outside, the nearest of some shapes is the distance of their union, whichever were not asked.
TYPED_TEST(ShapeTest, UnionOfManyIsTheNearest) {
  constexpr int Dim = TestFixture::dim;
  std::vector<Shape<Dim>> balls;
  for (std::uint64_t i = 0; i < 100; ++i)
    balls.push_back(sphere_shape(random_point(i, 5, cube_around_origin<Dim>(1)), 0.1));
  const Shape<Dim> all = unite(balls);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Vec<Dim> p = random_point(i, 6, cube_around_origin<Dim>(2));
    double nearest = HUGE_VAL;
    for (const Shape<Dim>& ball : balls) nearest = std::min(nearest, ball(p));
    ASSERT_EQ(all(p), nearest);
  }
}

TYPED_TEST(ShapeTest, Bounds) {
  constexpr int Dim = TestFixture::dim;
  using V = Vec<Dim>;
  const V o{}, one = V::filled(1);
  EXPECT_EQ(sphere_shape(o, 2).bounds().lo, V::filled(-2));
  EXPECT_EQ(box_shape(o, one).bounds().hi, one);
  EXPECT_EQ(capsule_shape(o, one, 0.5).bounds().lo, V::filled(-0.5));
  EXPECT_EQ(capsule_shape(o, one, 0.5).bounds().hi, V::filled(1.5));
  V up{}, side{};
  up[0] = 2;
  side[1] = 0.5;
  const Box<Dim> upright = cylinder_shape(o, up, 0.5).bounds();
  EXPECT_EQ(upright.lo[0], 0);
  EXPECT_EQ(upright.hi[0], 2);
  EXPECT_EQ(upright.hi[1], 0.5);

  // A half space is bounded across an axis, and a box can be cut out of half spaces.
  EXPECT_EQ(half_space_shape(up, up).bounds().hi[0], 2);
  EXPECT_EQ(half_space_shape(up, up).bounds().lo[0], -HUGE_VAL);
  EXPECT_EQ(half_space_shape(up, -up).bounds().lo[0], 2);
  EXPECT_EQ(half_space_shape(up, one).bounds().hi, V::filled(HUGE_VAL));
  std::vector<Shape<Dim>> halves;
  for (int a = 0; a < Dim; ++a) {
    V normal{};
    normal[a] = 1;
    halves.push_back(half_space_shape(one, normal));
    halves.push_back(half_space_shape(o, -normal));
  }
  EXPECT_EQ(intersect(halves).bounds().lo, o);
  EXPECT_EQ(intersect(halves).bounds().hi, one);

  // Two balls apart have nothing in common; in a union that counts as nothing.
  const Shape<Dim> none = intersect({sphere_shape(o, 1), sphere_shape(V::filled(5), 1)});
  EXPECT_GT(none.bounds().lo[0], none.bounds().hi[0]);
  EXPECT_EQ(unite({none, sphere_shape(o, 1)}).bounds().hi, one);
  const Pose<Dim> turn = Pose<Dim>::about(o, {}, one);
  EXPECT_GT(moved(none, turn).bounds().lo[0], moved(none, turn).bounds().hi[0]);
  EXPECT_EQ(unite({none, moved(none, turn)})(o) > 0, true);
  EXPECT_EQ(subtract(sphere_shape(o, 1), sphere_shape(o, 0.5)).bounds().hi, one);
}

TYPED_TEST(ShapeTest, Normals) {
  constexpr int Dim = TestFixture::dim;
  const Shape<Dim> ball = sphere_shape(Vec<Dim>::filled(0.3), 0.5);
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Vec<Dim> p = random_point(i, 7, cube_around_origin<Dim>(2)),
                   exact = (p - Vec<Dim>::filled(0.3)) / length(p - Vec<Dim>::filled(0.3));
    EXPECT_LT(length(ball.normal(p, 1e-4) - exact), 1e-5);
    EXPECT_NEAR(length(ball.normal(p, 1e-4)), 1, 1e-14);
  }
  EXPECT_EQ(ball.normal(Vec<Dim>::filled(0.3), 1e-4), Vec<Dim>{});
}

template <int Dim>
std::vector<Pose<Dim>> some_poses() {
  if constexpr (Dim == 2)
    return {{},
            Pose<2>::about({0.3, 0.1}, 0.7),
            Pose<2>::about({-1, 2}, -2.5, {0.5, 0.25}),
            Pose<2>::about({}, 0.5 * std::numbers::pi)};
  else
    return {{},
            Pose<3>::about({0.3, 0.1, 0}, {0.7, -0.3, 0.2}),
            Pose<3>::about({-1, 2, 0.5}, {0, 2.5, 1}, {0.5, 0.25, 0.125}),
            Pose<3>::about({}, {0, 0, 0.5 * std::numbers::pi})};
}

TYPED_TEST(ShapeTest, MovedShapes) {
  constexpr int Dim = TestFixture::dim;
  for (const Pose<Dim>& pose : some_poses<Dim>()) {
    for (const Shape<Dim>& shape : one_of_each<Dim>()) {
      const Shape<Dim> there = moved(shape, pose);
      expect_safe(there, cube_around_origin<Dim>(5));
      for (std::uint64_t i = 0; i < 100; ++i) {
        const Vec<Dim> p = random_point(i, 8, cube_around_origin<Dim>(1));
        ASSERT_NEAR(there(pose.apply(p)), shape(p), 1e-14);
        if (shape.bounds().contains(p)) {
          Box<Dim> box = there.bounds();  // up to rounding
          box = {box.lo - Vec<Dim>::filled(1e-12), box.hi + Vec<Dim>::filled(1e-12)};
          ASSERT_TRUE(box.contains(pose.apply(p)));
        }
      }
    }
  }
  // A quarter turn keeps the bounds of a box tight.
  const Shape<Dim> box = moved(box_shape(Vec<Dim>{}, Vec<Dim>::filled(1)), some_poses<Dim>()[3]);
  EXPECT_NEAR(box.bounds().lo[0], -1, 1e-15);
  EXPECT_NEAR(box.bounds().hi[0], 0, 1e-15);
}

TYPED_TEST(ShapeTest, AnyCallableIsAShape) {
  constexpr int Dim = TestFixture::dim;
  const Shape<Dim> half([](const Vec<Dim>& p) { return p[0]; },
                        Box<Dim>{Vec<Dim>::filled(-HUGE_VAL), Vec<Dim>::filled(HUGE_VAL)});
  const Shape<Dim> copy = half;
  EXPECT_EQ(copy(Vec<Dim>::filled(0.5)), 0.5);
  static_assert(sizeof(Shape<Dim>) == sizeof(std::shared_ptr<int>));
}

TYPED_TEST(ShapeTest, ManyThreadsMayAsk) {
  constexpr int Dim = TestFixture::dim;
  const Shape<Dim> shape = unite(one_of_each<Dim>());
  std::vector<double> one(20000), many(20000);
  const auto at = [&](std::size_t i) {
    return shape(random_point(i, 9, cube_around_origin<Dim>(2)));
  };
  for (std::size_t i = 0; i < one.size(); ++i) one[i] = at(i);
  set_threads(4);
  parallel_for("ask", many.size(), [&](std::size_t i) { many[i] = at(i); });
  set_threads(0);
  EXPECT_EQ(one, many);
}

TYPED_TEST(ShapeTest, BadValuesAreNamed) {
  constexpr int Dim = TestFixture::dim;
  using V = Vec<Dim>;
  const V o{}, one = V::filled(1), bad = V::filled(nan), far = V::filled(infinity);
  const auto says = [](auto f, const char* text) {
    const std::string said = complaint(f);
    EXPECT_NE(said.find(text), std::string::npos) << "'" << said << "' for '" << text << "'";
  };
  says([&] { sphere_shape(o, 0); },
       "the radius of a sphere must be a finite number above 0, not 0");
  says([&] { sphere_shape(o, -1.5); }, "not -1.5");
  says([&] { sphere_shape(o, nan); }, "not nan");
  says([&] { sphere_shape(o, infinity); }, "not inf");
  says([&] { sphere_shape(bad, 1); }, "the center of a sphere must have finite numbers, not (nan");
  says([&] { box_shape(one, o); }, "must be above its lower corner (1, 1");
  says([&] { box_shape(o, o); }, "the upper corner (0, 0");
  says([&] { box_shape(bad, one); }, "the lower corner of a box");
  says([&] { box_shape(o, far); }, "the upper corner of a box must have finite numbers, not (inf");
  says([&] { ellipsoid_shape(o, o); }, "a radius of an ellipsoid");
  says([&] { ellipsoid_shape(far, one); }, "the center of an ellipsoid");
  says([&] { cylinder_shape(one, one, 1); }, "the length of a cylinder");
  says([&] { cylinder_shape(o, one, -1); }, "the radius of a cylinder");
  says([&] { cylinder_shape(bad, one, 1); }, "an end of a cylinder");
  says([&] { capsule_shape(o, one, 0); }, "the radius of a capsule");
  says([&] { capsule_shape(o, bad, 1); }, "an end of a capsule");
  says([&] { torus_shape(o, 0, 1); }, "the major radius of a torus");
  says([&] { torus_shape(o, 1, nan); }, "the minor radius of a torus");
  says([&] { torus_shape(o, 1, 0.5, 3); }, "the axis of a torus must be 0, 1 or 2, not 3");
  says([&] { torus_shape(bad, 1, 0.5); }, "the center of a torus");
  says([&] { half_space_shape(o, o); }, "the length of the normal of a plane");
  says([&] { half_space_shape(bad, one); }, "a point of a plane");
  says([&] { half_space_shape(o, bad); }, "the normal of a plane must have finite numbers");
  says([&] { unite(std::vector<Shape<Dim>>{}); }, "a union of no shapes");
  says([&] { intersect(std::vector<Shape<Dim>>{}); }, "an intersection of no shapes");
  Pose<Dim> lost;
  lost.shift = bad;
  says([&] { moved(sphere_shape(o, 1), lost); }, "the shift of a pose");
  lost = {};
  lost.rows[1][0] = nan;
  says([&] { moved(sphere_shape(o, 1), lost); }, "the rotation of a pose");
  EXPECT_EQ(complaint([&] { capsule_shape(one, one, 1); }), "");  // a sphere
}

}  // namespace
}  // namespace octavo
