#pragma once

// The files of frames have such names: NAME.0001.vdb, where NAME may have dots of its own, as in
// plume.level.0001.png.
//
//   frame_file("plume", 7, ".vdb")              // "plume.0007.vdb"
//   frame_name("volume/plume.0007.vdb")->frame  // 7
//   for (const auto& [frame, path] : frames_in("volume", "plume", ".vdb")) ...
//   frame_list({1, 2, 3, 7})                    // "1 .. 3, 7"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace octavo {

struct FrameName {
  std::string name;
  int frame = 0;
};

std::string frame_file(const std::string& name, int frame, const std::string& ending);

// There is no result if the file's name is not that of a frame's file.
std::optional<FrameName> frame_name(const std::filesystem::path& file);

// These are the files in a folder; there are none if there is no such folder.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder);

// These are files of frames with one ending, by frame.
using FrameSeries = std::map<int, std::filesystem::path>;

// The series are by their names. Endings count in lower case only.
std::map<std::string, FrameSeries> series_in(const std::filesystem::path& folder,
                                             const std::string& ending);

// These are the frames of one name.
FrameSeries frames_in(const std::filesystem::path& folder, const std::string& name,
                      const std::string& ending);

// Frames are listed in order; what is in a row is not listed one by one.
std::string frame_list(const std::vector<int>& frames);

}  // namespace octavo
