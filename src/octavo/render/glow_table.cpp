#include "octavo/render/glow_table.h"

#include <cmath>

#include "octavo/base/parallel.h"

namespace octavo {

GlowTable::GlowTable(const Glow& glow, View<const float> temperature) {
  constexpr std::size_t steps = 1024;
  auto most = [&](float sign) {
    return parallel_max("hottest smoke", temperature.size(), -1e5, [=](std::size_t i) {
      const auto t = static_cast<double>(sign * temperature[i]);
      return std::abs(t) <= 1e5 ? t : -1e5;
    });
  };
  low_ = -most(-1);
  const double range = most(1) - low_;
  scale_ = range > 0 ? (steps - 1) / range : 0;
  light_.resize(steps);
  parallel_for("glow", steps, [&](std::size_t i) {
    light_[i] = emitted(glow, low_ + static_cast<double>(i) * range / (steps - 1));
  });
}

}  // namespace octavo
