#pragma once

// These flows bring a shape back to where it began, and so tell what a tracker has lost on the way.
//
//   EnrightDeformation   a sphere is drawn out into a film thinner than a leaf, and back (LeVeque 1996; Enright et al.
//                        2002): u = 2 sin^2(pi x) sin(2 pi y) sin(2 pi z) cos(pi t / T) and so on, T = 3 s
//   ZalesakDisk          a disk with a slot turns round once (Zalesak 1979)
//
// In the first, time only says how fast the fluid goes along paths that stay the same. So a step of time dt is one of
// the length ds = integral of cos(pi t / T) dt in the velocity of t = 0, and steps of equal ds are those of equal CFL
// number: steady(x) is that velocity, length() the sum of |ds|.

#include <cmath>
#include <numbers>

#include "octavo/tree/domain.h"

namespace octavo {

struct EnrightDeformation {
  static constexpr int dim = 3;
  static constexpr double period = 3;  // s
  static constexpr double radius = 0.15;
  static constexpr Vec3d center{0.35, 0.35, 0.35};

  static double volume() { return 4 * std::numbers::pi / 3 * radius * radius * radius; }
  static double distance(const Vec3d& x) { return octavo::length(x - center) - radius; }
  static Vec3d steady(const Vec3d& x) {
    Vec3d square{}, twice{};
    for (int a = 0; a < 3; ++a) {
      const double s = std::sin(std::numbers::pi * x[a]);
      square[a] = s * s;
      twice[a] = std::sin(2 * std::numbers::pi * x[a]);
    }
    return {2 * square[0] * twice[1] * twice[2], -twice[0] * square[1] * twice[2],
            -twice[0] * twice[1] * square[2]};
  }
  static constexpr double fastest = 2.48;  // no |u| + |v| + |w| is larger, m/s
  static double length() { return 2 * period / std::numbers::pi; }

  // This is a box of cubes with so many along an edge of the unit cube, with room around it if they are no power of
  // two.
  static Domain<3> box(int resolution, int level) {
    return {Vec3d::filled(0), static_cast<double>(1 << level) / resolution, {1, 1, 1}};
  }
};

struct ZalesakDisk {
  static constexpr int dim = 2;
  static constexpr double edge = 100;    // of the box, m
  static constexpr double period = 628;  // s
  static constexpr double radius = 15, slot_width = 5, slot_end = 85;
  static constexpr Vec2d center{50, 75};

  static double distance(const Vec2d& x) {
    const double disk = octavo::length(x - center) - radius;
    const double slot = std::max(std::abs(x[0] - center[0]) - slot_width / 2, x[1] - slot_end);
    return std::max(disk, -slot);
  }
  static Vec2d velocity(const Vec2d& x) {
    const double rate = 2 * std::numbers::pi / period;
    return {rate * (edge / 2 - x[1]), rate * (x[0] - edge / 2)};
  }
  static double fastest() {
    return 2 * std::numbers::pi / period * edge;
  }  // no |u| + |v| is larger

  // The slot begins where its sides meet the circle.
  static double slot_begin() {
    return center[1] - std::sqrt(radius * radius - slot_width * slot_width / 4);
  }
  static double opening() { return 2 * std::asin(slot_width / (2 * radius)); }
  static double volume() {
    const double segment = radius * radius / 2 * (opening() - std::sin(opening()));
    return std::numbers::pi * radius * radius - slot_width * (slot_end - slot_begin()) - segment;
  }
  static double perimeter() {
    return (2 * std::numbers::pi - opening()) * radius + 2 * (slot_end - slot_begin()) + slot_width;
  }
  static Domain<2> box(int resolution, int level) {
    return {Vec2d::filled(0), edge * static_cast<double>(1 << level) / resolution, {1, 1}};
  }
};

}  // namespace octavo
