#pragma once

// `octavo reproduce bunlutangtum-table-1` shows what refinement by the view gains, on the paper's two
// domains. `octavo reproduce view-dependence` shows what pixels, frustum and occlusion gain beyond it.

#include "reproduce_command.h"

namespace octavo {

void run_view_table(const ReproduceOptions& options);
void run_view_shots(const ReproduceOptions& options);

}  // namespace octavo
