#pragma once

// There are three kinds of failure, which are kept apart.
//
// InputError is the caller's mistake (a bad option, a broken file). The program prints the sentence and
// exits with code 2. SimulationError means that a run cannot go on (a velocity is not a number); the
// exit code is 1. InvariantError is our own mistake; a rule of the code no longer holds.

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace octavo {

class InputError : public std::runtime_error {
 public:
  template <class... Args>
  explicit InputError(fmt::format_string<Args...> text, Args&&... args)
      : std::runtime_error(fmt::format(text, std::forward<Args>(args)...)) {}
};

class SimulationError : public std::runtime_error {
 public:
  template <class... Args>
  explicit SimulationError(fmt::format_string<Args...> text, Args&&... args)
      : std::runtime_error(fmt::format(text, std::forward<Args>(args)...)) {}
};

class InvariantError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void invariant_failed(const char* condition, const char* file, int line) {
  throw InvariantError(fmt::format("{}:{}: {} does not hold", file, line, condition));
}

}  // namespace octavo

// This is always checked; it serves for cheap tests at the boundary of a module.
#define OCTAVO_CHECK(condition) \
  ((condition) ? void(0) : ::octavo::invariant_failed(#condition, __FILE__, __LINE__))

// This is checked in debug and sanitizer builds only; it serves for tests inside hot loops.
#ifdef OCTAVO_DEBUG_CHECKS
#define OCTAVO_ASSERT(condition) OCTAVO_CHECK(condition)
#else
#define OCTAVO_ASSERT(condition) void(0)
#endif
