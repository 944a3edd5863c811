#pragma once

// A scene says this about a source.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "octavo/shapes/motion.h"
#include "octavo/shapes/shape.h"

namespace octavo {

// Noise multiplies the density, and what temperature and scalars are above those outside, by
// 1 - amount * noise, with noise between 0 and 1.
struct SourceNoise {
  double amount = 0;  // 0: none; 1: down to nothing in places
  double size = 0.1;  // of its features, m
  double period = 1;  // how long they last, s
  std::uint64_t seed = 0;
};

// A source sets fields inside of a shape, or adds to them. What has no value is left alone.
template <int Dim>
struct Source {
  Shape<Dim> shape;
  Motion<Dim> motion{};
  std::map<std::string, double>
      values{};                        // of fields by name: to be set, or to be added per second
  std::optional<Vec<Dim>> velocity{};  // m/s to be set, or m/s^2 to be added
  bool add = false;
  double start = 0, end = std::numeric_limits<double>::infinity();  // s
  SourceNoise noise{};
  double edge = 0;  // over which it fades across its surface, m; a leaf at least

  // The source is on for so much of a stretch of time, s.
  double active_for(double from, double to) const {
    return std::max(0.0, std::min(end, to) - std::max(start, from));
  }
  std::optional<double> value(const std::string& field) const {
    const auto at = values.find(field);
    return at == values.end() ? std::nullopt : std::optional<double>(at->second);
  }

  // Throws InputError for values that make no sense.
  void check() const;
};

}  // namespace octavo
