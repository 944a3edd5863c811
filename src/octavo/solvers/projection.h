#pragma once

// The projection of Losasso 2004, section 4: makes a velocity on faces free of divergence,
//
//   u = u* - (dt / rho) grad p,     div u = 0 in every liquid leaf,
//
// by solving for the pressure (operators/pressure_faces.h has the discretisation). With the scheme
// losasso06s it is the orthogonal projection in the norm sum W u^2, W = area * distance.
//
//   Projection<3> projection;                              // keeps its memory from step to step
//   PressureReport report = projection.project(mesh, boundary, {.time_step = dt}, velocity, pressure);
//
// The pressure that is passed in is the first guess. If it is the last step's, fewer iterations
// are needed.

#include <string>

#include "octavo/mesh/field.h"
#include "octavo/solvers/pressure_solver.h"

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
  // Closed parts of the fluid; the largest mean divergence that walls and solids force upon one,
  // which no pressure can remove and which was left in it evenly, 1/s.
  std::size_t closed_components = 0;
  double forced_divergence = 0;
  double setup_seconds = 0, solve_seconds = 0;
  std::size_t matrix_bytes = 0, bytes = 0;  // matrix and preconditioner; with vectors
  SolveReport history;

  bool converged() const { return outcome == SolveOutcome::converged; }
  std::string sentence() const;  // what happened, for a person
};

template <int Dim, class Real = float>
class Projection {
 public:
  // Replaces the velocity by its projection and the pressure by the one that did it (Pa; zero in air
  // and in solids). If something is not a number, both are left as they are and the report says so.
  // If the solver gives up, no pressure is applied.
  PressureReport project(const Mesh<Dim>& mesh, const FlowBoundary<Dim, Real>& boundary,
                         const ProjectionOptions& options, FaceField<Real>& velocity,
                         LeafField<Real>& pressure);

  const PressureSolver<Dim, Real>& solver() const { return solver_; }

 private:
  double largest_divergence(const PressureFaces<Dim, Real>& faces, View<const Real> velocity) const;
  void set_right_hand_side(const PressureFaces<Dim, Real>& faces, View<const Real> velocity,
                           double scale);
  bool set_guess(const MeshView<Dim>& mesh, View<const Real> pressure, double scale);
  void update_velocity(const PressureFaces<Dim, Real>& faces, View<Real> velocity, double scale);
  void store_pressure(const PressureFaces<Dim, Real>& faces, View<Real> pressure, double scale);

  PressureSolver<Dim, Real> solver_;
};

extern template class Projection<2, float>;
extern template class Projection<3, float>;
extern template class Projection<2, double>;
extern template class Projection<3, double>;

}  // namespace octavo
