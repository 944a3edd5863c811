#include "octavo/base/timer.h"

#include <mutex>

namespace octavo {
namespace {

struct Registry {
  std::mutex mutex;
  std::vector<TimerRow> rows;
};

Registry& registry() {
  static Registry r;
  return r;
}

}  // namespace

std::vector<TimerRow> timer_report() {
  std::lock_guard lock(registry().mutex);
  return registry().rows;
}

void reset_timers() {
  std::lock_guard lock(registry().mutex);
  registry().rows.clear();
}

void add_time(const char* label, double seconds) {
  std::lock_guard lock(registry().mutex);
  auto& rows = registry().rows;
  for (auto& row : rows) {
    if (row.label != label) continue;
    ++row.calls;
    row.seconds += seconds;
    return;
  }
  rows.push_back({label, 1, seconds});
}

}  // namespace octavo
