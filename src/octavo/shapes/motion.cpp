#include "octavo/shapes/motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <utility>

#include "octavo/base/checks.h"
#include "octavo/base/error.h"

namespace octavo {

namespace {

struct Quaternion {
  double w;
  Vec3d v;
};

Quaternion operator+(const Quaternion& p, const Quaternion& q) { return {p.w + q.w, p.v + q.v}; }
Quaternion operator*(const Quaternion& q, double s) { return {q.w * s, q.v * s}; }
double dot(const Quaternion& p, const Quaternion& q) { return p.w * q.w + dot(p.v, q.v); }
double length(const Quaternion& q) { return std::sqrt(dot(q, q)); }

Quaternion quaternion(const Vec3d& turn) {
  const double angle = length(turn);
  if (!(angle > 0)) return {1, {}};
  return {std::cos(0.5 * angle), turn * (std::sin(0.5 * angle) / angle)};
}

RotationMatrix<3> matrix(const Quaternion& q) {
  const double w = q.w, x = q.v[0], y = q.v[1], z = q.v[2];
  return {{{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)}},
           {{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)}},
           {{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}}};
}

// A quaternion and its negative are the same rotation; the one on the side of p is taken.
Quaternion slerp(const Quaternion& p, Quaternion q, double part) {
  if (dot(p, q) < 0) q = q * -1.0;
  const double angle = 2 * std::atan2(length(p + q * -1.0), length(p + q));
  const double sine = std::sin(angle);
  if (!(sine > 1e-9)) return p * (1 - part) + q * part;
  return p * (std::sin((1 - part) * angle) / sine) + q * (std::sin(part * angle) / sine);
}

RotationMatrix<2> rotation(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {{{{c, -s}}, {{s, c}}}};
}
RotationMatrix<3> rotation(const Vec3d& turn) { return matrix(quaternion(turn)); }

RotationMatrix<2> rotation_between(double a, double b, double part) {
  return rotation(a + (b - a) * part);
}
RotationMatrix<3> rotation_between(const Vec3d& a, const Vec3d& b, double part) {
  return matrix(slerp(quaternion(a), quaternion(b), part));
}

// Only what the rotation does to the pivot is added to the translation; without a pivot that is exactly nothing.
template <int Dim>
Pose<Dim> pose_about(const Vec<Dim>& pivot, const RotationMatrix<Dim>& rows,
                     const Vec<Dim>& translation) {
  Pose<Dim> pose{rows, {}};
  pose.shift = translation + (pivot - pose.turned(pivot));
  return pose;
}

template <class T>
T value_at(const Oscillation<T>& o, double time) {
  return o.amplitude * std::sin(2 * std::numbers::pi * o.frequency * time + o.phase);
}

template <class T>
bool is_still(const Oscillation<T>& o) {
  return o.frequency == 0 || o.amplitude == T{};
}

template <class T>
void check(const char* amplitude, const Oscillation<T>& o) {
  check_finite(amplitude, o.amplitude);
  check_finite("the frequency of a motion", o.frequency);
  check_finite("the phase of a motion", o.phase);
  if (o.frequency < 0)
    throw InputError("the frequency of a motion must not be negative, but is {}", o.frequency);
}

template <int Dim>
void check(const std::vector<Keyframe<Dim>>& keyframes) {
  if (keyframes.empty()) throw InputError("a motion by keyframes needs at least one");
  for (std::size_t i = 0; i < keyframes.size(); ++i) {
    const Keyframe<Dim>& k = keyframes[i];
    check_finite("the time of a keyframe", k.time);
    check_finite("the translation of a keyframe", k.translation);
    check_finite("the turn of a keyframe", k.turn);
    if (i > 0 && !(keyframes[i - 1].time < k.time))
      throw InputError("the times of keyframes must increase, but {} s follows {} s", k.time,
                       keyframes[i - 1].time);
  }
}

// These answer for each kind whether it is still and where the body is.

