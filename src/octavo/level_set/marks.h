#pragma once

// A Marks is a byte for each of many places, set by any number of threads, all of them to the same value in one loop:
// which one comes first makes no difference.

#include <atomic>
#include <cstdint>

#include "octavo/base/buffer.h"

namespace octavo {

struct Marks {
  View<std::uint8_t> byte;

  std::uint8_t operator[](std::size_t i) const {
    return std::atomic_ref<std::uint8_t>(byte[i]).load(std::memory_order_relaxed);
  }
  void set(std::size_t i, std::uint8_t value) const {
    std::atomic_ref<std::uint8_t>(byte[i]).store(value, std::memory_order_relaxed);
  }
};

}  // namespace octavo
