#pragma once

// These are the fields of a simulation at a moment, by name, as files, probes and pictures want them: numbers
// on nodes or leaves, and the velocity on nodes.
//
//   FrameFields<3> fields(simulation);
//   std::visit([&](const auto* values) { ... }, fields.shown("density"));

#include <optional>
#include <string>
#include <variant>

#include "octavo/simulation/simulation.h"

namespace octavo {

template <int Dim>
using ShownField = std::variant<const NodeField<float>*, const LeafField<float>*,
                                const NodeField<Vec<Dim, float>>*>;

template <int Dim>
class FrameFields {
 public:
  explicit FrameFields(const Simulation<Dim>& simulation) : simulation_(simulation) {}

  const Simulation<Dim>& simulation() const { return simulation_; }
  const Mesh<Dim>& mesh() const { return simulation_.mesh(); }
  const FieldInfo& info(const std::string& name) const { return column(name).info; }

  ShownField<Dim> shown(const std::string& name) {
    const auto& c = column(name);
    if (const auto* nodes = c.template as<NodeField<float>>()) return nodes;
    if (const auto* leaves = c.template as<LeafField<float>>()) return leaves;
    if (c.info.name != velocity_info().name)
      throw InvariantError(fmt::format("the field '{}' cannot be shown", name));
    return &velocity();
  }

  // The velocity is on nodes; it is computed when first asked for.
  const NodeField<Vec<Dim, float>>& velocity() {
    if (!velocity_.belongs_to(mesh())) simulation_.nodal_velocity(velocity_);
    return velocity_;
  }
  const FaceField<float>& face_velocity() const {
    return *column("velocity").template as<FaceField<float>>();
  }

  // The triangles are made when first asked for.
  const std::vector<FrameMesh>& meshes() {
    if (!meshes_) meshes_ = simulation_.meshes();
    return *meshes_;
  }

  // These are the values of the field that looks like this, on nodes; there are none if there is no such field.
  View<const float> looking(FieldRole role) const {
    for (const auto& c : simulation_.fields().columns())
      if (const auto* nodes = c.template as<NodeField<float>>(); nodes && c.info.role == role)
        return nodes->view();
    return {};
  }

 private:
  const typename FieldTable<Dim, float>::Column& column(const std::string& name) const {
    const auto* found = simulation_.fields().find(name);
    if (found == nullptr) throw InvariantError(fmt::format("there is no field '{}'", name));
    return *found;
  }

  const Simulation<Dim>& simulation_;
  NodeField<Vec<Dim, float>> velocity_;
  std::optional<std::vector<FrameMesh>> meshes_;
};

}  // namespace octavo
