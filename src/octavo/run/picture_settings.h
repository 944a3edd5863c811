#pragma once

// What the pictures in a folder were made with, so that those of different settings do not get mixed.

#include <filesystem>
#include <map>
#include <string>

#include "octavo/scene/scene_file.h"

namespace octavo {

class PictureSettings {
 public:
  // All of a scene that is seen: camera, lights, looks and obstacles.
  static PictureSettings of(const AnyScene& scene);

  void note(const std::string& key, const std::string& value) { values_[key] = value; }

  // Makes the folder, and records the settings in it. If it has pictures with others, they are removed if that
  // is what is wanted, and else it is an InputError that says what differs.
  void enter(const std::filesystem::path& folder, const std::string& name, bool overwrite) const;

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace octavo
