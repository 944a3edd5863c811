#include "octavo/output/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace octavo {
namespace {

// Signal handlers can reach nothing but globals.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t signals = 0;

void interrupt(int signal_number) {
  signals = 1;
  std::signal(signal_number, SIG_DFL);
}

}  // namespace

// What was ignored before stays so: a job in the background of a script.
void catch_interrupts() {
  for (const int number : {SIGINT, SIGTERM})
    if (std::signal(number, interrupt) == SIG_IGN) std::signal(number, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() { return signals != 0; }

}  // namespace octavo
