#include <Eigen/IterativeLinearSolvers>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include "rivals.h"

namespace octavo::bench {
namespace {

// Rows in order, and all of the matrix rather than a half: only then does Eigen use threads.
using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
using Vector = Eigen::VectorXd;

template <class Ordering>
using Solver = Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper,
                                        Eigen::IncompleteCholesky<double, Eigen::Lower, Ordering>>;

template <class Ordering>
MeasuredSolve solve(const char* setting, const Matrix& a, const Vector& b) {
  MeasuredSolve report;
  report.setting = setting;
  const double before = allocated_bytes();
  Solver<Ordering> solver;
  const Stopwatch setup;
  solver.compute(a);
  report.setup_seconds = setup.seconds();
  report.bytes = allocated_bytes() - before;
  solver.setTolerance(1e-6);
  solver.setMaxIterations(10000);
  const Stopwatch solve;
  const Vector x = solver.solve(b);
  report.solve_seconds = solve.seconds();
  if (solver.info() == Eigen::Success)
    report.iterations_1e6 = static_cast<int>(solver.iterations());
  report.residual = (b - a * x).norm() / b.norm();
  return report;
}

struct Setting {
  const char* name;
  MeasuredSolve (*run)(const char* setting, const Matrix& a, const Vector& b);
  bool one_thread = false;
};
constexpr Setting settings[] = {
    {"order of leaves", solve<Eigen::NaturalOrdering<int>>},
    {"minimum degree", solve<Eigen::AMDOrdering<int>>},
    // On a busy machine its threads cost more than they bring.
    {"order of leaves, one thread", solve<Eigen::NaturalOrdering<int>>, true},
};

}  // namespace

MeasuredSolve run_eigen(const LinearSystem& system, int threads, int repeats) {
  const auto n = static_cast<Eigen::Index>(system.size());
  const double before = allocated_bytes();
  Matrix a =
      Eigen::Map<const Matrix>(n, n, static_cast<Eigen::Index>(system.entries()),
                               system.row_begin.data(), system.column.data(), system.value.data());
  a.data().squeeze();  // copying takes more than it needs
  const double matrix_bytes = allocated_bytes() - before;
  const Vector b = Eigen::Map<const Vector>(system.rhs.data(), n);
  const View<const Setting> tried(settings, threads > 1 ? 3 : 2);
  MeasuredSolve report = best_of(tried, repeats, [&](const Setting& s) {
    Eigen::setNbThreads(s.one_thread ? 1 : threads);
    return s.run(s.name, a, b);
  });
  report.bytes += matrix_bytes;
  return report;
}

}  // namespace octavo::bench
