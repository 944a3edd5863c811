#pragma once

// They are what the pictures in a folder were made with and of, so that those of different settings and simulations
// do not get mixed, and others are not overwritten.

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "octavo/pictures/picture_record.h"
#include "octavo/scene/scene_file.h"

namespace octavo {

// It has pictures NAME.0001.png, ... and what is made from all of them.
struct PictureFolder {
  std::filesystem::path folder;
  std::string name;
  std::vector<int> wanted;                   // frames
  std::vector<std::filesystem::path> whole;  // a movie, a contact sheet
  std::string source;  // what they are of: inside_its_run, another folder, or a file
  std::function<std::string(int)> origin;  // of what a frame shows: see output/frame_origins.h

  // It is written here what they were made with.
  std::filesystem::path record() const { return PictureRecord::path(folder, name); }
};

// These pictures were there and show what is no more: another simulation wrote the same files anew.
struct OutdatedPictures {
  int removed = 0;       // wanted ones
  std::set<int> frames;  // not wanted, and left as they are
};

class PictureSettings {
 public:
  // These are all of a scene that is seen: camera, lights, looks and obstacles. Pictures are PNG files without
  // anything else, unless noted otherwise.
  static PictureSettings of(const AnyScene& scene);

  void note(const std::string& key, const std::string& value) { values_[key] = value; }

  // It makes the folder, and records the settings in it. What has been made with others, of something else or by
  // somebody else is an InputError, unless it is to be overwritten: then wanted pictures that are there are removed.
  // So are wanted ones that are outdated. Those that are not wanted are never removed.
  OutdatedPictures enter(const PictureFolder& where, bool overwrite) const;

  // It records that the picture of a frame is there, and the settings, unless there are some already.
  void note_in(const PictureFolder& where, int frame) const;

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace octavo
