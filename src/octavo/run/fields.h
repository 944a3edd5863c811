#pragma once

// The fields of a simulation by name, as scenes call them: density, temperature, velocity, pressure and the
// further scalars.

#include <string>

#include "octavo/sim/smoke.h"

namespace octavo {

template <int Dim>
class SmokeFields {
 public:
  explicit SmokeFields(const Smoke<Dim>& smoke) : smoke_(smoke) {}

  const Smoke<Dim>& smoke() const { return smoke_; }

  // Density, temperature or a further scalar; none for other names.
  const NodeField<float>* nodal(const std::string& name) const {
    if (name == "density") return &smoke_.density();
    if (name == "temperature") return &smoke_.temperature();
    const auto& scalars = smoke_.parameters().scalars;
    for (std::size_t i = 0; i < scalars.size(); ++i)
      if (scalars[i].name == name) return &smoke_.scalar(i);
    return nullptr;
  }
  // Its value in the air outside.
  double outside(const std::string& name) const {
    if (name == "temperature") return smoke_.parameters().ambient;
    for (const ScalarParameters& s : smoke_.parameters().scalars)
      if (s.name == name) return s.outside;
    return 0;
  }

  // On nodes; computed when first asked for.
  const NodeField<Vec<Dim, float>>& velocity() {
    if (!velocity_.belongs_to(smoke_.mesh())) smoke_.nodal_velocity(velocity_);
    return velocity_;
  }

 private:
  const Smoke<Dim>& smoke_;
  NodeField<Vec<Dim, float>> velocity_;
};

}  // namespace octavo
