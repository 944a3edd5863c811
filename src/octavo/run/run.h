#pragma once

// A run computes frames of a scene, with files for each, checkpoints, and a way back into it.
//
// At any moment the process may be killed; then resuming continues from the last checkpoint, and the files
// are the same, byte for byte, as if nothing had happened, but for the words in the log, checkpoints and records of
// pictures that tell one beginning of a run from another. So a checkpoint is written only when all files of
// the frames before it are on disk.

#include <filesystem>
#include <optional>

#include "octavo/output/progress.h"
#include "octavo/scene/scene_file.h"

namespace octavo {

// This is a checkpoint of another run.
struct BranchPoint {
  std::filesystem::path folder;
  int frame = 0;
};

struct RunOptions {
  std::filesystem::path folder;
  bool resume = false;     // from the newest checkpoint; from the beginning if there is none
  bool force = false;      // resume although the scene has changed
  bool overwrite = false;  // an earlier run in the folder
  std::optional<BranchPoint> from{};
  std::optional<int> explain{};  // a frame of which is shown why its octree is as it is
  ProgressKind progress = ProgressKind::lines;
  std::string command{};  // that continues the run; what to say when it is interrupted
};

enum class RunOutcome { done, interrupted };

// This throws InputError before anything is written if something is wrong with the scene, the options or the
// folder; FileError if a file cannot be written and SimulationError if the simulation cannot go on, with the
// last checkpoint as it is.
RunOutcome run_scene(const SceneFile& file, const RunOptions& options);

}  // namespace octavo
