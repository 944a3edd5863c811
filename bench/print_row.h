#pragma once

// A row of results: one JSON object on a line, or a line for each of its values.

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace octavo::bench {

inline void print_row(const nlohmann::ordered_json& row, bool json) {
  if (json) {
    fmt::print("{}\n", row.dump());
  } else {
    for (const auto& [key, value] : row.items()) fmt::print("{:<24} {}\n", key, value.dump());
    fmt::print("\n");
  }
  std::fflush(stdout);
}

}  // namespace octavo::bench
