#include <algorithm>
#include <cmath>

#include "octavo/base/checks.h"
#include "octavo/base/error.h"
#include "octavo/shapes/implicit.h"
#include "octavo/shapes/shape.h"

namespace octavo {

namespace {

template <int Dim>
Box<Dim> around(const Vec<Dim>& center, const Vec<Dim>& half_size) {
  return {center - half_size, center + half_size};
}

// A half space along an axis has a bound.
template <int Dim>
Box<Dim> half_space_bounds(const HalfSpaceShape<Dim>& s) {
  Box<Dim> box{Vec<Dim>::filled(-HUGE_VAL), Vec<Dim>::filled(HUGE_VAL)};
  for (int a = 0; a < Dim; ++a) {
    if (s.normal[a] == 1) box.hi[a] = s.point[a];
    if (s.normal[a] == -1) box.lo[a] = s.point[a];
  }
  return box;
}

template <int Dim>
Box<Dim> cylinder_bounds(const CylinderShape<Dim>& s) {
  const Vec<Dim> axis = (s.b - s.a) / length(s.b - s.a);
  Vec<Dim> half_size{};
  for (int a = 0; a < Dim; ++a)
    half_size[a] = 0.5 * std::abs(s.b[a] - s.a[a]) +
                   s.radius * std::sqrt(std::max(1 - axis[a] * axis[a], 0.0));
  return around((s.a + s.b) * 0.5, half_size);
}

}  // namespace

template <int Dim>
Shape<Dim> sphere_shape(const Vec<Dim>& center, double radius) {
  check_finite("the center of a sphere", center);
  check_positive("the radius of a sphere", radius);
  return {SphereShape<Dim>{center, radius}, around(center, Vec<Dim>::filled(radius))};
}

template <int Dim>
Shape<Dim> box_shape(const Vec<Dim>& lo, const Vec<Dim>& hi) {
  check_finite("the lower corner of a box", lo);
  check_finite("the upper corner of a box", hi);
  for (int a = 0; a < Dim; ++a)
    if (!(lo[a] < hi[a]))
      throw InputError(
          "the upper corner {} of a box must be above its lower corner {} in every direction",
          in_words(hi), in_words(lo));
  return {BoxShape<Dim>{(lo + hi) * 0.5, (hi - lo) * 0.5}, {lo, hi}};
}

template <int Dim>
Shape<Dim> ellipsoid_shape(const Vec<Dim>& center, const Vec<Dim>& radii) {
  check_finite("the center of an ellipsoid", center);
  for (int a = 0; a < Dim; ++a) check_positive("a radius of an ellipsoid", radii[a]);
  return {EllipsoidShape<Dim>{center, radii}, around(center, radii)};
}

template <int Dim>
Shape<Dim> cylinder_shape(const Vec<Dim>& a, const Vec<Dim>& b, double radius) {
  check_finite("an end of a cylinder", a);
  check_finite("an end of a cylinder", b);
  check_positive("the radius of a cylinder", radius);
  check_positive("the length of a cylinder", length(b - a));
  const CylinderShape<Dim> cylinder{a, b, radius};
  return {cylinder, cylinder_bounds(cylinder)};
}

template <int Dim>
Shape<Dim> capsule_shape(const Vec<Dim>& a, const Vec<Dim>& b, double radius) {
  check_finite("an end of a capsule", a);
  check_finite("an end of a capsule", b);
  check_positive("the radius of a capsule", radius);
  const Vec<Dim> r = Vec<Dim>::filled(radius);
  return {CapsuleShape<Dim>{a, b, radius}, Box<Dim>{min(a, b) - r, max(a, b) + r}};
}

template <int Dim>
Shape<Dim> torus_shape(const Vec<Dim>& center, double major_radius, double minor_radius, int axis) {
  check_finite("the center of a torus", center);
  check_positive("the major radius of a torus", major_radius);
  check_positive("the minor radius of a torus", minor_radius);
  if (axis < 0 || axis > 2) throw InputError("the axis of a torus must be 0, 1 or 2, not {}", axis);
  Vec<Dim> half_size = Vec<Dim>::filled(major_radius + minor_radius);
  if constexpr (Dim == 3) half_size[axis] = minor_radius;
  return {TorusShape<Dim>{center, major_radius, minor_radius, axis}, around(center, half_size)};
}

template <int Dim>
Shape<Dim> half_space_shape(const Vec<Dim>& point, const Vec<Dim>& normal) {
  check_finite("a point of a plane", point);
  check_finite("the normal of a plane", normal);
  check_positive("the length of the normal of a plane", length(normal));
  const HalfSpaceShape<Dim> half{point, normal / length(normal)};
  return {half, half_space_bounds(half)};
}

template Shape<2> sphere_shape(const Vec<2>&, double);
template Shape<2> box_shape(const Vec<2>&, const Vec<2>&);
template Shape<2> ellipsoid_shape(const Vec<2>&, const Vec<2>&);
template Shape<2> cylinder_shape(const Vec<2>&, const Vec<2>&, double);
template Shape<2> capsule_shape(const Vec<2>&, const Vec<2>&, double);
template Shape<2> torus_shape(const Vec<2>&, double, double, int);
template Shape<2> half_space_shape(const Vec<2>&, const Vec<2>&);
template Shape<3> sphere_shape(const Vec<3>&, double);
template Shape<3> box_shape(const Vec<3>&, const Vec<3>&);
template Shape<3> ellipsoid_shape(const Vec<3>&, const Vec<3>&);
template Shape<3> cylinder_shape(const Vec<3>&, const Vec<3>&, double);
template Shape<3> capsule_shape(const Vec<3>&, const Vec<3>&, double);
template Shape<3> torus_shape(const Vec<3>&, double, double, int);
template Shape<3> half_space_shape(const Vec<3>&, const Vec<3>&);

}  // namespace octavo
