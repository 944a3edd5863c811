#pragma once

// The folder that --output names.

#include <filesystem>
#include <system_error>

#include "octavo/base/error.h"

namespace octavo {

inline void make_output_folder(const std::filesystem::path& folder) {
  std::error_code error, ignored;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder, ignored))
    throw InputError("the output folder '{}' cannot be made: {}", folder.string(),
                     error ? error.message() : "it is not a folder");
}

}  // namespace octavo
