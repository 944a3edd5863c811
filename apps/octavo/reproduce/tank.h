#pragma once

// `octavo reproduce tank` runs still water, level and tilted, through one projection on random octrees whose leaves jump
// in size at the surface, by itself, around a ball and beside an inclined wall. What it sets in motion is the doing of
// the rows at the surface.

#include "reproduce_command.h"

namespace octavo {

void run_tank(const ReproduceOptions& options);

}  // namespace octavo
