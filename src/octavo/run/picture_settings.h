#pragma once

// What the pictures in a folder were made with, so that those of different settings do not get mixed, and others
// are not overwritten.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "octavo/scene/scene_file.h"

namespace octavo {

// Pictures NAME.0001.png, ... and what is made from all of them.
struct PictureFolder {
  std::filesystem::path folder;
  std::string name;
  std::vector<int> wanted;                   // frames
  std::vector<std::filesystem::path> whole;  // a movie, a contact sheet

  // Where it is written what they were made with.
  std::filesystem::path record() const { return folder / ("." + name + ".settings.json"); }
};

class PictureSettings {
 public:
  // All of a scene that is seen: camera, lights, looks and obstacles. Pictures are PNG files without anything else,
  // unless noted otherwise.
  static PictureSettings of(const AnyScene& scene);

  void note(const std::string& key, const std::string& value) { values_[key] = value; }

  // Makes the folder, and records the settings in it. What has been made with others, or by somebody else, is an
  // InputError, unless it is to be overwritten: then wanted pictures that are there are removed. Those that are
  // not wanted are never.
  void enter(const PictureFolder& where, bool overwrite) const;

  // Records them unless something is recorded already.
  void note_in(const PictureFolder& where) const;

 private:
  void write(const PictureFolder& where) const;

  std::map<std::string, std::string> values_;
};

}  // namespace octavo
