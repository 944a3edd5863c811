#pragma once

// `octavo reproduce losasso-table-1` repeats Losasso, Gibou, Fedkiw, "Simulating water and smoke
// with an octree data structure", 2004, Table 1: the accuracy of the pressure on an unrestricted
// octree.

#include "reproduce_command.h"

namespace octavo {

inline constexpr int default_table_levels = 5;  // gives as many rows as the paper has
inline constexpr int most_table_levels = 7;

void run_losasso_table(const ReproduceOptions& options);

}  // namespace octavo
