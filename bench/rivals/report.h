#pragma once

// What is measured of a solver, how often, and how a linear system and the answer go from process to
// process. Knows nothing of octrees.

#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace octavo::bench {

inline constexpr int not_reached = -1;
inline constexpr double long_run = 10;  // s; noise matters little in it, so that it is not repeated

struct MeasuredSolve {
  int iterations_1e6 = not_reached, iterations_1e10 = not_reached;  // or not measured
  double setup_seconds = 0, solve_seconds = 0;                      // the solve is that to 1e-6
  double bytes = 0;      // of the matrix and the preconditioner
  double all_bytes = 0;  // with the vectors; 0: not measured
  double residual = 1;   // of that solve: the true one, relative to the right-hand side
  std::string setting;   // the fastest of those that were tried

  double seconds() const { return setup_seconds + solve_seconds; }
  bool is_better_than(const MeasuredSolve& other) const {
    const bool solved = iterations_1e6 != not_reached;
    if (solved != (other.iterations_1e6 != not_reached)) return solved;
    return seconds() < other.seconds();
  }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MeasuredSolve, iterations_1e6, iterations_1e10, setup_seconds,
                                   solve_seconds, bytes, all_bytes, residual, setting)

// Tries every setting once and repeats the best one; its best times count. run(setting) returns a
// report.
template <class Settings, class Run>
MeasuredSolve best_of(const Settings& settings, int repeats, Run&& run) {
  MeasuredSolve best;
  auto best_setting = std::begin(settings);
  for (auto s = std::begin(settings); s != std::end(settings); ++s) {
    const MeasuredSolve report = run(*s);
    if (s != std::begin(settings) && !report.is_better_than(best)) continue;
    best = report;
    best_setting = s;
  }
  for (int i = 1; i < repeats && best.seconds() < long_run; ++i) {
    const MeasuredSolve again = run(*best_setting);
    best.setup_seconds = std::min(best.setup_seconds, again.setup_seconds);
    best.solve_seconds = std::min(best.solve_seconds, again.solve_seconds);
  }
  return best;
}

// What this process has allocated and not freed.
inline double allocated_bytes() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

// A linear system in a file, so that each process can read its rows of it:
//
//   SystemHeader, row_begin[rows + 1], column[entries], value[entries], rhs[rows]
struct SystemHeader {
  std::int64_t rows, entries;

  // Where the arrays begin, in bytes.
  std::int64_t row_begin() const { return sizeof(SystemHeader); }
  std::int64_t column() const { return row_begin() + (rows + 1) * std::int64_t{sizeof(int)}; }
  std::int64_t value() const { return column() + entries * std::int64_t{sizeof(int)}; }
  std::int64_t rhs() const { return value() + entries * std::int64_t{sizeof(double)}; }
};

}  // namespace octavo::bench
