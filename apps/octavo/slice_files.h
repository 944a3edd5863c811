#pragma once

// It finds which file `octavo slice` looks at: one that is named, or one of a run folder.

#include <filesystem>
#include <optional>
#include <string>

namespace octavo {

struct SliceFile {
  std::filesystem::path path;   // a grid (.htg), or a checkpoint (.h5)
  std::optional<int> frame;     // by its name
  std::filesystem::path scene;  // of the run that it is part of, if it is there; else empty
};

// In a run folder it takes the newest frame unless one is asked for, and its grid if the field is in it, else
// its checkpoint, if there is one. Throws InputError with a sentence about what there is instead.
SliceFile find_slice_file(const std::filesystem::path& file_or_folder, std::optional<int> frame,
                          const std::string& field);

bool is_checkpoint(const std::filesystem::path& path);

}  // namespace octavo
