#pragma once

// `octavo reproduce taylor-green` runs vortices of an ideal fluid, which should turn for ever, and shows what
// each way to advance them makes of it, beside Basilisk's.

#include "reproduce_command.h"

namespace octavo {

void run_taylor_green(const ReproduceOptions& options);

}  // namespace octavo
