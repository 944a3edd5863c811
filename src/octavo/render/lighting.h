#pragma once

// This shines on a scene: lights that are far away, and the sky; the ground ends in it.

#include <optional>
#include <vector>

#include "octavo/camera/ray.h"
#include "octavo/image/picture.h"

namespace octavo {

// It is the sun, or a large lamp far away. A white matte surface that faces it shows its strength.
struct DistantLight {
  Vec3d direction{0, 0, -1};  // in which it shines; length 1
  Light strength{1, 1, 1};
  double angle = 0;  // across its disc as it is seen, degrees: how soft shadows are
};

// Light comes from everywhere else, by the height of where one looks.
struct Sky {
  Vec3d up{0, 0, 1};
  Light zenith{0.35f, 0.45f, 0.6f}, horizon{0.75f, 0.8f, 0.85f}, below{0.3f, 0.3f, 0.3f};

  Light at(const Vec3d& direction) const {
    const auto h = static_cast<float>(dot(direction, up));
    const Light& end = h < 0 ? below : zenith;
    return horizon + (end - horizon) * std::sqrt(std::min(std::abs(h), 1.0f));
  }
};

// It is a matte plane that fades into the horizon.
struct Ground {
  double height = 0;  // along the direction that is up, m
  Light color{0.4f, 0.4f, 0.4f};
  double fade = 10;  // the distance over which it becomes the horizon, m
};

struct Lighting {
  std::vector<DistantLight> lights{};
  Sky sky{};
  std::optional<Ground> ground{};

  // It tells whether a light shines from below the ground, on nothing that is above it.
  bool is_below_ground(const DistantLight& light) const {
    return ground && dot(light.direction, sky.up) > 0;
  }
};

}  // namespace octavo
