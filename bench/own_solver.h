#pragma once

// The solver of this project, measured, and compared with the matrix that the others get.

#include "octavo/pressure/pressure_solver.h"
#include "pressure_cases.h"
#include "rivals/report.h"

namespace octavo::bench {

MeasuredSolve run_own(const PressureProblem& problem, Preconditioner preconditioner, int repeats);

// Multiplies a random vector by the solver's matrix and by that of the LinearSystem; throws if the
// results differ.
void compare_matrices(const PressureCase& c);

}  // namespace octavo::bench
