#pragma once

// The folder that --output names.

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "octavo/base/error.h"
#include "octavo/io/files.h"

namespace octavo {

// An InputError if there can be no such folder, or nothing can be put into it. Nothing is made yet.
inline void require_output_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(folder);  // the part of it that is there
  while (!std::filesystem::exists(place, error) && place.has_relative_path())
    place = place.parent_path();
  if (!std::filesystem::is_directory(place, error))
    throw InputError("the output folder '{}' cannot be made: '{}' is not a folder", folder.string(),
                     place.string());
  if (access(place.c_str(), W_OK | X_OK) != 0)
    throw InputError("nothing can be written to '{}': {}", place.string(), system_message(errno));
}

inline void make_output_folder(const std::filesystem::path& folder) {
  std::error_code error, ignored;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder, ignored))
    throw InputError("the output folder '{}' cannot be made: {}", folder.string(),
                     error ? error.message() : "it is not a folder");
}

}  // namespace octavo
