#include "octavo/water/water_kind.h"

#include "octavo/water/water.h"

namespace octavo {
namespace {

template <int Dim>
class WaterTable final : public KindTable<Dim> {
 public:
  std::unique_ptr<KindTable<Dim>> clone() const override {
    return std::make_unique<WaterTable>(*this);
  }
  void keys(KeyVisitor& v) override {
    v("density", liquid_.liquid_density, "how heavy the liquid is, kg/m^3", positive);
    v("gravity", liquid_.gravity, "pulls the liquid down, m/s^2", any_value);
    v("surface_tension", liquid_.surface_tension, "pulls the surface together, N/m", not_negative);
    v("tracker", tracker_, "follows the surface of the liquid", any_value);
    v("particles_per_leaf", particles_,
      "mark both sides of the surface; as the tracker has them if not given", between(0, 4096));
    v("keep_volume", keep_volume_,
      "\"flow\" gives each body of liquid back what the surface's tracker has made or lost",
      any_value);
  }
  std::vector<FieldInfo> fields() const override { return water_fields(); }
  void check(const FlowParameters<Dim>& flow) const override {
    parameters(flow).check(Domain<Dim>{});
  }
  std::unique_ptr<Simulation<Dim>> make(const Domain<Dim>& domain,
                                        const FlowParameters<Dim>& flow) const override {
    return std::make_unique<SimulationOf<Dim, Water<Dim>>>(domain, parameters(flow), std::nullopt);
  }

 private:
  WaterParameters<Dim> parameters(const FlowParameters<Dim>& flow) const {
    LiquidParameters liquid = liquid_;
    liquid.tracker = tracker_.words[tracker_.chosen];
    if (particles_) liquid.particles_per_leaf = static_cast<int>(*particles_);
    liquid.keep_volume = static_cast<KeepVolume>(keep_volume_.chosen);
    return {flow, liquid};
  }

  LiquidParameters liquid_;
  Choice tracker_{{particle_level_set_names.begin(), particle_level_set_names.end()}};
  std::optional<double> particles_;
  Choice keep_volume_{{keep_volume_names.begin(), keep_volume_names.end()},
                      static_cast<std::size_t>(LiquidParameters{}.keep_volume)};
};

}  // namespace

Kind water_kind() {
  return {"water", "a liquid with a free surface", [] { return std::make_unique<WaterTable<2>>(); },
          [] { return std::make_unique<WaterTable<3>>(); }};
}

}  // namespace octavo
