#pragma once

// It is what hot smoke gives off, for all temperatures that there are in a field.
//
//   const GlowTable glow(look, temperature.view());
//   const Light light = glow.at(0.4f);

#include <vector>

#include "octavo/base/buffer.h"
#include "octavo/render/smoke_look.h"

namespace octavo {

class GlowTable {
 public:
  GlowTable() = default;  // of smoke that does not glow
  GlowTable(const Glow& glow, View<const float> temperature);

  bool empty() const { return light_.empty(); }

  // The temperature is as the simulation has it; what is no number is as cold as the coldest.
  Light at(float temperature) const {
    const double x = (static_cast<double>(temperature) - low_) * scale_;
    if (!(x > 0)) return light_.front();
    const auto i = static_cast<std::size_t>(std::min(x, static_cast<double>(light_.size() - 2)));
    const auto part = static_cast<float>(std::min(x - static_cast<double>(i), 1.0));
    return light_[i] + (light_[i + 1] - light_[i]) * part;
  }

 private:
  std::vector<Light> light_;
  double low_ = 0, scale_ = 0;
};

}  // namespace octavo
