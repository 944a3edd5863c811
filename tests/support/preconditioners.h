#pragma once

// For tests that every preconditioner has to pass.

#include "octavo/pressure/projection.h"

namespace octavo::test {

inline constexpr Preconditioner preconditioners[] = {
    Preconditioner::multigrid, Preconditioner::mic0, Preconditioner::diagonal};

}  // namespace octavo::test
