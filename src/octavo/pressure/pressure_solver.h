#pragma once

// Preconditioned conjugate gradients solve with the pressure matrix; the preconditioner is chosen by name.
//
// Coefficients and search direction are stored as Real (float by default), pressure and residual as
// double, and sums are double: the product A p has the rounding of double whatever Real is, and so
// has the residual that is updated with it. The multigrid is float always.
//
// A solver keeps its memory from step to step.

#include <string_view>
#include <vector>

#include "octavo/pressure/components.h"
#include "octavo/pressure/incomplete_cholesky.h"
#include "octavo/pressure/multigrid.h"

namespace octavo {

enum class Preconditioner { multigrid, mic0, diagonal };

inline constexpr std::array<std::string_view, 3> preconditioner_names{"multigrid", "mic0",
                                                                      "diagonal"};
constexpr std::string_view name(Preconditioner p) {
  return preconditioner_names[static_cast<std::size_t>(p)];
}
inline Preconditioner preconditioner_named(std::string_view wanted) {
  return value_named<Preconditioner>(preconditioner_names, wanted, "preconditioner");
}

// A solve stops when the divergence of every leaf is below one of the two bounds.
struct StopRule {
  double relative = 1e-6;  // of the largest divergence before, without a guess
  double divergence = 0;   // 1/s
  int max_iterations = 200;
};

enum class SolveOutcome { converged, not_converged, not_finite };

struct SolveReport {
  SolveOutcome outcome = SolveOutcome::converged;
  int iterations = 0;
  bool gave_up = false;  // it got worse and worse; the solution was set to zero
  // After each iteration (the first entry is before any), these are the residual's Euclidean norm (m^3/s, in 2D
  // m^2/s) and the largest divergence (1/s).
  std::vector<double> residual, divergence;
};

template <int Dim, class Real = float>
class PressureSolver {
 public:
  static constexpr int width = child_count<Dim>;

  // A solver is not copied: the preconditioner looks at the matrix beside it.
  PressureSolver() = default;
  ~PressureSolver() = default;
  PressureSolver(const PressureSolver&) = delete;
  PressureSolver& operator=(const PressureSolver&) = delete;

  // The mesh must outlive the solver's use; the boundary's views are looked at only here.
  void set_up(const Mesh<Dim>& mesh, const FlowBoundary<Dim, Real>& boundary, PressureScheme scheme,
              Preconditioner preconditioner = Preconditioner::multigrid);

  // Vectors over cells hold the solution, to be set to a first guess, and the right-hand side, which becomes
  // the residual. Both must be zero where there is no liquid leaf.
  View<double> solution() { return x_.view(); }
  View<double> residual() { return r_.view(); }

  // Makes the right-hand side of A x = b compatible in closed components, and takes the guess away.
  // Returns the largest divergence that closed components are left with, 1/s.
  double prepare(bool has_guess = false);

  // Improves the solution, given its residual; in closed components its mean becomes zero.
  SolveReport solve(const StopRule& rule);

  const ClosedComponents<Dim, Real>& components() const { return components_; }
  const PressureMatrix<Dim, Real>& matrix() const { return matrix_; }
  PressureMatrix<Dim, Real>& matrix() { return matrix_; }
  std::size_t matrix_bytes() const;  // matrix and preconditioners used so far
  std::size_t bytes() const;         // with the vectors

 private:
  static constexpr int patience = 300;     // iterations without progress
  static constexpr double hopeless = 1e6;  // growth of the squared residual
  struct Norms {
    double squares = 0, divergence = 0;
  };
  void subtract_guess();
  void precondition();
  double residual_dot_correction();
  void turn_direction(double beta);
  Norms move_along(double alpha);
  Norms measure_residual();
  void give_up();
  template <class F>
  Norms measure(const char* label, F&& f);

  PressureMatrix<Dim, Real> matrix_;
  ClosedComponents<Dim, Real> components_;
  Preconditioner preconditioner_ = Preconditioner::multigrid;
  Multigrid<Dim, Real> multigrid_;
  IncompleteCholesky<Dim, Real> mic_;
  Buffer<double> inverse_diagonal_, z_;  // for the diagonal preconditioner
  Buffer<double> x_, r_, product_;
  Buffer<Real> direction_;
  double first_divergence_ = 0;  // of the right-hand side as it was given
  double scale_ = 1;             // of corrections and directions
};

extern template class PressureSolver<2, float>;
extern template class PressureSolver<3, float>;
extern template class PressureSolver<2, double>;
extern template class PressureSolver<3, double>;

}  // namespace octavo
