#pragma once

// Movies of pictures are H.264 in an .mp4 file that any browser plays, made by ffmpeg.
//
//   write_movie("movie.mp4", {"image/plume.0001.png", "image/plume.0002.png"}, {.fps = 24});
//
// Each picture is one frame, none is left out or shown twice.

#include <filesystem>
#include <functional>
#include <vector>

namespace octavo {

struct MovieOptions {
  double fps = 24;
  int quality = 18;  // ffmpeg's crf: 0 is without loss, 18 looks like it, 51 is worst
  std::function<bool()> stopped{};  // asked before each picture
};

// The file appears when it is complete; the result is false if it was stopped before that. H.264 wants even sizes:
// the last row or column is there twice if it must. Pictures with an opacity are shown on black. Throws InputError
// for pictures that cannot be read or are not of one size, FileError if ffmpeg is missing or fails.
bool write_movie(const std::filesystem::path& path,
                 const std::vector<std::filesystem::path>& pictures,
                 const MovieOptions& options = {});

}  // namespace octavo
