#pragma once

// What every shape promises, asked at random places.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "octavo/base/error.h"
#include "octavo/base/random.h"
#include "octavo/shapes/shape.h"

namespace octavo::test {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <int Dim>
Vec<Dim> random_point(std::uint64_t i, std::uint32_t stream, const Box<Dim>& box) {
  const Random random(17);
  Vec<Dim> p{};
  for (int a = 0; a < Dim; ++a)
    p[a] = box.lo[a] + box.size()[a] * random.uniform(i, stream, static_cast<std::uint32_t>(a));
  return p;
}

template <int Dim>
Box<Dim> cube_around_origin(double half_size) {
  return {Vec<Dim>::filled(-half_size), Vec<Dim>::filled(half_size)};
}

// Values differ by at most as much as points do, near and far; nothing outside the bounds is inside.
template <int Dim, class Distance>
void expect_safe(const Distance& shape, const Box<Dim>& box, const Box<Dim>& bounds,
                 std::uint64_t count = 4000) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const double reach = std::pow(10.0, -8 * Random(4).uniform(i));
    const Vec<Dim> p = random_point(i, 0, box),
                   q = p + random_point(i, 1, cube_around_origin<Dim>(reach));
    ASSERT_LE(std::abs(shape(p) - shape(q)), length(p - q) * (1 + 1e-9) + 1e-13) << "point " << i;
    if (!bounds.contains(p)) {
      ASSERT_GT(shape(p), 0) << "point " << i;
    }
  }
}

template <int Dim>
void expect_safe(const Shape<Dim>& shape, const Box<Dim>& box) {
  expect_safe(shape, box, shape.bounds());
}

// Points of a surface, found without a distance: where the lines of a lattice leave a set.
template <int Dim, class Inside>
std::vector<Vec<Dim>> surface_points(const Inside& inside, const Box<Dim>& box, int lines) {
  std::vector<Vec<Dim>> points;
  const Vec<Dim> h = box.size() / lines;
  auto crossing = [&](Vec<Dim> p, int axis) {
    double lo = p[axis], hi = p[axis] + h[axis];
    const bool at_lo = inside(p);
    for (int step = 0; step < 45; ++step) {
      p[axis] = 0.5 * (lo + hi);
      (inside(p) == at_lo ? lo : hi) = p[axis];
    }
    return p;
  };
  int count = 1;
  for (int a = 0; a < Dim; ++a) count *= lines;
  for (int i = 0; i < count; ++i) {
    Vec<Dim> p{};
    for (int a = 0, rest = i; a < Dim; ++a, rest /= lines)
      p[a] = box.lo[a] + (rest % lines + 0.137) * h[a];
    for (int a = 0; a < Dim; ++a) {
      Vec<Dim> q = p;
      q[a] += h[a];
      if (inside(p) != inside(q)) points.push_back(crossing(p, a));
    }
  }
  return points;
}

// The sign is that of the set, and no point of its surface is nearer than the value says; if the
// value is exact, one is about as near. Asked in the middle of the box, so that all that counts of
// the surface is in it.
template <int Dim, class Distance, class Inside>
void expect_distance_of(const Distance& shape, const Inside& inside, const Box<Dim>& box,
                        bool exact = true) {
  const int lines = Dim == 2 ? 400 : 100;
  const auto surface = surface_points(inside, box, lines);
  ASSERT_GT(surface.size(), 100u);
  const double spacing = length(box.size()) / lines;
  for (std::uint64_t i = 0; i < 250; ++i) {
    const Vec<Dim> p = box.center() + (random_point(i, 2, box) - box.center()) * 0.6;
    double nearest = HUGE_VAL;
    for (const Vec<Dim>& q : surface) nearest = std::min(nearest, length(p - q));
    ASSERT_EQ(shape(p) < 0, inside(p)) << "point " << i;
    ASSERT_LE(std::abs(shape(p)), nearest + 1e-9) << "point " << i;
    if (exact) {
      ASSERT_GE(std::abs(shape(p)) + spacing, nearest) << "point " << i;
    }
  }
}

// What a call complains about; empty if it does not.
template <class F>
std::string complaint(F&& f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

}  // namespace octavo::test
