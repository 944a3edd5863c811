#include "octavo/run/interrupt.h"

#include <csignal>

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

void catch_interrupts() {
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
}

bool interrupted() { return signals != 0; }

}  // namespace octavo
