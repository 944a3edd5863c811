#pragma once

// This is made from all pictures of a series: a movie, and a sheet with a dozen of them.
//
//   write_reel(frames_in("image", "plume", ".png"), {.movie = "movie.mp4", .sheet = "sheet.png", .fps = 24}, progress);

#include "octavo/output/frame_names.h"
#include "octavo/output/progress.h"

namespace octavo {

struct ReelOptions {
  std::filesystem::path movie, sheet{};  // no sheet if it has no name
  double fps = 24;
};

// Nothing is made of a single picture, and nothing but a sentence of .exr files. What cannot be made is no mistake of
// the pictures: it is said. The result is false if it was interrupted.
bool write_reel(const FrameSeries& pictures, const ReelOptions& options, Progress& progress);

}  // namespace octavo
