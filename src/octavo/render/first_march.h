#pragma once

// This is the medium in front of what a pixel shows. It changes less from sample to sample than surfaces do, and
// takes longer: one march serves all samples that end at about the same distance.

#include "octavo/render/medium.h"

namespace octavo {

class FirstMarch {
 public:
  FirstMarch(const Medium& medium, const Ray& ray)
      : medium_(medium), ray_(ray), reach_(medium.reach(ray)) {}

  const Marched& to(double distance) {
    constexpr double close = 0.002;  // of the distance
    const double end = std::min(distance, reach_);
    for (const End* e : {&near_, &far_})
      if (end == e->distance || std::abs(end - e->distance) <= close * std::min(end, e->distance))
        return e->marched;
    far_ = near_;
    near_ = {end, medium_.march(ray_, {0, end})};
    return near_.marched;
  }

 private:
  struct End {
    double distance = -1;
    Marched marched{};
  };
  const Medium& medium_;
  Ray ray_;
  double reach_;
  End near_, far_;  // an edge has two sides
};

}  // namespace octavo
