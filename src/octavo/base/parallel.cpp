#include "octavo/base/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <exception>
#include <memory>
#include <thread>

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
  pool() = std::make_unique<Pool>(wanted);
}

int threads() { return pool()->arena.max_concurrency(); }

#ifndef OCTAVO_THREAD_SANITIZER

void detail::launch(std::size_t count, const std::function<void(std::size_t)>& run) {
  pool()->arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        for (std::size_t b = range.begin(); b != range.end(); ++b) run(b);
                      });
  });
}

#else

// The thread sanitizer does not see how oneTBB, which is not built with it, hands work from thread
// to thread, and takes all of it for races. With plain threads it sees our own races and nothing
// else.
void detail::launch(std::size_t count, const std::function<void(std::size_t)>& run) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> failure(static_cast<std::size_t>(threads()));
  auto work = [&](std::size_t self) {
    try {
      for (std::size_t b = next++; b < count; b = next++) run(b);
    } catch (...) {
      failure[self] = std::current_exception();
    }
  };
  std::vector<std::thread> crew;
  for (std::size_t t = 1; t < failure.size(); ++t) crew.emplace_back(work, t);
  work(0);
  for (auto& thread : crew) thread.join();
  for (const auto& f : failure)
    if (f) std::rethrow_exception(f);
}

#endif

}  // namespace octavo
