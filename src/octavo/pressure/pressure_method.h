#pragma once

// This is how simulations see the step that makes a velocity free of divergence: as one call. There may be
// several ways; the one that solves for the whole tree at once is Projection.

#include <string>

#include "octavo/mesh/field.h"
#include "octavo/pressure/pressure_solver.h"

namespace octavo {

struct ProjectionOptions {
  double time_step = 0;  // s
  double density = 1;    // of the fluid, kg/m^3
  PressureScheme scheme{};
  Preconditioner preconditioner = Preconditioner::multigrid;
  StopRule stop{};
};

struct PressureReport {
  SolveOutcome outcome = SolveOutcome::converged;
  int iterations = 0;
  double residual_before = 0, residual_after = 0;      // Euclidean norm of the net outflow, m^3/s
  double divergence_before = 0, divergence_after = 0;  // the largest of any liquid leaf, 1/s
  std::size_t liquid_leaves = 0;
  // The first number counts closed parts of the fluid; the second is the largest mean divergence that walls and
  // solids force upon one, which no pressure can remove and which was left in it evenly, 1/s.
  std::size_t closed_components = 0;
  double forced_divergence = 0;
  // These are zero without a free surface, and with a ghost fluid.
  CutRowCounts cut_rows;
  double setup_seconds = 0, solve_seconds = 0;
  std::size_t matrix_bytes = 0, bytes = 0;  // matrix and preconditioner; with vectors
  SolveReport history;

  bool converged() const { return outcome == SolveOutcome::converged; }
  std::string sentence() const;  // what happened, for a person
};

template <int Dim, class Real = float>
class PressureMethod {
 public:
  PressureMethod() = default;
  virtual ~PressureMethod() = default;
  PressureMethod(const PressureMethod&) = delete;
  PressureMethod& operator=(const PressureMethod&) = delete;

  // Replaces the velocity by its projection and the pressure by the one that did it (Pa; zero in air and in solids).
  // `wanted` is the divergence that leaves are to have, 1/s; it is none where the view is empty. If something is not
  // a number, all is left as it is and the report says so. If the solver gives up, no pressure is applied.
  virtual PressureReport project(const Mesh<Dim>& mesh, const FlowBoundary<Dim, Real>& boundary,
                                 const ProjectionOptions& options, FaceField<Real>& velocity,
                                 LeafField<Real>& pressure, View<const Real> wanted = {}) = 0;
  virtual std::size_t bytes() const = 0;
};

}  // namespace octavo
