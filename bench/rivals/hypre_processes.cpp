// hypre's conjugate gradients with BoomerAMG, on a linear system in a file. Debian's hypre knows
// processes and no threads, so that this is a program of its own, which rival_hypre.cpp starts:
//
//   mpirun -n 2 hypre FILE REPEATS      writes a MeasuredSolve

#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <mpi.h>

#include <cstdlib>

#include "hypre_system.h"
#include "report.h"

namespace octavo::bench {
namespace {

struct Setting {
  const char* name;
  int coarsening, interpolation;
};

// Of many settings these two were the fastest, in turns: HMIS coarsening with extended+i
// interpolation, and PMIS with the same as a product of matrices. Both call a connection strong from a
// quarter of the largest, coarsen the first level aggressively, interpolate from at most four points,
// and relax once with l1 Gauss-Seidel, forward on the way down and backward on the way up.
constexpr Setting settings[] = {
    {"HMIS", 10, 6},
    {"PMIS", 8, 17},
};

double summed(double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

// The seconds f takes the slowest process.
template <class F>
double time_of(F&& f) {
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = -MPI_Wtime();
  f();
  seconds += MPI_Wtime();
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

class Solver {
 public:
  explicit Solver(const Setting& setting) {
    HYPRE_BoomerAMGCreate(&amg_);
    HYPRE_BoomerAMGSetCoarsenType(amg_, setting.coarsening);
    HYPRE_BoomerAMGSetInterpType(amg_, setting.interpolation);
    HYPRE_BoomerAMGSetPMaxElmts(amg_, 4);
    HYPRE_BoomerAMGSetStrongThreshold(amg_, 0.25);
    HYPRE_BoomerAMGSetAggNumLevels(amg_, 1);
    HYPRE_BoomerAMGSetRelaxOrder(amg_, 0);
    HYPRE_BoomerAMGSetCycleRelaxType(amg_, 13, 1);
    HYPRE_BoomerAMGSetCycleRelaxType(amg_, 14, 2);
    HYPRE_BoomerAMGSetTol(amg_, 0);
    HYPRE_BoomerAMGSetMaxIter(amg_, 1);
    HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &pcg_);
    HYPRE_PCGSetTwoNorm(pcg_, 1);
    HYPRE_PCGSetMaxIter(pcg_, 500);
    HYPRE_ParCSRPCGSetPrecond(pcg_, HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGSetup, amg_);
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  ~Solver() {
    HYPRE_ParCSRPCGDestroy(pcg_);
    HYPRE_BoomerAMGDestroy(amg_);
  }

  void set_up(const Matrix& a, const Vector& b, const Vector& x) {
    HYPRE_ParCSRPCGSetup(pcg_, a.matrix, b.vector, x.vector);
  }
  // Returns the number of iterations, or not_reached.
  int solve(const Matrix& a, const Vector& b, const Vector& x, double tolerance) {
    HYPRE_PCGSetTol(pcg_, tolerance);
    HYPRE_ParCSRPCGSolve(pcg_, a.matrix, b.vector, x.vector);
    HYPRE_ClearAllErrors();
    int iterations = 0;
    double residual = 1;
    HYPRE_PCGGetNumIterations(pcg_, &iterations);
    HYPRE_PCGGetFinalRelativeResidualNorm(pcg_, &residual);
    return residual < tolerance ? iterations : not_reached;
  }

 private:
  HYPRE_Solver amg_ = nullptr, pcg_ = nullptr;
};

double relative_residual(const Rows& rows, const Matrix& a, const Vector& x) {
  Vector r(rows, rows.rhs.data());
  const double before = r.norm();
  HYPRE_ParCSRMatrixMatvec(-1, a.matrix, x.vector, 1, r.vector);
  return r.norm() / before;
}

MeasuredSolve measure(const Rows& rows, const Matrix& a, const Setting& setting, double tolerance) {
  const std::vector<double> zero(rows.count(), 0.0);
  const Vector b(rows, rows.rhs.data()), x(rows, zero.data());
  MeasuredSolve report;
  report.setting = setting.name;
  const double before = allocated_bytes();
  Solver solver(setting);
  report.setup_seconds = time_of([&] { solver.set_up(a, b, x); });
  report.bytes = summed(allocated_bytes() - before);
  int& iterations = tolerance < 1e-6 ? report.iterations_1e10 : report.iterations_1e6;
  report.solve_seconds = time_of([&] { iterations = solver.solve(a, b, x, tolerance); });
  report.residual = relative_residual(rows, a, x);
  return report;
}

MeasuredSolve run(const char* path, int repeats) {
  const Rows rows(path);
  const double before = allocated_bytes();
  const Matrix a(rows);
  const double matrix_bytes = summed(allocated_bytes() - before);
  MeasuredSolve report =
      best_of(settings, repeats, [&](const Setting& s) { return measure(rows, a, s, 1e-6); });
  const Setting* best = std::find_if(std::begin(settings), std::end(settings),
                                     [&](const Setting& s) { return report.setting == s.name; });
  report.iterations_1e10 = measure(rows, a, *best, 1e-10).iterations_1e10;
  report.bytes += matrix_bytes;
  return report;
}

}  // namespace
}  // namespace octavo::bench

int main(int argc, char** argv) {
  using namespace octavo::bench;
  MPI_Init(&argc, &argv);
  HYPRE_Init();
  try {
    if (argc != 3) throw std::runtime_error("two arguments, please: FILE REPEATS");
    const MeasuredSolve report = run(argv[1], std::atoi(argv[2]));
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::printf("%s\n", nlohmann::json(report).dump().c_str());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "hypre: %s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  HYPRE_Finalize();
  MPI_Finalize();
}
