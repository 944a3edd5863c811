#include "own_solver.h"

#include "linear_system.h"
#include "octavo/base/random.h"

namespace octavo::bench {
namespace {

// Iterations until the Euclidean norm of the residual is a given part of the first.
int iterations_to(const SolveReport& report, double part) {
  for (std::size_t i = 0; i < report.residual.size(); ++i)
    if (report.residual[i] <= part * report.residual[0]) return static_cast<int>(i);
  return not_reached;
}

// Our own solver on a problem.
class Measurement {
 public:
  Measurement(const PressureProblem& problem, Preconditioner preconditioner)
      : problem_(problem), preconditioner_(preconditioner) {}

  MeasuredSolve run(int repeats) {
    MeasuredSolve best = count_iterations();
    best.setup_seconds = best.solve_seconds = 1e300;
    for (int i = 0; i < repeats; ++i) {
      reset_timers();  // what they report is the last run
      const Stopwatch setup;
      set_up();
      best.setup_seconds = std::min(best.setup_seconds, setup.seconds());
      set_right_hand_side();
      const Stopwatch solve;
      if (best.iterations_1e6 != not_reached)
        solver_.solve({.relative = 0, .divergence = 0, .max_iterations = best.iterations_1e6});
      best.solve_seconds = std::min(best.solve_seconds, solve.seconds());
      if (best.seconds() > long_run) break;
    }
    return best;
  }

 private:
  void set_up() {
    solver_.set_up(problem_.mesh(), problem_.boundary(), PressureProblem::scheme, preconditioner_);
  }

  void set_right_hand_side() {
    const SiblingBlocksView<3> sibling_blocks = solver_.matrix().sibling_blocks().view();
    const View<double> r = solver_.residual();
    const View<const double> in = problem_.inflow();
    parallel_for("right-hand side", in.size(),
                 [=](std::size_t i) { r[sibling_blocks.level_cell(LeafId(i))] = in[i]; });
  }

  // The solver stops by the largest divergence, which may come before the norm of the residual has
  // fallen as far; then it has to go on.
  MeasuredSolve count_iterations() {
    MeasuredSolve report;
    const int most = preconditioner_ == Preconditioner::multigrid ? 500 : 5000;
    for (const double relative : {1e-10, 1e-13}) {
      set_up();
      set_right_hand_side();
      const SolveReport history = solver_.solve({relative, 0, most});
      report.iterations_1e6 = iterations_to(history, 1e-6);
      report.iterations_1e10 = iterations_to(history, 1e-10);
      report.residual = history.residual.back() / history.residual.front();
      if (report.iterations_1e10 != not_reached || history.iterations >= most) break;
    }
    report.bytes = static_cast<double>(solver_.matrix_bytes());
    report.all_bytes = static_cast<double>(solver_.bytes());
    return report;
  }

  const PressureProblem& problem_;
  Preconditioner preconditioner_;
  PressureSolver<3> solver_;
};

// How far the products of the two matrices with a random vector are apart, relative to themselves.
double difference_of_products(PressureMatrix<3, float>& matrix, const LinearSystem& system) {
  const SiblingBlocksView<3> sibling_blocks = matrix.sibling_blocks().view();
  Buffer<float> q(matrix.vector_size());
  Buffer<double> product(matrix.vector_size()), x(system.size());
  std::fill(q.begin(), q.end(), 0.0f);
  std::fill(product.begin(), product.end(), 0.0);
  for (std::size_t i = 0; i < system.size(); ++i)
    x[i] = q[sibling_blocks.level_cell(system.leaf[i])] =
        static_cast<float>(Random(1).uniform(i) - 0.5);
  matrix.apply(q.view(), product.view());
  double difference = 0, all = 0;
  for (std::size_t i = 0; i < system.size(); ++i) {
    const double expected = system.product(i, x.view());
    difference += std::pow(product[sibling_blocks.level_cell(system.leaf[i])] - expected, 2);
    all += std::pow(expected, 2);
  }
  return std::sqrt(difference / all);
}

}  // namespace

MeasuredSolve run_own(const PressureProblem& problem, Preconditioner preconditioner, int repeats) {
  return Measurement(problem, preconditioner).run(repeats);
}

void compare_matrices(const PressureCase& c) {
  const PressureProblem problem(c, 1e4);
  PressureMatrix<3, float> matrix;
  matrix.build(problem.mesh(), problem.boundary(), PressureProblem::scheme);
  const double difference = difference_of_products(matrix, LinearSystem(problem));
  if (!(difference <= 1e-5))
    throw InvariantError(
        fmt::format("{}: products with the solver's matrix and with the assembled one differ by "
                    "{:.3g} of themselves",
                    c.name, difference));
}

}  // namespace octavo::bench
