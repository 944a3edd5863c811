#include "octavo/shapes/motion.h"

#include <gtest/gtest.h>

#include <numbers>
#include <type_traits>

#include "octavo/base/error.h"
#include "shapes/shape_checks.h"
#include "support/random_tree.h"

namespace octavo {
namespace {

using test::complaint;
using test::cube_around_origin;
using test::nan;
using test::random_point;

using std::numbers::pi;

static_assert(std::is_trivially_copyable_v<Pose<2>> && std::is_trivially_copyable_v<Pose<3>>);
static_assert(std::is_trivially_copyable_v<RigidStep<3>>);

template <class D>
class MotionTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(MotionTest, test::Dims);

template <int Dim>
Turn<Dim> random_turn(std::uint64_t i, std::uint32_t stream) {
  const Vec3d t = random_point(i, stream, cube_around_origin<3>(4));
  if constexpr (Dim == 2)
    return t[0];
  else
    return t;
}

template <int Dim>
Pose<Dim> random_pose(std::uint64_t i, std::uint32_t stream) {
  const Box<Dim> box = cube_around_origin<Dim>(2);
  return Pose<Dim>::about(random_point(i, stream, box), random_turn<Dim>(i, stream + 1),
                          random_point(i, stream + 2, box));
}

// A motion of each kind.
template <int Dim>
std::vector<Motion<Dim>> all_kinds() {
  const Box<Dim> box = cube_around_origin<Dim>(1);
  KeyframeMotion<Dim> keyframes{.pivot = random_point(1, 0, box)};
  for (std::uint64_t i = 0; i < 4; ++i)
    keyframes.keyframes.push_back(
        {0.5 * static_cast<double>(i * i), random_point(i, 1, box), random_turn<Dim>(i, 2)});
  return {Motion<Dim>(),
          Motion<Dim>(SteadyMotion<Dim>{random_point(2, 0, box), random_turn<Dim>(2, 1),
                                        random_point(2, 2, box)}),
          Motion<Dim>(PeriodicMotion<Dim>{{random_point(3, 0, box), 0.7, 0.3},
                                          {random_turn<Dim>(3, 1), 1.3, -0.4},
                                          random_point(3, 2, box)}),
          Motion<Dim>(keyframes)};
}

template <int Dim>
double difference(const Pose<Dim>& p, const Pose<Dim>& q) {
  double most = length(p.shift - q.shift);
  for (int a = 0; a < Dim; ++a) most = std::max(most, length(p.rows[a] - q.rows[a]));
  return most;
}

// Rows of length 1, at right angles, right-handed.
template <int Dim>
void expect_rotation(const Pose<Dim>& pose) {
  for (int a = 0; a < Dim; ++a)
    for (int b = 0; b < Dim; ++b)
      EXPECT_NEAR(dot(pose.rows[a], pose.rows[b]), a == b ? 1 : 0, 4e-15);
  if constexpr (Dim == 2)
    EXPECT_NEAR(pose.rows[0][0] * pose.rows[1][1] - pose.rows[0][1] * pose.rows[1][0], 1, 4e-15);
  else
    EXPECT_NEAR(dot(cross(pose.rows[0], pose.rows[1]), pose.rows[2]), 1, 4e-15);
}

TYPED_TEST(MotionTest, PosesAreRigid) {
  constexpr int Dim = TestFixture::dim;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Pose<Dim> pose = random_pose<Dim>(i, 10), other = random_pose<Dim>(i, 20);
    expect_rotation(pose);
    const Vec<Dim> p = random_point(i, 30, cube_around_origin<Dim>(3));
    EXPECT_LT(length(pose.inverse(pose.apply(p)) - p), 1e-14);
    EXPECT_LT(length(pose.inverted().apply(p) - pose.inverse(p)), 1e-14);
    EXPECT_LT(length((pose * other).apply(p) - pose.apply(other.apply(p))), 1e-14);
    EXPECT_LT(difference(pose * pose.inverted(), Pose<Dim>{}), 1e-14);
    EXPECT_LT(length(pose.turned(p) - (pose.apply(p) - pose.apply(Vec<Dim>{}))), 1e-14);
  }
  EXPECT_EQ(Pose<Dim>{}.apply(Vec<Dim>::filled(0.1)), Vec<Dim>::filled(0.1));
}

TEST(Pose, QuarterTurns) {
  const Pose<2> flat = Pose<2>::about({1, 1}, 0.5 * pi);  // counter-clockwise
  EXPECT_LT(length(flat.apply({2, 1}) - Vec2d{1, 2}), 1e-15);
  const Pose<3> solid = Pose<3>::about({1, 1, 5}, {0, 0, 0.5 * pi}, {0, 0, 1});
  EXPECT_LT(length(solid.apply({2, 1, 7}) - Vec3d{1, 2, 8}), 1e-15);
  EXPECT_LT(length(Pose<3>::about({}, {0.5 * pi, 0, 0}).apply({0, 1, 0}) - Vec3d{0, 0, 1}), 1e-15);
  const double third = 2 * pi / 3 / std::sqrt(3.0);  // about the diagonal: x to y to z to x
  EXPECT_LT(length(Pose<3>::about({}, {third, third, third}).apply({1, 2, 3}) - Vec3d{3, 1, 2}),
            1e-15);
}

TYPED_TEST(MotionTest, AllKindsAreRigid) {
  constexpr int Dim = TestFixture::dim;
  for (const Motion<Dim>& motion : all_kinds<Dim>())
    for (int i = -20; i < 100; ++i) expect_rotation(motion.pose(0.1 * i));
}

TYPED_TEST(MotionTest, StillOrNot) {
  constexpr int Dim = TestFixture::dim;
  using M = Motion<Dim>;
  const Vec<Dim> one = Vec<Dim>::filled(1);
  EXPECT_TRUE(M().is_still());
  EXPECT_EQ(M().pose(3), Pose<Dim>{});
  for (std::size_t i = 1; i < 4; ++i) EXPECT_FALSE(all_kinds<Dim>()[i].is_still()) << i;
  EXPECT_TRUE(M(SteadyMotion<Dim>{.pivot = one}).is_still());
  EXPECT_EQ(M(SteadyMotion<Dim>{.pivot = one * 0.1}).pose(7), Pose<Dim>{});  // to the last bit

  // Displaced once and for all.
  const M held(PeriodicMotion<Dim>{.translation = {one, 0, 0.5 * pi}});
  EXPECT_TRUE(held.is_still());
  EXPECT_EQ(held.pose(5).shift, one);
  EXPECT_TRUE(M(PeriodicMotion<Dim>{.translation = {{}, 2, 0}}).is_still());
  EXPECT_FALSE(M(PeriodicMotion<Dim>{.translation = {one, 2, 0}}).is_still());
  EXPECT_TRUE(M(KeyframeMotion<Dim>{{{1, one, {}}}}).is_still());
  EXPECT_TRUE(M(KeyframeMotion<Dim>{{{1, one, {}}, {2, one, {}}}}).is_still());
  EXPECT_FALSE(M(KeyframeMotion<Dim>{{{1, one, {}}, {2, one * 2.0, {}}}}).is_still());
}

// The pivot goes with the velocity; other points also turn about it, at right angles to the radius.
TYPED_TEST(MotionTest, Steady) {
  constexpr int Dim = TestFixture::dim;
  SteadyMotion<Dim> steady{.velocity = Vec<Dim>::filled(0.5), .pivot = Vec<Dim>::filled(1)};
  double rate = 3;
  if constexpr (Dim == 2)
    steady.spin = rate;
  else
    steady.spin = {0, 0, rate};
  const Motion<Dim> motion(steady);
  for (const double t : {0.0, 0.2, 1.7, 100.0}) {
    EXPECT_LT(length(motion.pose(t).apply(steady.pivot) - Vec<Dim>::filled(1 + 0.5 * t)), 1e-13);
    Vec<Dim> beside = steady.pivot, expected = Vec<Dim>::filled(1 + 0.5 * t);
    beside[0] += 2;
    expected[0] += 2 * std::cos(rate * t);
    expected[1] += 2 * std::sin(rate * t);
    EXPECT_LT(length(motion.pose(t).apply(beside) - expected), 1e-13);
  }
}

TYPED_TEST(MotionTest, Periodic) {
  constexpr int Dim = TestFixture::dim;
  PeriodicMotion<Dim> periodic{.translation = {Vec<Dim>::filled(0.2), 0.5, 0.3}};
  const Motion<Dim> shaking(periodic);
  EXPECT_LT(
      length(shaking.pose(0.7).shift - Vec<Dim>::filled(0.2 * std::sin(2 * pi * 0.5 * 0.7 + 0.3))),
      1e-15);
  EXPECT_LT(difference(shaking.pose(0.3), shaking.pose(2.3)), 1e-14);

  // A door that swings by 0.6 rad either way, four times a second.
  PeriodicMotion<Dim> door{.pivot = Vec<Dim>::filled(1)};
  if constexpr (Dim == 2)
    door.turn = {0.6, 4, 0};
  else
    door.turn = {{0, 0, 0.6}, 4, 0};
  const Pose<Dim> open = Motion<Dim>(door).pose(1.0 / 16);
  Vec<Dim> p = door.pivot;
  p[0] += 1;
  EXPECT_NEAR(open.apply(p)[0], 1 + std::cos(0.6), 1e-14);
  EXPECT_NEAR(open.apply(p)[1], 1 + std::sin(0.6), 1e-14);
  EXPECT_LT(length(open.apply(door.pivot) - door.pivot), 1e-15);
}

TYPED_TEST(MotionTest, KeyframesAreLinearAndHeld) {
  constexpr int Dim = TestFixture::dim;
  const Vec<Dim> a = Vec<Dim>::filled(1), b = Vec<Dim>::filled(3), c = Vec<Dim>::filled(-1);
  const Motion<Dim> motion(KeyframeMotion<Dim>{{{1, a, {}}, {2, b, {}}, {4, c, {}}}});
  EXPECT_EQ(motion.pose(-5).shift, a);
  EXPECT_EQ(motion.pose(1).shift, a);
  EXPECT_EQ(motion.pose(1.25).shift, Vec<Dim>::filled(1.5));
  EXPECT_EQ(motion.pose(2).shift, b);
  EXPECT_EQ(motion.pose(3).shift, a);
  EXPECT_EQ(motion.pose(4).shift, c);
  EXPECT_EQ(motion.pose(400).shift, c);
}

// All keyframes are reached exactly, and from both sides.
TYPED_TEST(MotionTest, KeyframesAreReached) {
  constexpr int Dim = TestFixture::dim;
  KeyframeMotion<Dim> keyframes{.pivot = Vec<Dim>::filled(0.5)};
  for (std::uint64_t i = 0; i < 30; ++i)
    keyframes.keyframes.push_back({static_cast<double>(i) * 0.3 + (i == 29 ? 1e6 : 0),
                                   random_point(i, 1, cube_around_origin<Dim>(1)),
                                   random_turn<Dim>(i, 2)});
  keyframes.keyframes[11].turn = keyframes.keyframes[10].turn;  // no turn at all
  const Motion<Dim> motion(keyframes);
  for (const Keyframe<Dim>& k : keyframes.keyframes) {
    const Pose<Dim> exact = Pose<Dim>::about(keyframes.pivot, k.turn, k.translation);
    EXPECT_LT(difference(motion.pose(k.time), exact), 1e-14);
    EXPECT_LT(difference(motion.pose(k.time * (1 - 1e-12)), exact), 1e-9);
  }
}

// From 350 to 10 degrees it is 20 degrees, evenly, and not back by 340.
TEST(Keyframes, ShortWayRound) {
  const double degree = pi / 180;
  const Motion<3> motion(
      KeyframeMotion<3>{{{0, {}, {0, 0, 350 * degree}}, {1, {}, {0, 0, 10 * degree}}}});
  for (const double t : {0.0, 0.1, 0.35, 0.5, 0.75, 1.0}) {
    const double angle = (-10 + 20 * t) * degree;
    EXPECT_LT(length(motion.pose(t).apply({1, 0, 0}) - Vec3d{std::cos(angle), std::sin(angle), 0}),
              1e-14);
  }
}

// Between two attitudes the body turns about one axis at one speed, by their angle.
TEST(Keyframes, SlerpIsSteady) {
  for (std::uint64_t i = 0; i < 50; ++i) {
    const Vec3d from = random_turn<3>(i, 1), to = random_turn<3>(i, 2);
    const Motion<3> motion(KeyframeMotion<3>{{{0, {}, from}, {1, {}, to}}});
    const Pose<3> step = motion.pose(0.1) * motion.pose(0).inverted();
    auto cosine = [](const Pose<3>& p) {
      return 0.5 * (p.rows[0][0] + p.rows[1][1] + p.rows[2][2] - 1);
    };
    Pose<3> all;
    for (int k = 0; k < 10; ++k) {
      all = step * all;
      EXPECT_LT(difference(all * motion.pose(0), motion.pose(0.1 * (k + 1))), 1e-13);
    }
    const double angle = std::acos(std::clamp(cosine(step), -1.0, 1.0));
    EXPECT_LE(10 * angle, pi + 1e-6);  // never the long way
  }
}

TEST(Keyframes, HalfTurnsAndTinyTurns) {
  const Motion<3> half(KeyframeMotion<3>{{{0, {}, {}}, {1, {}, {0, pi, 0}}}});
  EXPECT_LT(length(half.pose(0.5).apply({1, 0, 0}) - Vec3d{0, 0, -1}), 1e-14);
  const Motion<3> tiny(KeyframeMotion<3>{{{0, {}, {}}, {1, {}, {0, 0, 1e-10}}}});
  EXPECT_NEAR(tiny.pose(0.25).rows[1][0], 0.25e-10, 1e-20);
}

TEST(Keyframes, TurnsOf2DAreCounted) {
  const Motion<2> twice(KeyframeMotion<2>{{{0, {}, 0}, {8, {}, 4 * pi}}});
  EXPECT_LT(length(twice.pose(1).apply({1, 0}) - Vec2d{0, 1}), 1e-15);
  EXPECT_LT(length(twice.pose(2).apply({1, 0}) - Vec2d{-1, 0}), 1e-15);
  EXPECT_LT(length(twice.pose(7).apply({1, 0}) - Vec2d{0, -1}), 1e-14);
  EXPECT_FALSE(twice.is_still());
}

// A step along the velocity ends where the body's point is; both velocities of a point are one.
TYPED_TEST(MotionTest, StepsAreExact) {
  constexpr int Dim = TestFixture::dim;
  const double dt = 0.04;
  for (const Motion<Dim>& motion : all_kinds<Dim>()) {
    for (const double t : {-1.0, 0.3, 2.0, 30.0}) {
      const Pose<Dim> begin = motion.pose(t), end = motion.pose(t + dt);
      const RigidStep<Dim> step(begin, end, dt);
      for (std::uint64_t i = 0; i < 20; ++i) {
        const Vec<Dim> body = random_point(i, 3, cube_around_origin<Dim>(1)), p = begin.apply(body),
                       q = end.apply(body);
        EXPECT_LT(length(p + step.velocity(p) * dt - q), 1e-13);
        EXPECT_LT(length(q - step.velocity_at_end(q) * dt - p), 1e-13);
        EXPECT_LT(length(step.velocity(p) - step.velocity_at_end(q)), 1e-11);
      }
    }
  }
}

// Over short steps it is the derivative of the position, with an error that shrinks with the step.
TYPED_TEST(MotionTest, VelocityIsTheDerivative) {
  constexpr int Dim = TestFixture::dim;
  for (const Motion<Dim>& motion : all_kinds<Dim>()) {
    const double t = 0.3, d = 1e-4;
    double before = HUGE_VAL;
    for (const double dt : {0.08, 0.02, 0.005}) {
      const RigidStep<Dim> step(motion.pose(t), motion.pose(t + dt), dt);
      double error = 0;
      for (std::uint64_t i = 0; i < 20; ++i) {
        const Vec<Dim> body = random_point(i, 3, cube_around_origin<Dim>(1)),
                       derivative =
                           (motion.pose(t + d).apply(body) - motion.pose(t - d).apply(body)) /
                           (2 * d);
        error = std::max(error, length(step.velocity(motion.pose(t).apply(body)) - derivative));
      }
      EXPECT_LT(error, std::max(0.3 * before, 2e-6));
      before = error;
    }
  }
}

TEST(RigidStep, SpinIsACrossProduct) {
  const Vec3d spin{0.3, -0.5, 0.9}, velocity{1, 2, 3}, pivot{0.5, 0, 1};
  const Motion<3> motion(SteadyMotion<3>{velocity, spin, pivot});
  const RigidStep<3> step(motion.pose(0), motion.pose(1e-6), 1e-6);
  const Vec3d p{0.2, 0.7, -0.4};
  EXPECT_LT(length(step.velocity(p) - (velocity + cross(spin, p - pivot))), 1e-5);
}

TYPED_TEST(MotionTest, WhatStaysHasNoVelocity) {
  constexpr int Dim = TestFixture::dim;
  const Pose<Dim> pose = random_pose<Dim>(3, 0);
  const RigidStep<Dim> step(pose, pose, 1e-3);
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Vec<Dim> p = random_point(i, 3, cube_around_origin<Dim>(1));
    EXPECT_EQ(step.velocity(p), Vec<Dim>{});
    EXPECT_EQ(step.velocity_at_end(p), Vec<Dim>{});
  }
}

