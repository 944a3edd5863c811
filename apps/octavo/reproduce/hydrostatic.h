#pragma once

// `octavo reproduce hydrostatic` runs still water under gravity through one projection. What it
// sets in motion is the scheme's own doing.

#include "reproduce_command.h"

namespace octavo {

void run_hydrostatic(const ReproduceOptions& options);

}  // namespace octavo
