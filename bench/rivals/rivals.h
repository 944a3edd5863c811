#pragma once

// Other people's solvers, on the same matrix. A build has those that CMake found.
//
// The matrix of a closed component is singular, with a right-hand side that is consistent. Eigen gets
// it as it is: conjugate gradients never leave the range of the matrix, and incomplete Cholesky
// does not notice. BoomerAMG solves its coarsest level exactly and breaks down; for hypre, twice the
// diagonal entry is taken for the first unknown of each closed component. Since what flows in is
// zero in sum, the exact solution is then one of the same equation, with a zero there.

#include <vector>

#include "../linear_system.h"
#include "report.h"

namespace octavo::bench {

struct Rival {
  std::string name, what;
  MeasuredSolve (*run)(const LinearSystem& system, int threads, int repeats);
};

// Conjugate gradients with incomplete Cholesky; the threads share the products with the matrix.
MeasuredSolve run_eigen(const LinearSystem& system, int threads, int repeats);

// Conjugate gradients with BoomerAMG, on as many processes as there should be threads.
MeasuredSolve run_hypre(const LinearSystem& system, int threads, int repeats);

inline std::vector<Rival> rivals() {
  std::vector<Rival> found;
#ifdef OCTAVO_BENCH_HYPRE
  found.push_back({"hypre", "conjugate gradients with BoomerAMG", run_hypre});
#endif
#ifdef OCTAVO_BENCH_EIGEN
  found.push_back({"eigen", "conjugate gradients with incomplete Cholesky", run_eigen});
#endif
  return found;
}

}  // namespace octavo::bench
