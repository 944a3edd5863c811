#pragma once

// This is written down in a folder of pictures, NAME.0001.png and so on: what they were made with and of, and what
// else was made with them. It stands in .NAME.settings.json beside them.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace octavo {

// It is the source of pictures in a folder of the run that they are of.
inline constexpr const char* inside_its_run = "..";

struct PictureRecord {
  std::map<std::string, std::string> settings;
  std::string source;  // a run folder or a file; empty if it was not noted
  std::map<int, std::string>
      origins;                     // what each picture is of, by frame: see output/frame_origins.h
  bool knows_whole = true;         // earlier versions did not note the movie and the sheet
  std::vector<std::string> whole;  // the movie and the sheet, from the folder

  static std::filesystem::path path(const std::filesystem::path& folder, const std::string& name) {
    return folder / ("." + name + ".settings.json");
  }

  // It is none if there is no such file, or if it was not written by this program.
  static std::optional<PictureRecord> read(const std::filesystem::path& file);
  void write(const std::filesystem::path& file) const;

  // It is empty if it was not noted.
  std::string origin(int frame) const {
    const auto at = origins.find(frame);
    return at == origins.end() ? "" : at->second;
  }
};

// It removes the pictures in image/ and preview/ of a run folder, the movies and the sheets: only what is written
// down as made of this run.
void remove_pictures_of_run(const std::filesystem::path& folder);

}  // namespace octavo
