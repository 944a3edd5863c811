#pragma once

// This is light from the sky that arrives within smoke. It changes slowly from place to place, so that few points are
// enough: those of a coarse grid, which stays where it is while the smoke moves; between them it is trilinear.

#include <functional>
#include <optional>
#include <vector>

#include "octavo/image/picture.h"

namespace octavo {

class AmbientVolume {
 public:
  // Points lie within the bounds, at most 1/`resolution` of the domain's longest side apart. What arrives at a point
  // is asked once, from many threads; points without an answer, as inside of a solid, have no part in what is between
  // them and others.
  using Arriving = std::function<std::optional<Light>(const Vec3d&)>;
  AmbientVolume(const Box<3>& domain, const Box<3>& bounds, int resolution,
                const Arriving& arriving);

  Light at(const Vec3d& point) const;
  double spacing() const { return spacing_; }
  std::size_t bytes() const { return values_.size() * sizeof(Value); }

 private:
  struct Value {
    Light light{};
    float weight = 0;
  };

  Vec3d origin_{};
  double spacing_ = 1;
  Vec<3, int> count_{};
  std::vector<Value> values_;
};

}  // namespace octavo
