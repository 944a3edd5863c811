#pragma once

// These are pictures of one file: a volume, a checkpoint or a triangle mesh, from one side or from all around.

#include <filesystem>
#include <string>
#include <vector>

#include "octavo/output/progress.h"
#include "octavo/pictures/picture_files.h"
#include "octavo/pictures/still_subject.h"

namespace octavo {

struct StillOptions {
  std::filesystem::path file;  // .vdb, .h5, or a triangle mesh
  std::filesystem::path
      scene{};  // how it looks; else that of the run it belongs to, or the default
  std::filesystem::path output{};  // else the file's name in the working folder
  std::vector<std::string> set{};  // keys of the scene that are to be different
  PictureFormat format = PictureFormat::png;
  int count = 1;           // pictures, from all around if there are several
  double turntable = 360;  // how far the camera goes around then, degrees
  bool preview = false;
  bool movie = true;       // of several pictures
  bool overwrite = false;  // what is there and was not asked for by name
  MeshLook look{};
  ProgressKind progress = ProgressKind::lines;
  std::string command{};  // that continues; what to say when it is interrupted
};

// It makes pictures, and a movie if there are several of them. Of several, those that are there and were made with
// the same settings are left as they are. The result is false if it was interrupted. Throws InputError before
// anything is written if the file, the scene or the options cannot be used.
bool render_still(const StillOptions& options);

}  // namespace octavo
