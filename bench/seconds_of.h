#pragma once

// How long something takes.
//
//   const double seconds = seconds_of([&] { picture = path_traced(...); });

#include <utility>

#include "octavo/base/timer.h"

namespace octavo::bench {

template <class F>
double seconds_of(F&& f) {
  const Stopwatch watch;
  std::forward<F>(f)();
  return watch.seconds();
}

}  // namespace octavo::bench
