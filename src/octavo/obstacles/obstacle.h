#pragma once

// A scene says this about an obstacle, and about how obstacles enter the pressure.

#include <array>
#include <optional>
#include <string_view>

#include "octavo/operators/pressure_scheme.h"
#include "octavo/shapes/motion.h"
#include "octavo/shapes/shape.h"

namespace octavo {

// Obstacles enter the pressure by the open area of each face, or, as in the paper, by
// closing each face that intersects one.
enum class ObstacleTreatment { cut, voxel };
inline constexpr std::array<std::string_view, 2> obstacle_treatment_names{"cut", "voxel"};
constexpr std::string_view name(ObstacleTreatment t) {
  return obstacle_treatment_names[static_cast<std::size_t>(t)];
}

template <int Dim>
struct Obstacle {
  Shape<Dim> shape;                     // at rest
  Motion<Dim> motion{};                 // moves the shape
  std::optional<double> temperature{};  // to which it heats or cools the air beside it, K
};

}  // namespace octavo
