#pragma once

// `octavo reproduce enright` draws a sphere out into a film and back, `octavo reproduce zalesak` turns a disk with a
// slot once; both show what a surface tracker has lost then, beside what was published.

#include "reproduce_command.h"

namespace octavo {

void run_enright(const ReproduceOptions& options);
void run_zalesak(const ReproduceOptions& options);

}  // namespace octavo
