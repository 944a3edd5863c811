#pragma once

// The projection of Losasso 2004, section 4, makes a velocity on faces free of divergence,
//
//   u = u* - (dt / rho) grad p,     div u = 0 in every liquid leaf,
//
// by solving for the pressure (operators/pressure_gradient.h has the discretisation). With the scheme
// losasso06s it is the orthogonal projection in the norm sum W u^2, W = area * distance; under a free surface, in that
// of CutRows::squared_norm.
//
//   Projection<3> projection;                              // keeps its memory from step to step
//   PressureReport report = projection.project(mesh, boundary, {.time_step = dt}, velocity, pressure);
//
// The pressure that is passed in is the first guess. If it is the last step's, fewer iterations
// are needed.

#include "octavo/pressure/pressure_method.h"

namespace octavo {

template <int Dim, class Real = float>
class Projection final : public PressureMethod<Dim, Real> {
 public:
  PressureReport project(const Mesh<Dim>& mesh, const FlowBoundary<Dim, Real>& boundary,
                         const ProjectionOptions& options, FaceField<Real>& velocity,
                         LeafField<Real>& pressure, View<const Real> wanted = {}) override;
  std::size_t bytes() const override { return solver_.bytes(); }

  const PressureSolver<Dim, Real>& solver() const { return solver_; }

 private:
  double largest_divergence(const PressureFaces<Dim, Real>& faces, View<const Real> velocity,
                            View<const Real> wanted) const;
  void add_known_pressures(const PressureFaces<Dim, Real>& faces, double scale);
  void set_right_hand_side(const PressureFaces<Dim, Real>& faces, View<const Real> velocity,
                           View<const Real> wanted, double scale);
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
