#pragma once

// This handles Ctrl-C and SIGTERM: the first one asks the program to come to an end, the second one ends
// it. That nobody reads its output any more does not end it.

namespace octavo {

void catch_interrupts();
bool interrupted();

}  // namespace octavo
