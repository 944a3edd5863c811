#include "octavo/render/ambient_volume.h"

#include "octavo/base/parallel.h"

namespace octavo {

AmbientVolume::AmbientVolume(const Box<3>& domain, const Box<3>& bounds, int resolution,
                             const Arriving& arriving) {
  const Vec3d size = domain.size();
  spacing_ = std::max({size[0], size[1], size[2]}) / resolution;
  for (int a = 0; a < 3; ++a) {
    const double first = std::floor((bounds.lo[a] - domain.lo[a]) / spacing_);
    const double last = std::ceil((bounds.hi[a] - domain.lo[a]) / spacing_);
    origin_[a] = domain.lo[a] + first * spacing_;
    count_[a] = static_cast<int>(last - first) + 1;
  }
  values_.resize(static_cast<std::size_t>(product(count_)));
  const auto nx = static_cast<std::size_t>(count_[0]), ny = static_cast<std::size_t>(count_[1]);
  parallel_blocks(
      "light from the sky", values_.size(),
      [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const Vec<3, std::size_t> at{i % nx, i / nx % ny, i / nx / ny};
          if (const auto light = arriving(origin_ + at.cast<double>() * spacing_))
            values_[i] = {*light, 1};
        }
      },
      64);
}

Light AmbientVolume::at(const Vec3d& point) const {
  std::size_t first = 0, stride[3] = {1, 0, 0};
  stride[1] = static_cast<std::size_t>(count_[0]);
  stride[2] = stride[1] * static_cast<std::size_t>(count_[1]);
  Vec3f part{};
  for (int a = 0; a < 3; ++a) {
    const double x = std::clamp((point[a] - origin_[a]) / spacing_, 0.0, count_[a] - 1.0);
    const int cell = std::min(static_cast<int>(x), std::max(count_[a] - 2, 0));
    part[a] = static_cast<float>(x - cell);
    first += stride[a] * static_cast<std::size_t>(cell);
    if (count_[a] == 1) stride[a] = 0;
  }
  Light sum{};
  float weight = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    std::size_t index = first;
    float w = 1;
    for (int a = 0; a < 3; ++a) {
      const bool upper = (corner >> a & 1) != 0;
      if (upper) index += stride[a];
      w *= upper ? part[a] : 1 - part[a];
    }
    const Value& v = values_[index];
    sum += v.light * (w * v.weight);
    weight += w * v.weight;
  }
  return weight > 0 ? sum / weight : Light{};
}

}  // namespace octavo
