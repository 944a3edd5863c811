#pragma once

// Runs know a simulation as this: they call it once a step or a frame, never for a leaf.
//
//   std::unique_ptr<Simulation<3>> s = ...;          // of the kind that a scene names: see kind.h
//   s->start(beginning);
//   const StepReport report = s->step(dt);
//   for (const auto& column : s->fields().columns()) fmt::print("{}\n", column.info.title());
//
// Any class with a Flow and these functions is made one by SimulationOf.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "octavo/flow/flow.h"
#include "octavo/shapes/surface_mesh.h"

namespace octavo {

// A simulation may want such triangles written with a frame; `name` is part of the name of their files. Pictures of a
// liquid in space are made from the mesh of its surface, which is closed, and from drops, if there are some: balls.
inline constexpr const char *surface_mesh_name = "surface", *drops_mesh_name = "drops";
struct FrameMesh {
  std::string name;
  SurfaceMesh mesh;
};

template <int Dim>
class Simulation {
 public:
  Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  virtual ~Simulation() = default;

  virtual void start(const FlowStart<Dim>& start) = 0;
  virtual StepReport step(double dt) = 0;
  // This many steps make a frame that begins now.
  virtual int substeps_for(double seconds) const = 0;
  virtual double leaves_passed_in(double seconds) const = 0;

  // All that next steps depend on is in the state; it is valid until the next change.
  virtual SavedState<Dim> state() const = 0;
  virtual void restore(const SavedState<Dim>& state) = 0;

  virtual const Grid<Dim>& grid() const = 0;
  virtual double time() const = 0;
  virtual const FieldTable<Dim, float>& fields() const = 0;
  virtual void nodal_velocity(NodeField<Vec<Dim, float>>& out) const = 0;
  virtual RefinementReasons refinement_reasons() = 0;
  virtual std::vector<FrameMesh> meshes() const = 0;

  const Mesh<Dim>& mesh() const { return grid().mesh(); }
};

// This wraps a method that has a flow(): what it does not do itself, its flow does.
template <int Dim, class Method>
class SimulationOf final : public Simulation<Dim> {
 public:
  template <class... Arguments>
  explicit SimulationOf(Arguments&&... arguments)
      : method_(std::forward<Arguments>(arguments)...) {}

  void start(const FlowStart<Dim>& start) override { method_.start(start); }
  StepReport step(double dt) override { return method_.step(dt); }
  int substeps_for(double seconds) const override { return method_.substeps_for(seconds); }
  double leaves_passed_in(double seconds) const override {
    return method_.leaves_passed_in(seconds);
  }
  SavedState<Dim> state() const override { return method_.state(); }
  void restore(const SavedState<Dim>& state) override { method_.restore(state); }
  const Grid<Dim>& grid() const override { return method_.flow().grid(); }
  double time() const override { return method_.flow().time(); }
  const FieldTable<Dim, float>& fields() const override { return method_.flow().fields(); }
  void nodal_velocity(NodeField<Vec<Dim, float>>& out) const override {
    method_.flow().nodal_velocity(out);
  }
  RefinementReasons refinement_reasons() override { return method_.refinement_reasons(); }
  std::vector<FrameMesh> meshes() const override {
    if constexpr (requires(const Method& m) { m.meshes(); })
      return method_.meshes();
    else
      return {};
  }

  const Method& method() const { return method_; }

 private:
  Method method_;
};

}  // namespace octavo
