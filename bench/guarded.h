#pragma once

// What main() of every benchmark does: errors become a sentence and an exit code.

#include <fmt/format.h>

#include <exception>

#include "octavo/base/error.h"

namespace octavo::bench {

template <class Run>
int guarded(const char* name, Run&& run) {
  try {
    return run();
  } catch (const InputError& e) {
    fmt::print(stderr, "{}: {}\n", name, e.what());
    return 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}: {}\n", name, e.what());
    return 1;
  }
}

}  // namespace octavo::bench
