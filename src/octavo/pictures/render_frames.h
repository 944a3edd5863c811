#pragma once

// It makes pictures of all frames of a run, a contact sheet and a movie.
//
// Each picture is written when it is complete. What is there already is left as it is, so that rendering can be
// stopped at any moment and continued by the same command.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "octavo/output/progress.h"
#include "octavo/pictures/picture_files.h"

namespace octavo {

struct RenderOptions {
  std::filesystem::path folder;         // of the run
  std::filesystem::path output{};       // else image/ in it, or preview/
  std::optional<Vec<2, int>> frames{};  // the first and the last; else all there are
  std::filesystem::path look{};         // a scene with other camera, lights and looks
  std::vector<std::string> set{};       // keys of the scene that are to be different
  PictureFormat format = PictureFormat::png;
  double turntable = 0;  // how far the camera goes around in all frames of the scene, degrees
  bool preview = false, overwrite = false, movie = true;
  bool grid = false;  // with the leaves that a plane cuts as lines, from the run's .htg files
  ProgressKind progress = ProgressKind::lines;
  std::string command{};  // that continues; what to say when it is interrupted
};

struct RenderResult {
  int skipped = 0;                   // were there already
  std::vector<int> missing, failed;  // frames without a file, or with one that cannot be used
  bool interrupted = false;
};

// Throws InputError before anything is written if the folder, the scene or the options are wrong, if the run has not
// written what the pictures are made from, or if there are pictures already that were made with other settings.
RenderResult render_run(const RenderOptions& options);

}  // namespace octavo
