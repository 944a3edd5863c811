#pragma once

// How much memory is free, so that what would not fit can be refused before it is begun.

#include <cstddef>
#include <fstream>
#include <string>

namespace octavo {

inline std::size_t available_memory() {
  std::ifstream info("/proc/meminfo");
  std::string word;
  while (info >> word)
    if (word == "MemAvailable:") {
      std::size_t kib = 0;
      info >> kib;
      return kib * 1024;
    }
  return std::size_t{1} << 62;
}

}  // namespace octavo
