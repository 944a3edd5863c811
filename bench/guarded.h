#pragma once

// What main() of every benchmark does: errors become a sentence and an exit code.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <optional>

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

// Reads the options; returns an exit code if there is nothing else to do: 2 if they are wrong.
inline std::optional<int> parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
}

}  // namespace octavo::bench
