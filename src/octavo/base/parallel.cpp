#include "octavo/base/parallel.h"

#include <tbb/global_control.h>
#include <tbb/info.h>

#include <memory>

namespace octavo {
namespace {

// The arena lends exactly `count` slots; the global limit lets the library start as many workers,
// even when the machine has fewer cores (tests run with 5 threads on 2).
struct Pool {
  explicit Pool(int count)
      : limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count)),
        arena(count) {}
  tbb::global_control limit;
  tbb::task_arena arena;
};

std::unique_ptr<Pool>& pool() {
  static std::unique_ptr<Pool> p = std::make_unique<Pool>(tbb::info::default_concurrency());
  return p;
}

}  // namespace

void set_threads(int count) {
  if (count < 0 || count > 1024)
    throw InputError("the number of threads must be from 0 (all) to 1024, not {}", count);
  const int wanted = count == 0 ? tbb::info::default_concurrency() : count;
  if (wanted == threads()) return;
  pool().reset();
  pool() = std::make_unique<Pool>(wanted);
}

int threads() { return pool()->arena.max_concurrency(); }

tbb::task_arena& detail::arena() { return pool()->arena; }

}  // namespace octavo