template <int Dim>
bool is_still(const SteadyMotion<Dim>& m) {
  return m.velocity == Vec<Dim>{} && m.spin == Turn<Dim>{};
}
template <int Dim>
bool is_still(const PeriodicMotion<Dim>& m) {
  return is_still(m.translation) && is_still(m.turn);
}
template <int Dim>
bool is_still(const KeyframeMotion<Dim>& m) {
  const Keyframe<Dim>& first = m.keyframes.front();
  return std::all_of(m.keyframes.begin(), m.keyframes.end(), [&](const Keyframe<Dim>& k) {
    return k.translation == first.translation && k.turn == first.turn;
  });
}

template <int Dim>
Pose<Dim> pose_at(const SteadyMotion<Dim>& m, double time) {
  return Pose<Dim>::about(m.pivot, m.spin * time, m.velocity * time);
}
template <int Dim>
Pose<Dim> pose_at(const PeriodicMotion<Dim>& m, double time) {
  return Pose<Dim>::about(m.pivot, value_at(m.turn, time), value_at(m.translation, time));
}
template <int Dim>
Pose<Dim> pose_at(const KeyframeMotion<Dim>& m, double time) {
  const auto after = std::upper_bound(m.keyframes.begin(), m.keyframes.end(), time,
                                      [](double t, const Keyframe<Dim>& k) { return t < k.time; });
  const Keyframe<Dim>& to = after == m.keyframes.end() ? m.keyframes.back() : *after;
  const Keyframe<Dim>& from = after == m.keyframes.begin() ? to : *(after - 1);
  const double span = to.time - from.time;
  const double part = span > 0 ? (time - from.time) / span : 0;
  return pose_about(m.pivot, rotation_between(from.turn, to.turn, part),
                    from.translation + (to.translation - from.translation) * part);
}

}  // namespace

template <int Dim>
Pose<Dim> Pose<Dim>::about(const Vec<Dim>& pivot, const Turn<Dim>& turn,
                           const Vec<Dim>& translation) {
  return pose_about(pivot, rotation(turn), translation);
}

template <int Dim>
Motion<Dim>::Motion(const SteadyMotion<Dim>& steady) : kind_(std::make_shared<const Kind>(steady)) {
  check_finite("the velocity of a motion", steady.velocity);
  check_finite("the spin of a motion", steady.spin);
  check_finite("the pivot of a motion", steady.pivot);
}

template <int Dim>
Motion<Dim>::Motion(const PeriodicMotion<Dim>& periodic)
    : kind_(std::make_shared<const Kind>(periodic)) {
  check("the amplitude of a translation", periodic.translation);
  check("the amplitude of a turn", periodic.turn);
  check_finite("the pivot of a motion", periodic.pivot);
}

template <int Dim>
Motion<Dim>::Motion(KeyframeMotion<Dim> keyframes)
    : kind_(std::make_shared<const Kind>(std::move(keyframes))) {
  const auto& motion = std::get<KeyframeMotion<Dim>>(*kind_);
  check(motion.keyframes);
  check_finite("the pivot of a motion", motion.pivot);
}

template <int Dim>
Pose<Dim> Motion<Dim>::pose(double time) const {
  OCTAVO_CHECK(std::isfinite(time));
  if (kind_ == nullptr) return {};
  return std::visit([time](const auto& kind) { return pose_at(kind, time); }, *kind_);
}

template <int Dim>
bool Motion<Dim>::is_still() const {
  return kind_ == nullptr ||
         std::visit([](const auto& kind) { return octavo::is_still(kind); }, *kind_);
}

// A body that stays has no velocity at all, not one of rounding.
template <int Dim>
RigidStep<Dim>::RigidStep(const Pose<Dim>& begin, const Pose<Dim>& end, double dt) : rate_(1 / dt) {
  OCTAVO_CHECK(dt > 0 && std::isfinite(dt));
  if (begin == end) return;
  end_from_begin_ = end * begin.inverted();
  begin_from_end_ = begin * end.inverted();
}

template struct Pose<2>;
template struct Pose<3>;
template class Motion<2>;
template class Motion<3>;
template class RigidStep<2>;
template class RigidStep<3>;

}  // namespace octavo
