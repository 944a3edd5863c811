#pragma once

// A Motion says where a rigid body is, and when.
//
//   Motion<3> wheel(SteadyMotion<3>{.spin = {0, 0, 6.28}, .pivot = {0.5, 0.5, 0}});
//   const Shape<3> now = moved(spokes, wheel.pose(time));
//   const RigidStep<3> step(wheel.pose(time), wheel.pose(time + dt), dt);
//   const Vec3d u = step.velocity(p);                   // m/s, of the body's point that is at p
//
// A turn is an angle in 2D, counter-clockwise, and in 3D the vector along the axis whose length is
// the angle, in radians by the right-hand rule.

#include <memory>
#include <type_traits>
#include <variant>
#include <vector>

#include "octavo/base/vec.h"

namespace octavo {

template <int Dim>
using Turn = std::conditional_t<Dim == 2, double, Vec3d>;

template <int Dim>
using RotationMatrix = Vec<Dim, Vec<Dim>>;  // rows

template <int Dim>
constexpr RotationMatrix<Dim> no_rotation() {
  RotationMatrix<Dim> rows{};
  for (int a = 0; a < Dim; ++a) rows[a][a] = 1;
  return rows;
}

// A Pose takes the point p of a body to where it is now: R p + shift. It is the identity unless said
// otherwise, and trivially copyable.
template <int Dim>
struct Pose {
  RotationMatrix<Dim> rows = no_rotation<Dim>();  // orthogonal, with determinant 1
  Vec<Dim> shift{};

  // The body is turned about the pivot, then translated.
  static Pose about(const Vec<Dim>& pivot, const Turn<Dim>& turn, const Vec<Dim>& translation = {});

  Vec<Dim> apply(const Vec<Dim>& p) const { return turned(p) + shift; }
  // This is the body's point that is at p now.
  Vec<Dim> inverse(const Vec<Dim>& p) const { return turned_back(p - shift); }

  // This is the pose that takes this one back.
  Pose inverted() const {
    Pose back;
    for (int a = 0; a < Dim; ++a)
      for (int b = 0; b < Dim; ++b) back.rows[a][b] = rows[b][a];
    back.shift = -turned_back(shift);
    return back;
  }

  // This applies first `before`, then `after`.
  friend Pose operator*(const Pose& after, const Pose& before) {
    Pose both;
    for (int a = 0; a < Dim; ++a) {
      both.rows[a] = {};
      for (int b = 0; b < Dim; ++b) both.rows[a] += before.rows[b] * after.rows[a][b];
    }
    both.shift = after.apply(before.shift);
    return both;
  }
  friend bool operator==(const Pose&, const Pose&) = default;

  // Directions are turned only.
  Vec<Dim> turned(const Vec<Dim>& v) const {
    Vec<Dim> result{};
    for (int a = 0; a < Dim; ++a) result[a] = dot(rows[a], v);
    return result;
  }
  Vec<Dim> turned_back(const Vec<Dim>& v) const {
    Vec<Dim> result{};
    for (int a = 0; a < Dim; ++a) result += rows[a] * v[a];
    return result;
  }
};

// These are the kinds of motion. The pivot is a point of the body before it moves; what turns, turns
// about it, and it goes along with the translation.

template <int Dim>
struct SteadyMotion {
  Vec<Dim> velocity{};  // m/s
  Turn<Dim> spin{};     // rad/s
  Vec<Dim> pivot{};
};

// The value is amplitude sin(2 pi frequency time + phase).
template <class T>
struct Oscillation {
  T amplitude{};
  double frequency = 0;  // Hz
  double phase = 0;      // rad
};

template <int Dim>
struct PeriodicMotion {
  Oscillation<Vec<Dim>> translation{};  // m
  Oscillation<Turn<Dim>> turn{};        // rad
  Vec<Dim> pivot{};
};

template <int Dim>
struct Keyframe {
  double time = 0;  // s
  Vec<Dim> translation{};
  Turn<Dim> turn{};
};

// The motion is linear between keyframes, whose times increase; the body rests before the first and
// after the last. Angles of 2D are numbers like others: from 0 to 4 pi is two turns. In 3D a body goes
// from one attitude to the next by the shortest rotation, at constant speed (slerp, Shoemake 1985).
template <int Dim>
struct KeyframeMotion {
  std::vector<Keyframe<Dim>> keyframes{};
  Vec<Dim> pivot{};
};

// A Motion is one of these, or none: a still body in the pose of the identity. Constructors throw InputError
// for numbers that are not finite, negative frequencies, and keyframes that are none or out of order.
template <int Dim>
class Motion {
 public:
  Motion() = default;
  explicit Motion(const SteadyMotion<Dim>& steady);
  explicit Motion(const PeriodicMotion<Dim>& periodic);
  explicit Motion(KeyframeMotion<Dim> keyframes);

  Pose<Dim> pose(double time) const;

  // This tells whether the pose is the same at all times. It need not be the identity.
  bool is_still() const;

 private:
  using Kind = std::variant<SteadyMotion<Dim>, PeriodicMotion<Dim>, KeyframeMotion<Dim>>;
  std::shared_ptr<const Kind> kind_;  // none: still
};

// A RigidStep is what a body does within a time step: its velocities take the body's points exactly
// from where they were to where they are. It is trivially copyable.
template <int Dim>
class RigidStep {
 public:
  RigidStep(const Pose<Dim>& begin, const Pose<Dim>& end, double dt);

  // This is the velocity, m/s, of the body's point that is at p at the beginning.
  Vec<Dim> velocity(const Vec<Dim>& p) const { return (end_from_begin_.apply(p) - p) * rate_; }
  // This is the velocity, m/s, of the body's point that is at p at the end.
  Vec<Dim> velocity_at_end(const Vec<Dim>& p) const {
    return (p - begin_from_end_.apply(p)) * rate_;
  }

 private:
  Pose<Dim> end_from_begin_, begin_from_end_;
  double rate_;  // 1/s
};

}  // namespace octavo
