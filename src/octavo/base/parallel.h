#pragma once

// This is the only place that knows about threads. Every loop of the program is one of these, over oneTBB:
//
//   parallel_for("advect density", n, [=](std::size_t i) { new_value[i] = ...; });
//   double mass = parallel_sum("mass", n, [=](std::size_t i) { return rho[i] * volume[i]; });
//   std::size_t total = exclusive_scan("number faces", counts.view());
//
// The result does not depend on the number of threads. Work is cut into blocks whose size depends only
// on n; a block is one thread's, and what blocks return is combined in their order. The caller must see
// to it that iteration i writes only what no other iteration reads or writes.
//
// Loops are launched from one thread at a time and not from inside each other.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "octavo/base/buffer.h"
#include "octavo/base/timer.h"

namespace octavo {

// This sets how many threads the loops use: 1, 2, ... also more than the machine has; 0 takes all of them.
void set_threads(int count);
int threads();

namespace detail {
// This calls run(b) for b in 0..count on the threads, in any order. The first exception is passed on.
void launch(std::size_t count, const std::function<void(std::size_t)>& run);
}  // namespace detail

inline constexpr std::size_t default_block = 4096;

inline std::size_t block_count(std::size_t n, std::size_t block_size = default_block) {
  return (n + block_size - 1) / block_size;
}

// This calls f(block, begin, end) for the blocks [begin, end) that cut up 0..n.
template <class F>
void parallel_blocks(const char* label, std::size_t n, F&& f,
                     std::size_t block_size = default_block) {
  ScopedTimer timer(label);
  const std::size_t blocks = block_count(n, block_size);
  auto run = [&](std::size_t b) { f(b, b * block_size, std::min(n, (b + 1) * block_size)); };
  if (blocks == 1) run(0);
  if (blocks > 1) detail::launch(blocks, std::ref(run));
}

// This calls f(i) for i in 0..n.
template <class F>
void parallel_for(const char* label, std::size_t n, F&& f) {
  parallel_blocks(
      label, n,
      [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) f(i);
      },
      std::size_t{1024});
}

// This combines map(i) for i in 0..n, starting from `identity`, always in the same order.
template <class T, class Map, class Combine>
T parallel_reduce(const char* label, std::size_t n, T identity, Map&& map, Combine&& combine,
                  std::size_t block_size = default_block) {
  static_assert(!std::is_same_v<T, bool>, "the bits of a vector<bool> are not separate places");
  std::vector<T> partial(block_count(n, block_size), identity);
  parallel_blocks(
      label, n,
      [&](std::size_t block, std::size_t begin, std::size_t end) {
        T value = identity;
        for (std::size_t i = begin; i < end; ++i) value = combine(value, map(i));
        partial[block] = value;
      },
      block_size);
  T value = identity;
  for (const T& p : partial) value = combine(value, p);
  return value;
}

template <class Map>
double parallel_sum(const char* label, std::size_t n, Map&& map) {
  return parallel_reduce(label, n, 0.0, map, [](double x, double y) { return x + y; });
}

template <class Map>
double parallel_max(const char* label, std::size_t n, double identity, Map&& map) {
  return parallel_reduce(label, n, identity, map,
                         [](double x, double y) { return std::max(x, y); });
}

template <class Real>
bool all_finite(View<const Real> values) {
  return parallel_reduce(
             "check finite", values.size(), 0,
             [=](std::size_t i) { return std::isfinite(values[i]) ? 0 : 1; },
             [](int p, int q) { return p | q; }) == 0;
}

// This replaces values[i] by the sum of the values before it and returns the sum of all.
template <class T>
std::size_t exclusive_scan(const char* label, View<T> values) {
  std::vector<std::size_t> first(block_count(values.size()) + 1, 0);
  parallel_blocks(label, values.size(), [&](std::size_t block, std::size_t begin, std::size_t end) {
    std::size_t sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += values[i];
    first[block + 1] = sum;
  });
  for (std::size_t b = 1; b < first.size(); ++b) first[b] += first[b - 1];
  parallel_blocks(label, values.size(), [&](std::size_t block, std::size_t begin, std::size_t end) {
    std::size_t sum = first[block];
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t value = values[i];
      values[i] = static_cast<T>(sum);
      sum += value;
    }
  });
  return first.back();
}

// This joins arrays that blocks of a loop have produced, in the order of the blocks.
template <class T>
void concatenate(const char* label, const std::vector<std::vector<T>>& parts, Buffer<T>& out) {
  std::vector<std::size_t> first(parts.size() + 1, 0);
  for (std::size_t p = 0; p < parts.size(); ++p) first[p + 1] = first[p] + parts[p].size();
  out.resize(first.back());
  const View<T> to = out.view();
  parallel_blocks(
      label, parts.size(),
      [&](std::size_t p, std::size_t, std::size_t) {
        std::copy(parts[p].begin(), parts[p].end(), to.begin() + first[p]);
      },
      std::size_t{1});
}

// This sorts in place; equal elements keep their order. Blocks are sorted and then merged two by two.
template <class T, class Less = std::less<T>>
void parallel_sort(const char* label, View<T> values, Less less = {}) {
  const std::size_t n = values.size();
  std::size_t sorted = 16384;
  parallel_blocks(
      label, n,
      [&](std::size_t, std::size_t begin, std::size_t end) {
        std::stable_sort(values.begin() + begin, values.begin() + end, less);
      },
      sorted);
  Buffer<T> spare(sorted < n ? n : 0);
  View<T> from = values, to = spare.view();
  for (; sorted < n; sorted *= 2) {
    parallel_blocks(
        label, n,
        [&](std::size_t, std::size_t begin, std::size_t end) {
          T* middle = from.begin() + std::min(begin + sorted, end);
          std::merge(from.begin() + begin, middle, middle, from.begin() + end, to.begin() + begin,
                     less);
        },
        2 * sorted);
    std::swap(from, to);
  }
  if (from.data() != values.data()) std::copy(from.begin(), from.end(), values.begin());
}

}  // namespace octavo
