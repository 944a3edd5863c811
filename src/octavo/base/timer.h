#pragma once

// Timers tell where the time goes. Every launch of parallel_for and friends adds its seconds to a row
// of this report under its label; a ScopedTimer does the same for a stretch of serial code.

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace octavo {

struct TimerRow {
  std::string label;
  std::size_t calls = 0;
  double seconds = 0;
};

// Rows are in the order in which their labels were first seen.
std::vector<TimerRow> timer_report();
void reset_timers();
void add_time(const char* label, double seconds);

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class ScopedTimer {
 public:
  explicit ScopedTimer(const char* label) : label_(label) {}
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;
  ~ScopedTimer() { add_time(label_, watch_.seconds()); }

 private:
  const char* label_;
  Stopwatch watch_;
};

}  // namespace octavo
