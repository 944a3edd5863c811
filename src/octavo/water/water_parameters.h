#pragma once

// A simulation of water is made of these, apart from its state: what any flow has, and what a liquid with a free
// surface obeys.

#include <optional>
#include <string>
#include <vector>

#include "octavo/flow/field_info.h"
#include "octavo/flow/flow_parameters.h"
#include "octavo/level_set/volume_feedback.h"
#include "octavo/surface/particle_level_set.h"

namespace octavo {

// The volume of each body of liquid is kept in one of these ways.
//   off    what the surface's tracker makes or loses stays made or lost
//   flow   bodies expand or shrink a little with the flow, until they have the volume that was booked for them
enum class KeepVolume { off, flow };
inline constexpr std::array<std::string_view, 2> keep_volume_names{"off", "flow"};
constexpr std::string_view name(KeepVolume k) {
  return keep_volume_names[static_cast<std::size_t>(k)];
}

// These are asked of water alone.
struct LiquidParameters {
  double liquid_density = 1000;               // kg/m^3
  double gravity = 9.81;                      // against up, m/s^2
  double surface_tension = 0;                 // N/m
  std::string tracker{"particle_level_set"};  // of the surface: see surface/particle_level_set.h
  std::optional<int> particles_per_leaf{};    // else as the tracker has them
  KeepVolume keep_volume = KeepVolume::flow;
};

template <int Dim>
struct WaterParameters : FlowParameters<Dim>, LiquidParameters {
  WaterParameters() = default;
  WaterParameters(const FlowParameters<Dim>& flow, const LiquidParameters& liquid)
      : FlowParameters<Dim>(flow), LiquidParameters(liquid) {}

  // This throws InputError for values that make no sense.
  void check(const Domain<Dim>& domain) const;

  // This is gravity with the constant force of the flow, m/s^2.
  Vec<Dim> total_acceleration() const {
    Vec<Dim> a = this->acceleration;
    a[this->up_axis] -= gravity;
    return a;
  }
  ParticleLevelSetParameters surface_tracker() const {
    auto p = ParticleLevelSetParameters::named(this->tracker, Dim);
    p.particles.particles_per_leaf = particles_per_leaf.value_or(p.particles.particles_per_leaf);
    return p;
  }
};

// Water carries its surface, as a signed distance.
std::vector<FieldInfo> water_fields();

}  // namespace octavo
