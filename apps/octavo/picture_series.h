#pragma once

// These are the pictures of a run, NAME.FRAME.png or .exr in its folder image, and single ones.

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "octavo/image/image.h"
#include "octavo/output/frame_names.h"

namespace octavo {

// Pictures are found by name, from DIR/image, or from DIR if there is no such folder. Of a frame that is there as
// .png and as .exr the .png counts.
std::map<std::string, FrameSeries> pictures_in(const std::filesystem::path& folder);

// Does a run folder have volumes, of which pictures could be made?
bool has_volumes(const std::filesystem::path& folder);

// These are pictures in both folders that belong together: those of the one name that each of them has, or of the one
// that they share. Throws InputError if there are none, or several.
std::pair<FrameSeries, FrameSeries> matching_pictures(const std::filesystem::path& one,
                                                      const std::filesystem::path& other);

// It reads a .png file, or an .exr file as it is shown; the picture has three channels, on black.
Image read_picture(const std::filesystem::path& path);

}  // namespace octavo
