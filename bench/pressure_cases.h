#pragma once

// What the pressure solvers are measured on: boxes with solids and free surfaces, of any size.

#include <functional>
#include <string>
#include <vector>

#include "octavo/mesh/field.h"
#include "octavo/operators/flow_boundary.h"
#include "octavo/operators/pressure_gradient.h"

namespace octavo::bench {

// A shape as a signed distance: of a point and of the size h of the finest cells, in units of which
// thin things are made.
using Shape = std::function<double(const Vec3d&, double h)>;

struct PressureCase {
  std::string name;
  // The tree of a finest level; those that can have any number of leaves look at the wanted one.
  std::function<Octree<3>(int level, double leaves)> tree;
  Shape liquid{}, solid{};  // negative inside; empty: all is liquid, there is no solid
  bool voxels = false;      // leaves are solid as a whole, or not at all
  bool open_walls = false;  // the pressure outside is zero
};

std::vector<PressureCase> pressure_cases();

// A case of one size: mesh, boundary, and what flows into every leaf.
class PressureProblem {
 public:
  // The tree whose number of leaves is nearest, as a ratio.
  PressureProblem(const PressureCase& c, double leaves);
  PressureProblem(const PressureProblem&) = delete;
  PressureProblem& operator=(const PressureProblem&) = delete;

  // Rivals get their matrix face by face, which a ghost fluid is made of.
  static constexpr PressureScheme scheme{GradientScheme::losasso06s, {}, SurfaceRows::ghost_fluid};

  const Mesh<3>& mesh() const { return mesh_; }
  std::size_t leaf_count() const { return mesh_.leaf_count(); }
  const FlowBoundary<3, float>& boundary() const { return boundary_; }
  PressureFaces<3, float> faces() const { return {mesh_.view(), boundary_, scheme}; }

  // The right-hand side: m^3/s for each leaf, zero in air, zero in sum over every closed component.
  View<const double> inflow() const { return inflow_.view(); }

 private:
  void set_boundary(const PressureCase& c);
  void set_open_area(const PressureCase& c, double h);
  void set_inflow();
  FaceField<float> velocity() const;

  Octree<3> tree_;
  Mesh<3> mesh_;
  Buffer<float> level_set_, open_area_;
  FlowBoundary<3, float> boundary_;
  Buffer<double> inflow_;
};

}  // namespace octavo::bench