TYPED_TEST(MotionTest, BadValuesAreNamed) {
  constexpr int Dim = TestFixture::dim;
  using M = Motion<Dim>;
  const Vec<Dim> bad = Vec<Dim>::filled(nan), one = Vec<Dim>::filled(1);
  Turn<Dim> bad_turn{};
  if constexpr (Dim == 2)
    bad_turn = HUGE_VAL;
  else
    bad_turn = {0, HUGE_VAL, 0};
  const auto says = [](auto f, const char* text) {
    const std::string said = complaint(f);
    EXPECT_NE(said.find(text), std::string::npos) << "'" << said << "' for '" << text << "'";
  };
  says([&] { M(SteadyMotion<Dim>{.velocity = bad}); }, "the velocity of a motion");
  says([&] { M(SteadyMotion<Dim>{.spin = bad_turn}); }, "the spin of a motion must");
  says([&] { M(SteadyMotion<Dim>{.pivot = bad}); }, "the pivot of a motion");
  says(
      [&] {
        M(PeriodicMotion<Dim>{.translation = {bad, 1, 0}});
      },
      "the amplitude of a translation");
  says([&] { M(PeriodicMotion<Dim>{.turn = {bad_turn, 1, 0}}); }, "the amplitude of a turn");
  says([&] { M(PeriodicMotion<Dim>{.translation = {one, nan, 0}}); }, "the frequency of a motion");
  says([&] { M(PeriodicMotion<Dim>{.translation = {one, -2, 0}}); }, "negative, but is -2");
  says([&] { M(PeriodicMotion<Dim>{.turn = {{}, 1, nan}}); }, "the phase of a motion");
  says([&] { M(KeyframeMotion<Dim>{}); }, "at least one");
  says([&] { M(KeyframeMotion<Dim>{{{nan, one, {}}}}); }, "the time of a keyframe");
  says([&] { M(KeyframeMotion<Dim>{{{0, bad, {}}}}); }, "the translation of a keyframe");
  says([&] { M(KeyframeMotion<Dim>{{{0, one, bad_turn}}}); }, "the turn of a keyframe");
  says(
      [&] {
        M(KeyframeMotion<Dim>{{{1, one, {}}, {1, one, {}}}});
      },
      "must increase, but 1 s follows 1 s");
  says([&] { M(KeyframeMotion<Dim>{{{1, one, {}}, {0.5, one, {}}}}); }, "0.5 s follows 1 s");
  EXPECT_THROW(M().pose(nan), InvariantError);
  EXPECT_THROW(RigidStep<Dim>({}, {}, 0), InvariantError);
  EXPECT_THROW(RigidStep<Dim>({}, {}, nan), InvariantError);
}

}  // namespace
}  // namespace octavo
