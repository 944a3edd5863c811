#include "octavo/smoke/smoke_kind.h"

#include "octavo/smoke/smoke.h"

namespace octavo {
namespace {

template <int Dim>
class SmokeTable final : public KindTable<Dim> {
 public:
  std::unique_ptr<KindTable<Dim>> clone() const override {
    return std::make_unique<SmokeTable>(*this);
  }
  void keys(KeyVisitor& v) override {
    v("weight", forces_.weight, "by which smoke sinks, m/s^2 for a density of 1", any_value);
    v("lift", forces_.lift, "by which warm air rises, m/s^2 for each K", any_value);
    v("ambient", forces_.ambient, "temperature of the air outside, K", any_value);
    v("confinement", forces_.confinement, "of vortices", not_negative);
    v("cooling", forces_.cooling, "towards ambient, 1/s", not_negative);
    v("density_decay", forces_.density_decay, "1/s", not_negative);
  }
  std::vector<FieldInfo> fields() const override { return smoke_fields(forces_); }
  void check(const FlowParameters<Dim>& flow) const override {
    parameters(flow).check(Domain<Dim>{});
  }
  std::unique_ptr<Simulation<Dim>> make(const Domain<Dim>& domain,
                                        const FlowParameters<Dim>& flow) const override {
    return std::make_unique<SimulationOf<Dim, Smoke<Dim>>>(domain, parameters(flow), std::nullopt);
  }

  SmokeParameters<Dim> parameters(const FlowParameters<Dim>& flow) const { return {flow, forces_}; }

 private:
  SmokeForces forces_;
};

}  // namespace

Kind smoke_kind() {
  return {"smoke", "method and forces", [] { return std::make_unique<SmokeTable<2>>(); },
          [] { return std::make_unique<SmokeTable<3>>(); }};
}

template <int Dim>
SmokeParameters<Dim> smoke_parameters(const KindTable<Dim>& table,
                                      const FlowParameters<Dim>& flow) {
  const auto* smoke = dynamic_cast<const SmokeTable<Dim>*>(&table);
  if (smoke == nullptr) throw InputError("this is for smoke, and for no other simulation");
  return smoke->parameters(flow);
}

template SmokeParameters<2> smoke_parameters(const KindTable<2>&, const FlowParameters<2>&);
template SmokeParameters<3> smoke_parameters(const KindTable<3>&, const FlowParameters<3>&);

}  // namespace octavo
